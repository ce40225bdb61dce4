"""Benchmark saturation: studies of it, and a ledger of what their papers claim.

config/config.yaml is read in workflow/rules/common.smk, so that a config given with --configfile or
by another workflow only needs the keys that it changes, in whatever directory this runs.
"""

from snakemake.utils import min_version

min_version("9.0")


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/sources.smk"
include: "workflow/rules/plateau.smk"
include: "workflow/rules/discriminability.smk"
include: "workflow/rules/robustness.smk"
include: "workflow/rules/adaptive.smk"
include: "workflow/rules/regression.smk"
include: "workflow/rules/multiverse.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/own.smk"
include: "workflow/rules/dashboard.smk"


rule all:
    default_target: True
    input:
        rules.plateau.input,
        rules.discriminability.input,
        rules.robustness.input,
        rules.adaptive.input,
        # Its formulas are written for the paper's benchmarks; on others ask for it by name.
        rules.regression.input if PLATEAU_ON_PAPER_DATA else [],
        rules.multiverse_reduced.input,
        rules.ledger.output if LEDGER_QUANTITIES else [],
        rules.dashboard.output,


rule full:
    input:
        rules.all.input,
        rules.regression_full.input,
