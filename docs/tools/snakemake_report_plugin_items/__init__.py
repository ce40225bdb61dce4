"""A reporter for ``snakemake --reporter items``: one line of JSON for each item of the report."""

import json
import sys

from snakemake_interface_report_plugins.reporter import ReporterBase


class Reporter(ReporterBase):  # type: ignore[misc]  # it has no types
    """In place of the page that Snakemake writes: prints what the site needs of it."""

    def render(self) -> None:
        """Category after category, as the report orders them."""
        for category in sorted(self.results):
            for records in self.results[category].values():
                for record in records:
                    item = {
                        "path": str(record.path),
                        "title": ", ".join(dict.fromkeys(record.labels.values())),
                        "caption": record.caption,  # HTML
                        "script": record.job.rule.script,
                    }
                    sys.stdout.write(json.dumps(item) + "\n")
