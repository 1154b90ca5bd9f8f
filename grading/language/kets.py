"""States in Dirac's notation, kept as symbols: `|0\\rangle`, `\\langle\\psi|`, `\\langle a|H|b\\rangle`, `\\ket{0}`."""

from typing import Final

from grading.language.cursor import Cursor
from grading.language.tree import Symbol

_BARS: Final = frozenset({"|", "lvert", "rvert"})
_REACH: Final = 40
_OUTSIDE: Final = frozenset({"=", "<", ">", "<=", ">=", "&", "row", "+="})


class Kets(Cursor):
    """Rules for kets and bras."""

    def _until(self, start: int, stops: frozenset[str]) -> int | None:
        """Index of the first of `stops` at the level of `start`; None where something else comes first."""
        depth = 0
        for index in range(start, min(start + _REACH, len(self.tokens) - 1)):
            token = self.tokens[index]
            if token.text in stops and depth == 0:
                return index if index > start else None
            if token.kind == "op" and token.text in _OUTSIDE | _BARS | {"<<", ">>"}:
                return None
            depth += (token.text in ("{", "(")) - (token.text in ("}", ")"))
            if depth < 0:
                return None
        return None

    def _label(self, start: int, stop: int) -> str:
        return "".join(token.text for token in self.tokens[start:stop] if token.text not in ("{", "}"))

    def ket_ahead(self) -> bool:
        """Whether `|...\\rangle` begins here."""
        return self.at(*_BARS) and self._until(self.position + 1, frozenset({">>"})) is not None

    def bra_ahead(self) -> bool:
        """Whether `\\langle...|` begins here."""
        return self.at("<<") and self._until(self.position + 1, _BARS) is not None

    def dirac(self) -> Symbol | None:
        """The ket, bra or bracket that begins here, consumed; None where there is none."""
        if self.ket_ahead():
            stop = self._until(self.position + 1, frozenset({">>"})) or 0
            label = self._label(self.position + 1, stop)
            self.position = stop + 1
            return Symbol(f"ket:{label}")
        return self._bra() if self.bra_ahead() else None

    def _bra(self) -> Symbol:
        bar = self._until(self.position + 1, _BARS) or 0
        parts = [self._label(self.position + 1, bar)]
        end = bar + 1
        while len(parts) < 3:
            inner = self._until(bar + 1, frozenset({">>"}))
            if inner is not None and not (len(parts) == 2 and parts[1] in "+-"):
                parts.append(self._label(bar + 1, inner))
                self.position = inner + 1
                return Symbol("braket:" + "|".join(parts))
            following = self._until(bar + 1, _BARS)
            if following is None:
                break
            parts.append(self._label(bar + 1, following))
            bar = following
        self.position = end
        return Symbol(f"bra:{parts[0]}")

    def named_state(self, name: str) -> Symbol | None:
        """`\\ket{0}`, `\\bra{0}`, `\\braket{0|1}`, `\\braket{0}{1}`."""
        kind = name.lower()
        if kind not in ("ket", "bra", "braket") or not self.at("{"):
            return None
        parts: list[str] = []
        while self.at("{") and len(parts) < (2 if kind == "braket" else 1):
            close = self.group_close(self.position)
            parts.append(self._label(self.position + 1, close))
            self.position = close + 1
        return Symbol(f"{kind}:{'|'.join(parts)}")


def joined(symbols: list[Symbol]) -> list[Symbol]:
    """Neighbouring kets and bras of a product joined in their order: `|0>|1>` is `|01>`, `<a||b>` is `<a|b>`."""
    result: list[Symbol] = []
    for symbol in symbols:
        kind, _, label = symbol.name.partition(":")
        before, _, first = result[-1].name.partition(":") if result else ("", "", "")
        if before == kind and kind in ("ket", "bra"):
            result[-1] = Symbol(f"{kind}:{first}{label}")
        elif (before, kind) in (("bra", "ket"), ("ket", "bra")):
            result[-1] = Symbol(f"{'braket' if before == 'bra' else 'dyad'}:{first}|{label}")
        else:
            result.append(symbol)
    return result


def is_state(name: str) -> bool:
    """Whether a symbol's name is a ket or a bra."""
    return name.startswith(("ket:", "bra:"))
