"""Errors of the catalogue."""

from api.core.errors import NotFoundError, ServiceError


class NoBenchmarkError(NotFoundError):
    code = "no_such_benchmark"


class BenchmarkDeletedError(ServiceError):
    status = 410
    code = "benchmark_deleted"
    title = "The benchmark was deleted by its owner"


class NoSplitError(NotFoundError):
    code = "no_such_split"


class NoReleaseError(NotFoundError):
    code = "no_such_release"


class NotYourBenchmarkError(NotFoundError):
    """An owner's page of a benchmark that is not theirs: the same answer as for one that does not exist."""

    code = "no_such_benchmark"
