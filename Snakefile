"""The entry; the workflow stands where the Snakemake workflow catalogue and snakedeploy look."""


include: "workflow/Snakefile"


# What is included has no say in what is made when nothing is asked for.
workflow.default_target = "all"
