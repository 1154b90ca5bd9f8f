"""Published problem sets, their gold answers given back through the service: `make check-real-input`.

Prints for each source how many golds were graded correct, how many golds of other problems were accepted, whether the
admission check lets it in and in how many seconds; then every gold that was not graded correct, with the reason.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from api.admission import soundness
from api.admission.check import check_pack_questions
from api.admission.report import refusals
from api.cli.baseline import play
from api.cli.baselines.throwaway import unlimited
from envs import registry
from packs.read import read_pack

SOURCES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("scibench", "scibench.jsonl", {}),
    ("mmlu", "mmlu_law_med_stem.jsonl", {}),
    ("math", "math500.jsonl", {}),
    ("olympiadbench", "olympiadbench_oe_to_maths_en.jsonl", {}),
)


def check(importer: str, source: Path, options: dict[str, Any], out: Path) -> dict[str, Any]:
    """Convert, publish, answer with the golds and with other problems' golds."""
    soundness.convert(importer, source, out, options)
    read = read_pack(out, registry, grade_gold=False)
    start = time.perf_counter()
    refused = refusals(check_pack_questions(read))
    gate = {"gate": "refused" if refused else "passed", "refused": refused, "seconds": time.perf_counter() - start}
    pack = unlimited(read)
    problems = list(pack.problems)
    return gate | {policy: asyncio.run(play(pack, policy, problems)) for policy in ("gold", "shuffled-gold")}


def main() -> None:
    """Run every source below `--data`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int)
    chosen = parser.parse_args()
    details = []
    print(f"{'source':24}{'golds':>8}{'correct':>9}{'foreign':>9}{'accepted':>10}{'rate':>9}{'gate':>9}{'s':>7}")
    for importer, name, options in SOURCES:
        source = chosen.data / "math" / "problems" / name
        with tempfile.TemporaryDirectory() as folder:
            limited = options | ({"limit": chosen.limit} if chosen.limit else {})
            told = check(importer, source, limited, Path(folder) / "pack")
        gold, foreign = told["gold"], told["shuffled-gold"]
        correct = gold["outcomes"].get("correct", 0)
        accepted = foreign["outcomes"].get("correct", 0)
        rate = accepted / foreign["n"] if foreign["n"] else 0.0
        print(
            f"{source.stem:24}{gold['n']:8}{correct:9}{foreign['n']:9}{accepted:10}{rate:9.4f}"
            f"{told['gate']:>9}{told['seconds']:7.1f}",
            flush=True,
        )
        details += [f"  {source.stem}, gate: {line}" for line in told["refused"]]
        details += [f"  {source.stem} {item['id']}: {item['outcome']}, {item['reason']}" for item in gold["not_full"]]
    print("golds that were not graded correct:", *(details or ["  none"]), sep="\n")


if __name__ == "__main__":
    main()
