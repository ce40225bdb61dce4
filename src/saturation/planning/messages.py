"""What Snakemake says of this workflow, in words that help: a mistyped target, a failed job.

What its own code adds to an error of ours (in which file it was raised, which command failed) is
left out: the sentence says what to do.
"""

import difflib
import logging
import re
from collections.abc import Collection, Mapping

# Snakemake says so of every output that a failed job would have replaced and that was not there.
_NOTHING_TO_RESTORE = "no backup found"
# A script's failed command; the sentences of its log follow.
_FAILED_SCRIPT = re.compile(
    r"RuleException:\nCalledProcessError in file [^\n]+, line \d+:\nCommand "
)
_OUR_FILE = r'"[^"]*/workflow/(?:rules/[^"]*|Snakefile)", line \d+'
_RAISED_BY_US = re.compile(rf"^WorkflowError in file {_OUR_FILE}:\n")
_TRACED = re.compile(rf"\n  File {_OUR_FILE}, in .*")
# Files of a job that are all listed when it starts, and how many of more: hundreds fill the screen.
_MOST_FILES, _FIRST_FILES, _LONGEST_REASON = 100, 8, 1000
_NO_RULE = re.compile(r"No rule to produce (\S+) \(if you use input functions .*?\)\.")


class Plain(logging.Filter):
    """Makes Snakemake's messages plainer: what a failed job is for, which target may be meant."""

    def __init__(self) -> None:
        super().__init__()
        self._purposes: Mapping[str, str | None] = {}
        self._targets: list[str] = []

    def learn(self, purposes: Mapping[str, str | None], files: Collection[str]) -> None:
        """Take up the rules, once they are all known."""
        self._purposes = purposes
        self._targets = [*purposes, *files]

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is said; that nothing was there to restore, or a command, is not."""
        # Of a job that starts, Snakemake says more without a message of its rule.
        if record.levelno >= logging.ERROR and getattr(record, "rule_msg", "") is None:
            record.rule_msg = self._purposes.get(getattr(record, "rule_name", "")) or ""
        _shorten(record)
        if isinstance(record.msg, str):
            record.msg = _NO_RULE.sub(lambda found: self._unknown(found[1]), record.msg)
            if _RAISED_BY_US.match(record.msg):
                record.msg = _TRACED.sub("", _RAISED_BY_US.sub("", record.msg))
        said = str(record.msg)
        return _NOTHING_TO_RESTORE not in said and not _FAILED_SCRIPT.match(said)

    def _unknown(self, target: str) -> str:
        near = difflib.get_close_matches(target, self._targets, n=1)
        guess = f"did you mean '{near[0]}'? " if near else ""
        return f"there is no target '{target}'; {guess}`snakemake --list` says what there is"


def _shorten(record: logging.LogRecord) -> None:
    """List the first files of a job that has hundreds, and of a long reason what comes first."""
    for name in ("input", "output"):
        files = getattr(record, name, None)
        if isinstance(files, list) and len(files) > _MOST_FILES:
            more = f"and {len(files) - _FIRST_FILES} more"
            setattr(record, name, [*files[:_FIRST_FILES], more])
    reason = getattr(record, "reason", None)
    if isinstance(reason, str) and len(reason) > _LONGEST_REASON:
        start = reason[:_LONGEST_REASON]
        record.reason = f"{start.rpartition(', ')[0] or start}, ..."


def purpose(script: str) -> str:
    """What a script is for: the first paragraph of its docstring."""
    return " ".join(script.split('"""')[1].split("\n\n")[0].split())
