"""The entry; the workflow stands where the Snakemake workflow catalogue and snakedeploy look."""


include: "workflow/Snakefile"
