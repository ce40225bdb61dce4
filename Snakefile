"""The entry; the workflow stands where the Snakemake workflow catalogue and snakedeploy look."""


include: "workflow/Snakefile"


rule default:
    """What `all` makes; an included file has no say in what is made when nothing is asked for."""
    default_target: True
    input:
        rules.all.input,
