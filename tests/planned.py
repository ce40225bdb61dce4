"""Print, as JSON, every rule as Snakemake knows it once the workflow is read.

Usage: python tests/planned.py SNAKEFILE. A process of its own, because reading the workflow changes
the environment of the process that does it.
"""

import json
import sys
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, ResourceSettings

# Of what a rule says for the report.
ASKED = ("category", "subcategory", "labels", "caption")


def main(snakefile: Path, *configfiles: str) -> None:
    with SnakemakeApi() as api:
        plan = api.workflow(
            resource_settings=ResourceSettings(),
            config_settings=ConfigSettings(configfiles=[Path(name) for name in configfiles]),
            snakefile=snakefile,
            workdir=snakefile.parent,
        )
        # What `snakemake --lint` does before it looks at the rules.
        workflow = plan._get_workflow(check_envvars=False)
        workflow.include(snakefile, overwrite_default_target=True, print_compilation=False)
        described = [description(rule) for rule in workflow.rules]
    print(json.dumps(described))


def description(rule) -> dict[str, object]:
    """What tests ask about a rule."""
    return {
        "name": rule.name,
        "file": Path(str(rule.snakefile)).name,
        "script": None if rule.script is None else str(rule.script),
        "inputs": {name: shown(files) for name, files in rule.input.items()},
        "params": {name: shown(param) for name, param in rule.params.items()}
        # Taken when a job asks for it, and the same for all jobs of a rule.
        | ({"code": rule.params["code"](None)} if rule.script else {}),
        "output": [str(file) for file in rule.output],
        "log": [str(file) for file in rule.log],
        "benchmark": str(rule.benchmark) if rule.benchmark else None,
        "conda": str(rule.conda_env) if rule.conda_env else None,
        "constant_resources": [
            name
            for name, resource in rule.resources.items()
            if name in ("mem_mb", "runtime") and not resource.is_evaluable()
        ],
        "report": [
            {key: shown(getattr(report, key)) for key in ASKED}
            for file in rule.output
            if (report := getattr(file, "flags", {}).get("report")) is not None
        ],
    }


def shown(value):
    """A value as JSON can hold it; what is computed for each job is named, by its words if any."""
    if value is None or isinstance(value, str):
        return str(value) if value is not None else None
    if isinstance(value, dict):
        return {key: shown(below) for key, below in value.items()}
    if callable(value):
        return getattr(value, "words", "(computed)")
    try:
        return [shown(below) for below in value]
    except TypeError:
        return str(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
