"""A line a finished job, and whatever went wrong: what `make results` writes into a pipe."""

import sys
from logging import WARNING, LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

FAILED = (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR)


class LogHandler(LogHandlerBase):
    """Snakemake's interface of a logger; its own formatter words what went wrong."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """No job has a name yet."""
        self.names: dict[int, str] = {}
        self.finished = ""

    def emit(self, record: LogRecord) -> None:
        """Write what a reader of the log wants to know."""
        said = vars(record)
        match said.get("event"):
            case LogEvent.JOB_INFO:
                self.names[said["jobid"]] = said["rule_name"]
            case LogEvent.JOB_FINISHED:
                self.finished = self.names.get(said["job_id"], "")
            case LogEvent.PROGRESS:
                line = f"{said['done']} of {said['total']} stages: {self.finished}"
                sys.stderr.write(f"{line}\n")
            case event if event in FAILED or record.levelno >= WARNING:
                sys.stderr.write(f"{self.format(record)}\n")
