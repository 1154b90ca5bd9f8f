"""Golds to begin with: a small list of their own, and the answers of published problem sets where those are here."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

INTEGER = re.compile(r"-?\d{1,6}")
DECIMAL = re.compile(r"-?\d{1,5}\.\d{1,5}")
FRACTION = re.compile(r"(-?)\\frac\{(\d{1,5})\}\{(\d{1,5})\}")
EXPRESSION = re.compile(
    r"(?:[-+*/^(){}0-9 ]|[a-df-hj-np-zA-BD-HJ-NP-Z]|\\(?:frac|sqrt|pi|cdot|sin|cos|tan|ln|left|right|alpha|beta))+"
)
PROBLEMS = ("math500.jsonl", "math_test5000_typed.jsonl", "olympiadbench_oe_to_maths_en.jsonl", "theoremqa.jsonl")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit in its spellings. `scaled` is another unit with how many of it make one; `prefixed` and `foreign` are
    wrong for the same number: the first has another prefix, the second another dimension."""

    roman: str
    powers: str
    siunitx: str
    words: str
    scaled: tuple[str, int]
    prefixed: str
    foreign: str


UNITS = {
    "m/s": Unit("m/s", r"m\,s^{-1}", r"\metre\per\second", "metres per second", ("cm/s", 100), "km/s", "m/s^2"),
    "N": Unit("N", r"kg\,m\,s^{-2}", r"\newton", "newtons", ("mN", 1000), "kN", "J"),
    "J": Unit("J", r"N\,m", r"\joule", "joules", ("mJ", 1000), "kJ", "W"),
    "kg": Unit("kg", "kg", r"\kilo\gram", "kilograms", ("g", 1000), "mg", "m"),
    "V": Unit("V", r"J\,C^{-1}", r"\volt", "volts", ("mV", 1000), "kV", "A"),
    "m": Unit("m", "m", r"\metre", "metres", ("cm", 100), "km", "s"),
    "s": Unit("s", "s", r"\second", "seconds", ("ms", 1000), "ks", "m"),
    "Pa": Unit("Pa", r"N\,m^{-2}", r"\pascal", "pascals", ("mPa", 1000), "MPa", "N"),
    "K": Unit("K", "K", r"\kelvin", "kelvins", ("mK", 1000), "kK", "J"),
    "mol/L": Unit("mol/L", r"mol\,L^{-1}", r"\mole\per\litre", "moles per litre", ("mmol/L", 1000), "mmol/L", "mol"),
}


@dataclass(frozen=True, slots=True)
class Gold:
    """What is asked for. `text` is LaTeX without delimiters; `other` a wrong answer of the same shape; `wrong` pairs a
    mutation's name with a wrong twin that only a list can give (another index set, another break point)."""

    text: str
    shape: str
    other: str
    unit: str = ""
    options: dict[str, object] = field(default_factory=dict)
    wrong: tuple[tuple[str, str], ...] = ()


def value_of(text: str) -> Fraction | None:
    """The value of an integer, a decimal or a fraction as golds write them; None for everything else."""
    if INTEGER.fullmatch(text) or DECIMAL.fullmatch(text):
        return Fraction(text)
    if (found := FRACTION.fullmatch(text)) and int(found[3]):
        return Fraction(int(found[1] + found[2]), int(found[3]))
    return None


def number(text: str, **options: object) -> Gold:
    """A number, beside it one that is far from it."""
    value = value_of(text)
    assert value, text
    if FRACTION.fullmatch(text):
        other = rf"\frac{{{value.denominator + abs(value.numerator)}}}{{{value.denominator}}}"
    elif DECIMAL.fullmatch(text):
        other = str(round(float(value) * 1.3 + 0.7, 3))
    else:
        other = str(value + 3)
    return Gold(text, "number", other, options=dict(options))


def quantity(text: str, unit: str) -> Gold:
    """A decimal in a unit, right within one per cent."""
    return Gold(text, "quantity", number(text).other, unit, {"unit": unit, "rel_tol": 0.01})


def expression(text: str, **options: object) -> Gold:
    """An expression, beside it the one that is greater by one."""
    return Gold(text, "expression", f"{text}+1", options=dict(options))


def _family(text: str, other: str) -> Gold:
    wrong = tuple(("index set", text.replace(r"\mathbb{Z}", another)) for another in (r"\mathbb{N}", r"\mathbb{R}"))
    return Gold(text, "family", other, wrong=wrong)


def _cases(text: str, moved: str, other: str) -> Gold:
    return Gold(text, "cases", other, wrong=(("break point", moved),))


BUILT_IN: tuple[Gold, ...] = (
    *(number(text) for text in ("7", "42", "-6", "1024", "365", "2025", "13", "-120", "99991")),
    *(number(text) for text in (r"\frac{7}{12}", r"-\frac{5}{8}", r"\frac{22}{7}", r"\frac{1}{1260}")),
    *(number(text, rel_tol=0.01) for text in ("3.75", "0.482", "-12.6", "204.8")),
    *(
        quantity(text, unit)
        for text, unit in zip(("3.2", "47.5", "1500.0", "0.85"), ("m/s", "N", "J", "kg"), strict=True)
    ),
    *(quantity(text, unit) for text, unit in zip(("6.4", "12.5", "0.36", "290.0"), ("V", "m", "s", "K"), strict=True)),
    quantity("101.5", "Pa"),
    quantity("0.15", "mol/L"),
    *(expression(text) for text in ("x^2-4x+7", r"2\sqrt{3}+1", r"\frac{x+1}{x-2}", r"x\sin(x)", r"3a-2b")),
    *(expression(text) for text in (r"\frac{\pi^2}{6}", "n(n+1)/2", r"\sqrt{5}-2", r"\ln(2)+3", "(p+q)^3")),
    expression(r"\frac{mg}{k}", assume="positive"),
    expression(r"\sqrt{\frac{2gh}{3}}", assume="positive"),
    Gold(r"\{-3,1,4\}", "set", r"\{-3,2,4\}", options={"type": "set"}),
    Gold(r"\{0,\frac{1}{2}\}", "set", r"\{0,\frac{1}{3}\}", options={"type": "set"}),
    Gold("(3,-2)", "tuple", "(3,5)", options={"type": "tuple"}),
    Gold(r"(1,0,\frac{1}{2})", "tuple", r"(1,1,\frac{1}{2})", options={"type": "tuple"}),
    Gold("[0,4)", "interval", "[0,5)"),
    Gold(r"(-\infty,-2]\cup(3,\infty)", "interval", r"(-\infty,-1]\cup(3,\infty)"),
    _family(r"x=\frac{\pi}{4}+k\pi,\ k\in\mathbb{Z}", r"x=\frac{\pi}{3}+k\pi,\ k\in\mathbb{Z}"),
    _family(r"x=2k\pi,\ k\in\mathbb{Z}", r"x=3k\pi,\ k\in\mathbb{Z}"),
    _cases(
        r"\begin{cases}x^2,&x<1\\2x-1,&x\ge1\end{cases}",
        r"\begin{cases}x^2,&x<2\\2x-1,&x\ge2\end{cases}",
        r"\begin{cases}x^2,&x<1\\2x+1,&x\ge1\end{cases}",
    ),
    _cases(
        r"\begin{cases}0,&t\le50\\t-50,&t>50\end{cases}",
        r"\begin{cases}0,&t\le60\\t-50,&t>60\end{cases}",
        r"\begin{cases}0,&t\le50\\t,&t>50\end{cases}",
    ),
    *(Gold(label, "choice", "ABCD"[3 - index], options={"type": "mc"}) for index, label in enumerate("ABCD")),
)


def _read(text: str) -> Gold | None:
    """The gold of a published answer, if it is of a shape whose wrong twins are surely wrong."""
    text = text.strip().strip("$").strip().replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    if value_of(text):
        return number(text, **({"rel_tol": 0.01} if DECIMAL.fullmatch(text) else {}))
    letters = re.sub(r"\\[a-z]+", "", text)
    readable = EXPRESSION.fullmatch(text) and text.count("(") == text.count(")") and len(text) < 60
    words = re.search(r"[A-Za-z]{3}", letters)
    return expression(text) if readable and not words and re.search(r"[a-z]|\\(?:sqrt|pi|ln)", text) else None


def published(folder: Path) -> Iterator[Gold]:
    """Golds of the problem sets in `folder` that can be restyled and mutated with a sure label, each text once."""
    seen: set[str] = set()
    for name in PROBLEMS:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            answer = row.get("answer", row.get("final_answer", row.get("Answer")))
            answer = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
            gold = _read(str(answer)) if isinstance(answer, str | int | float) else None
            if gold and gold.text not in seen:
                seen.add(gold.text)
                yield gold
    for line in (folder / "scibench.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        unit = re.sub(r"\\mathrm|[${}~ ]", "", row["unit"])
        text = row["answer_number"].strip()
        if unit in UNITS and DECIMAL.fullmatch(text) and Fraction(text):
            yield quantity(text, unit)
    for line in (folder / "mmlu_law_med_stem.jsonl").read_text(encoding="utf-8").splitlines()[::20]:
        row = json.loads(line)
        label = row["answer"] if isinstance(row["answer"], str) else "ABCD"[row["answer"]]
        yield Gold(label, "choice", "ABCD"[3 - "ABCD".index(label)], options={"type": "mc"})
