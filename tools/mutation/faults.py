"""Faults of functions: made by mutmut's operators, put into the running functions by exchanging their code."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import CodeType, FunctionType

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


@dataclass(frozen=True)
class Fault:
    """One changed place: `lines` are those of the statement it is in, first and last; `source` the module with it."""

    file: Path
    function: str
    lines: tuple[int, int]
    was: str
    became: str
    source: Callable[[], str]

    def __str__(self) -> str:
        return f"{self.file}:{self.lines[0]} {self.function}: {self.was} -> {self.became}"


def faults_of(file: Path) -> Iterator[Fault]:
    """Every fault of a module's functions. Decorated functions and annotations have none."""
    wrapper = MetadataWrapper(cst.parse_module(file.read_text(encoding="utf-8")))
    places = wrapper.resolve(PositionProvider)
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    statements = {id(part): holder for holder in _statements(module) for part in _parts(holder)}
    owners = {id(function): name for name, function in _functions(module.body, "")}
    for change in visitor.mutations:
        function = owners.get(id(change.contained_by_top_level_function))
        if function is None:
            continue
        place = places[statements.get(id(change.original_node), change.original_node)]
        was, became = (_short(module, node) for node in (change.original_node, change.mutated_node))

        def source(old: cst.CSTNode = change.original_node, new: cst.CSTNode = change.mutated_node) -> str:
            return str(module.code_for_node(module.deep_replace(old, new)))

        yield Fault(file, function, (place.start.line, place.end.line), was, became, source)


def _statements(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Lines of code, outermost first; of a compound statement its head is the whole of it."""
    for child in node.children:
        if isinstance(child, cst.SimpleStatementLine):
            yield child
        yield from _statements(child)


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _parts(child)


def _functions(body: object, prefix: str) -> Iterator[tuple[str, cst.CSTNode]]:
    for statement in body if isinstance(body, list | tuple) else ():
        if isinstance(statement, cst.FunctionDef):
            yield prefix + statement.name.value, statement
        elif isinstance(statement, cst.ClassDef):
            yield from _functions(statement.body.body, f"{prefix}{statement.name.value}.")


def _short(module: cst.Module, node: cst.CSTNode) -> str:
    return " ".join(module.code_for_node(node).split())[:70]


def put_in(fault: Fault) -> bool:
    """Exchange the code of the function in this process. False where it cannot be: no such function is alive."""
    made = compile(fault.source(), str(fault.file.resolve()), "exec", dont_inherit=True)
    code = next((each for each in _codes(made) if each.co_qualname == fault.function), None)
    if code is None:
        return False
    found = [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__code__.co_filename == str(fault.file.resolve())
        and each.__code__.co_qualname == fault.function
        and each.__code__.co_freevars == code.co_freevars
    ]
    for function in found:
        function.__code__ = code
    return bool(found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


def forget(package: str) -> None:
    """Empty all caches of functions of a package: no result of the unchanged code may stand for that of a fault."""
    for each in _caches(package):
        each.cache_clear()


@cache
def _caches(package: str) -> "list[_lru_cache_wrapper[object]]":
    found = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    return [each for each in found if str(getattr(each, "__module__", "")).startswith(package)]
