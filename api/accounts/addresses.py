"""One spelling for each e-mail address."""

import string

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def normal_email(text: str) -> str | None:
    """The address with its ASCII letters in lower case, or None when it is none.

    Only ASCII letters are folded: Unicode's folding makes one address of two (the Kelvin sign becomes a `k`), and an
    account is linked by its address.
    """
    address = text.strip().translate(_LOWER)
    local, _, domain = address.rpartition("@")
    odd = any(ord(character) <= 0x20 or character in "\x7f<>,;" or character.isspace() for character in address)
    return None if odd or not local or "." not in domain or len(address) > 320 else address
