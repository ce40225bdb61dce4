"""Benchmark saturation: studies of it, and a ledger of what their papers claim.

config/config.yaml is read in workflow/rules/common.smk, so that a config given with --configfile or
by another workflow only needs the keys that it changes, in whatever directory this runs.
"""

from snakemake.utils import min_version

min_version("9.0")


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/functions.smk"
include: "workflow/rules/sources.smk"


for study in STUDIES:

    include: f"workflow/rules/{study}.smk"


include: "workflow/rules/ledger.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/own.smk"
include: "workflow/rules/dashboard.smk"
include: "workflow/rules/simulation.smk"


rule all:
    default_target: True
    input:
        [offered["targets"] for offered in OFFERS.values()],
        rules.ledger.output if JUDGED else [],
        rules.dashboard.output,
        rules.simulation_figures.output,


rule full:
    input:
        rules.all.input,
        rules.regression_full.input,


finish()
