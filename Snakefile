"""Benchmark saturation: four studies and a ledger of what their papers claim."""

from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/sources.smk"
include: "workflow/rules/plateau.smk"
include: "workflow/rules/regression.smk"
include: "workflow/rules/verify.smk"


rule all:
    default_target: True
    input:
        [],
