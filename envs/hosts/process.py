"""A host process under a Ray actor: it lives as long as the actor does, and the actor no longer than it."""

import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence

STOP_SECONDS = 60.0


class HostProcess:
    """Runs a command until `stop`. Its standard input is the lifeline: at its end it must give its sessions up.

    `ended` is called with the status, from a thread, when the command ends and was not asked to.
    """

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], ended: Callable[[int], None]) -> None:
        environment = os.environ | dict(variables)
        self._process = subprocess.Popen(list(command), env=environment, stdin=subprocess.PIPE, start_new_session=True)
        self._stopping = threading.Event()
        threading.Thread(target=self._watch, args=(ended,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The command's process."""
        return self._process.pid

    def stop(self) -> int:
        """Let it give its sessions to others and end; its status. One that does not end is killed."""
        self._stopping.set()
        self._process.terminate()
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _watch(self, ended: Callable[[int], None]) -> None:
        status = self._process.wait()
        if not self._stopping.is_set():
            ended(status)
