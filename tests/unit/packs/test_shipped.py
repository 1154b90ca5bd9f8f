"""The packs that ship: right by every check, and their numbers found again by calculation."""

import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from envs import registry
from grading.answer import Answer
from grading.registry import grade, parse_reference
from grading.verdict import Outcome
from packs.pack import Pack
from packs.read import read_pack
from packs.variation.variants import build

ROOT = Path(__file__).resolve().parents[3] / "benchmarks"


@cache
def pack(name: str) -> Pack:
    return read_pack(ROOT / name, registry)


def test_every_shipped_pack_is_right() -> None:
    for folder in sorted(ROOT.iterdir()):
        if (folder / "benchmark.toml").exists():
            assert pack(folder.name).benchmark.slug == folder.name


def test_the_demo_has_all_kinds_and_subjects() -> None:
    rows = pack("demo-arb").problems
    assert len(rows) >= 40
    assert set(Counter(row.type for row in rows)) == {"multiple_choice", "numerical", "symbolic", "proof"}
    assert {row.subject for row in rows} == {"mathematics", "physics", "law", "mcat reading", "mcat science"}
    assert sum(bool(row.images) for row in rows) == 2
    assert {row.split for row in rows} == {"dev", "test"}
    assert all(line.solution for line in pack("demo-arb").references)


def test_rubrics_sum_to_ten() -> None:
    rubrics = [line.reference["rubric"] for line in pack("demo-arb").references if line.reference["kind"] == "rubric"]
    assert len(rubrics) >= 8
    for rubric in rubrics:
        assert sum(criterion["points"] for criterion in rubric["criteria"]) == rubric["total"] == 10


def test_right_letters_are_spread() -> None:
    letters = Counter(line.gold for line in pack("demo-arb").references if line.reference["kind"] == "multiple_choice")
    assert set(letters) == set("ABCD")
    assert max(letters.values()) <= sum(letters.values()) / 2


# Each number by another way than the worked solution takes, where there is one.
NUMBERS: dict[str, Callable[[], Any]] = {
    "math-num-02": lambda: mp.diff(lambda z: mp.exp(2 * z), 1, 2) / 2,
    "math-num-03": lambda: mp.quad(lambda x: 1 / (1 + x**4), [0, 1, mp.inf]),
    "math-num-04": lambda: len(_partitions(4)) * len(_partitions(2)) * len(_partitions(1)),
    "math-num-05": lambda: sum(Fraction(1, k) for k in (1, 2, 3)),
    "math-num-07": lambda: mp.nsum(lambda n: n**2 / mp.mpf(3) ** n, [1, mp.inf]),
    "phys-num-02": lambda: mp.sqrt(4 * mp.mpf("9.81") * mp.mpf("1.2") / 3),
    "phys-num-03": lambda: 10 + 2.426 * (1 - math.cos(math.pi / 2)),
    "phys-num-04": lambda: _adiabatic_work(),
    "phys-num-05": lambda: _two_lenses(),
    "phys-num-06": lambda: (12 * 100 / 200) ** 2 / 150,
    "phys-num-07": lambda: 6.626e-34 / math.sqrt(2 * 9.109e-31 * 1.602e-19 * 150) * 1e9,
    "phys-num-08": lambda: _muon_energy(),
}


def _partitions(n: int, largest: int | None = None) -> list[tuple[int, ...]]:
    largest = n if largest is None else largest
    if n == 0:
        return [()]
    return [(k, *rest) for k in range(min(n, largest), 0, -1) for rest in _partitions(n - k, k)]


def _adiabatic_work() -> Any:
    nrt = 2 * 8.314 * 300
    return mp.quad(lambda v: nrt * 10 ** (2 / 3) / v ** (5 / 3), [10, 40])


def _two_lenses() -> float:
    first = 1 / (1 / 20 - 1 / 30)
    return 1 / (1 / (first - 40) - 1 / 30)


def _muon_energy() -> Any:
    pion, muon = 139.57, 105.66
    momentum = mp.findroot(lambda p: mp.sqrt(p**2 + muon**2) + p - pion, 30)
    return mp.sqrt(momentum**2 + muon**2) - muon


FORMULAS: dict[str, tuple[dict[str, float], Callable[..., Any]]] = {
    "math-sym-01": ({"a": 1.3}, lambda a: mp.quadosc(lambda x: mp.cos(a * x) / (1 + x**2), [0, mp.inf], omega=a)),
    "math-sym-02": ({"m": 1.7}, lambda m: mp.quad(lambda x: x**m * mp.log(x) ** 2, [0, 1])),
    "math-sym-03": ({"n": 4, "x": 2.5, "y": 0.7}, lambda n, x, y: mp.det(_matrix(int(n), x, y))),
    "math-sym-04": ({"n": 6}, lambda n: sum(k * math.comb(int(n), k) * 2**k for k in range(int(n) + 1))),
    "math-sym-05": ({"R": 3, "r": 1.2}, lambda R, r: _torus(R, r)),  # noqa: N803
    "math-sym-06": (
        {"lambda": 1.4, "t": 0.6},
        lambda **v: mp.nsum(
            lambda k: mp.exp(-1.4) * mp.mpf(1.4) ** k / mp.factorial(k) * mp.mpf(0.6) ** k, [0, mp.inf]
        ),
    ),
    "math-sym-07": (
        {"a": 0.8, "b": 1.1},
        lambda a, b: mp.quad(lambda x: mp.exp(-a * x * x) * mp.cos(b * x), [-mp.inf, 0, mp.inf]),
    ),
    "math-sym-08": ({"x": 0.9, "c": 0.4}, lambda x, c: mp.odefun(lambda s, y: 2 * s * y + 2 * s, 0, c)(x)),
    "phys-sym-05": (
        {"a": 1.9},
        lambda a: 2 / a * mp.quad(lambda x: x * x * mp.sin(mp.pi * x / a) ** 2, [0, a]),
    ),
}


def _matrix(n: int, x: float, y: float) -> Any:
    return mp.matrix([[x if i == j else y for j in range(n)] for i in range(n)])


def _torus(outer: float, inner: float) -> Any:
    return mp.re(
        mp.quad(lambda x: 2 * mp.pi * x * 2 * mp.sqrt(inner**2 - (x - outer) ** 2), [outer - inner, outer + inner])
    )


@pytest.mark.parametrize("identifier", sorted(NUMBERS))
def test_numbers_are_found_again(identifier: str) -> None:
    line = pack("demo-arb").reference_by_id[identifier]
    value = NUMBERS[identifier]()
    text = str(value) if isinstance(value, int | Fraction) else mp.nstr(mp.mpf(value), 12)
    if line.reference.get("exact") and not isinstance(value, int | Fraction):
        text = str(Fraction(float(value)).limit_denominator(100))
    verdict = grade(Answer(text=f"ANSWER: {text}"), line.reference)
    assert verdict.outcome is Outcome.CORRECT, verdict.reason


def _template_numbers() -> dict[str, Callable[[dict[str, Fraction]], Any]]:
    def determinant(c: dict[str, Fraction]) -> Any:
        return round(float(mp.det(_matrix(int(c["n"]), float(c["d"]), 1.0))))

    def surjections(c: dict[str, Fraction]) -> int:
        n = int(c["n"])
        return sum((-1) ** j * math.comb(3, j) * (3 - j) ** n for j in range(4))

    def heat(c: dict[str, Fraction]) -> Fraction:
        after = c["m"] * c["v"] / (c["m"] + c["k"])
        return c["m"] * c["v"] ** 2 / 2 - (c["m"] + c["k"]) * after**2 / 2

    return {"math-num-01": determinant, "math-num-06": surjections, "phys-num-01": heat}


@pytest.mark.parametrize("identifier", sorted(_template_numbers()))
def test_templates_give_the_right_gold_in_every_variant(identifier: str) -> None:
    line = pack("demo-arb").reference_by_id[identifier]
    problem = next(row for row in pack("demo-arb").problems if row.id == identifier)
    pattern = re.escape(problem.statement)
    names: list[str] = []
    for name in re.findall(r"\{\{(\w+)\}\}", problem.statement):
        place = re.escape("{{" + name + "}}")
        pattern = pattern.replace(place, f"(?P={name})" if name in names else f"(?P<{name}>[0-9.]+)", 1)
        names.append(name)
    made = build(problem, line, b"test").variants
    assert len(made) > 1
    for variant in made:
        found = re.fullmatch(pattern, variant.statement)
        assert found
        constants = {name: Fraction(text) for name, text in found.groupdict().items()}
        assert Fraction(str(variant.gold)) == _template_numbers()[identifier](constants)


@pytest.mark.parametrize("identifier", sorted(FORMULAS))
def test_formulas_are_found_again(identifier: str) -> None:
    line = pack("demo-arb").reference_by_id[identifier]
    point, function = FORMULAS[identifier]
    wanted = mp.mpf(function(**point))
    text = _at(str(line.reference["value"]), point)
    # The gold is evaluated by the grader itself: as a number, at the point, against the independent calculation.
    verdict = grade(
        Answer(text=f"ANSWER: {mp.nstr(wanted, 10)}"),
        parse_reference({"kind": "numeric", "value": text, "rel_tol": 1e-5}),
    )
    assert verdict.outcome is Outcome.CORRECT, f"{text}: {verdict.reason}"


def _at(formula: str, point: dict[str, float]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found[0].removeprefix("\\")
        return f"({point[name]})" if name in point else found[0]

    return re.sub(r"\\[A-Za-z]+|[A-Za-z]", value, formula)
