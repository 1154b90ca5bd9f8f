"""Errors of owners' jobs."""

from api.core.errors import ConflictError, NotFoundError


class NoOwnerJobError(NotFoundError):
    code = "no_such_job"


class NoJobFileError(NotFoundError):
    code = "no_file"
    title = "The job has no file"


class NotMeasuredError(NotFoundError):
    code = "not_measured"
    title = "The items of this split have not been measured yet"


class NotConfirmedError(ConflictError):
    code = "not_confirmed"
    title = "The name of the benchmark that is to be deleted is not confirmed"


class TooManyJobsError(ConflictError):
    code = "too_many_jobs"
    title = "Too many jobs of this benchmark wait"
