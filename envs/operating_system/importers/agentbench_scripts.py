"""AgentBench's script objects: a text, `{file, language?}`, `{code, language?}` or null for the example."""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envs.operating_system.spec import Language, Script

COMPARATORS = {
    "integer-match": "integer",
    "string-match": "string",
    "containing": "containing",
    "in": "in",
    "size-match": "size",
}
_SUFFIXES: dict[str, Language] = {".sh": "bash", ".py": "python", ".c": "c", ".cpp": "c++", ".cc": "c++", "": "bash"}
_LANGUAGES: dict[str, Language] = {
    "bash": "bash",
    "python": "python",
    "c": "c",
    "c++": "c++",
    "cpp": "c++",
    "sh": "bash",
}

# Stand-ins of ours where a sample names a script that the data does not hold: same task, own text.
STOCK_LOG = r"""
names=(Alice Bob Carol David); kinds=(Buy Sell)
for i in $(seq 1 400); do
  printf '%s | %s | %s | %d | %d\n' "$(date -d "2022-01-01 +$((RANDOM % 365)) days" +%F)" "${names[RANDOM % 4]}" \
    "${kinds[RANDOM % 2]}" "$((RANDOM % 100 + 1))" "$((RANDOM % 500 + 1))"
done >> /usr/stock.log
"""
CALCULATOR = r"""cat > /usr/local/bin/calc <<'END'
#!/bin/bash
awk "BEGIN { printf \"%.10g\n\", $* }"
END
chmod 755 /usr/local/bin/calc"""
EXPRESSIONS = (("2 * (9 / 3)", "6"), ("1 + 2 * 3 - 4", "3"), ("(1.5 + 2.25) / 0.5", "7.5"), ("7 / 3", "2.3333333333"))
STAND_INS = {"init/stock-log.sh": STOCK_LOG}
CALCULATOR_CHECK = "check/0.sh"


class MissingScriptError(LookupError):
    """A sample names a script that is not in the data."""


@dataclass
class Scripts:
    """Resolves script objects against folders; `stood_in` collects the names that a stand-in replaced."""

    folders: tuple[Path, ...]
    stood_in: set[str] = field(default_factory=set)

    def resolve(self, found: Any) -> Script:
        """A script object as a script. Raises MissingScriptError, or ValueError for something else."""
        if isinstance(found, str):
            return Script(code=found)
        if not isinstance(found, dict) or not ("file" in found or "code" in found):
            raise ValueError(f"a script is a text, {{file}} or {{code}}, not {str(found)[:80]!r}")
        if "code" in found:
            return Script(code=str(found["code"]), language=_language(found, ""))
        name = str(found["file"])
        return Script(code=self._read(name), language=_language(found, Path(name).suffix))

    def _read(self, name: str) -> str:
        for folder in self.folders:
            path = (folder / name).resolve()
            if path.is_relative_to(folder.resolve()) and path.is_file():
                return path.read_text(encoding="utf-8")
        if name in STAND_INS:
            self.stood_in.add(name)
            return STAND_INS[name]
        raise MissingScriptError(f"the script '{name}' is not in the data")


def _language(found: dict[str, Any], suffix: str) -> Language:
    stated = str(found.get("language") or "").lower()
    if stated and stated not in _LANGUAGES:
        raise ValueError(f"unknown language '{stated}'; known: {', '.join(sorted(_LANGUAGES))}")
    return _LANGUAGES[stated] if stated else _SUFFIXES.get(suffix, "bash")


def comparator(found: Any) -> str | None:
    """The comparison that a script object stands for, if it is one of the five published comparators."""
    return COMPARATORS.get(Path(str(found["file"])).stem) if isinstance(found, dict) and "file" in found else None


def typed(script: Script) -> str:
    """A script as a participant would type it, without its complaints."""
    if script.language == "python":
        return f"python3 -c {shlex.quote(script.code)} 2>/dev/null"
    return f"{{\n{script.code}\n}} 2>/dev/null"


_QUOTED = re.compile(r"'[^']*'")
_FUNCTION = re.compile(r"^\s*(?:function\s+)?\w+\s*\(\)\s*\{.*?^\s*\}", re.MULTILINE | re.DOTALL)
_PARAMETER = re.compile(r"\$\{?[1-9]")
_VOLATILE = re.compile(r"\bfree\b|/proc/meminfo|\bdf\b|\buptime\b|/proc/loadavg|\bvmstat\b")
_OWN = re.compile(r"\bps\s[^\n|]*\|")
_SUDO = re.compile(r"(?:^|[;&|(`\s])sudo\s", re.MULTILINE)
_NETWORK = re.compile(r"\b(?:apt|apt-get|pip3?|npm)\s+(?:-\S+\s+)*(?:install|update)\b|\b(?:curl|wget)\s+\S*https?:")


def suspicion(init: tuple[Script, ...], example: Script | None) -> tuple[str, str] | None:
    """Why a sample's gold cannot be sound, seen from its text alone: (one word, the cause)."""
    gold = example.code if example and example.language == "bash" else ""
    made = "\n".join(script.code for script in init if script.language == "bash")
    bare = re.sub(r"#[^\n]*", "", made + "\n" + gold)
    if _SUDO.search(bare):
        return "sudo", "it runs sudo, which the image lacks"
    if _NETWORK.search(_QUOTED.sub("", bare)):
        return "network", "it needs the network, which a sandbox has not"
    if _VOLATILE.search(re.sub(r"#[^\n]*", "", gold)):
        return "volatile", "the gold is the machine's load or free memory at one moment"
    if _OWN.search(re.sub(r"#[^\n]*", "", gold)):
        return "volatile", "the gold counts the processes of its own pipeline, which begin and end while it counts"
    if _PARAMETER.search(_FUNCTION.sub("", _QUOTED.sub("", gold))):
        return "parameter", "the gold command reads a parameter that nobody gives"
    return None
