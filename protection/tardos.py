"""Fingerprint codes: which symbol each organisation gets at each marked position.

After Tardos (STOC 2003): each position has a secret bias drawn from a cut-off arcsine density, and each organisation's
bit is drawn with that bias. Both follow from the secret by HMAC, so that nothing has to be stored, an organisation
always gets the same bits, and a problem added later changes no other.
"""

import hashlib
import hmac
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Chosen by simulation for one to three colluders over a few hundred positions; docs/protection.md has the numbers.
CUTOFF = 0.03
_LOW = math.asin(math.sqrt(CUTOFF))
_SPAN = math.pi / 2 - 2 * _LOW


def position(problem: str, bit: int) -> str:
    """The name of a marked position: a problem and one bit of its variant's number."""
    return f"{problem}/{bit}"


def bias(secret: bytes, name: str) -> float:
    """The probability in (0, 1) that an organisation gets a 1 at this position. Secret."""
    return math.sin(_LOW + _uniform(_mac(secret, b"bias"), name) * _SPAN) ** 2


def symbol(secret: bytes, organisation: str, name: str) -> int:
    """The organisation's bit at a position: 0 or 1."""
    return int(_uniform(_mac(secret, b"code:" + organisation.encode()), name) < bias(secret, name))


def biases(secret: bytes, positions: Sequence[str]) -> NDArray[np.float64]:
    """Biases of positions, shape (positions,)."""
    mac = _mac(secret, b"bias")
    return np.sin(_LOW + np.array([_uniform(mac, name) for name in positions]) * _SPAN) ** 2


def codewords(secret: bytes, organisations: Sequence[str], positions: Sequence[str]) -> NDArray[np.bool_]:
    """Bits of organisations at positions, shape (organisations, positions)."""
    chances = biases(secret, positions)
    rows = np.empty((len(organisations), len(positions)), dtype=np.bool_)
    for index, organisation in enumerate(organisations):
        mac = _mac(secret, b"code:" + organisation.encode())
        rows[index] = np.array([_uniform(mac, name) for name in positions]) < chances
    return rows


def number(secret: bytes, organisation: str, problem: str, bits: int) -> int:
    """The number of the variant that an organisation gets of a problem with 2**bits variants."""
    return sum(symbol(secret, organisation, position(problem, bit)) << bit for bit in range(bits))


def draw_biases(rng: np.random.Generator, shape: int | tuple[int, ...]) -> NDArray[np.float64]:
    """Biases for a simulation, from the same density."""
    return np.sin(_LOW + rng.random(shape) * _SPAN) ** 2


def _mac(secret: bytes, label: bytes) -> "hmac.HMAC":
    derived = hmac.digest(secret, label, hashlib.sha256)
    return hmac.new(derived, digestmod=hashlib.sha256)


def _uniform(mac: "hmac.HMAC", name: str) -> float:
    copy = mac.copy()
    copy.update(name.encode())
    return int.from_bytes(copy.digest()[:7], "big") / 2.0**56
