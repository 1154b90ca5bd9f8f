"""What differs while faults are seeded into the graders (`make mutation`)."""

import functools
import gc
import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The approved lines first: they are quick and notice most."""
    if "MUTANT_UNDER_TEST" in os.environ:
        items.sort(key=lambda item: "test_approved" not in item.nodeid)


def pytest_runtest_setup() -> None:
    """No result of an unchanged grader may stand in for that of a faulty one."""
    if "MUTANT_UNDER_TEST" in os.environ:
        for kept in _caches():
            kept.cache_clear()


@functools.cache
def _caches() -> "list[functools._lru_cache_wrapper[object]]":
    found = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    return [each for each in found if str(getattr(each, "__module__", "")).startswith("grading")]
