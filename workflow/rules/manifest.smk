"""What the default run was made from and what it made.

in:  every target of the default run, every file that is read and that no rule makes, the config
out: results/manifest.json, the same for the same inputs; results/origin.json, of this machine
"""

# What rules and the user name.
READ = set(SHIPPED.values())
if not IN_ANOTHER_WORKFLOW:
    READ |= {path for _, path in planned.files(config) if path}
    READ |= {entry["path"] for entries in OWN_FILES.values() for entry in entries}
    READ |= set(files_beside(READ))

# What changes with the content of the files of a job that has run.
TOKENS = run.tokens(READ if IN_A_STORE else (), alone=not IN_ANOTHER_WORKFLOW)


rule manifest:
    """Write down what the run was made from and what it made, each file with its hash."""
    input:
        made=DEFAULT_TARGETS,
        read=sorted(path for path in READ if Path(path).exists()),
        versions=shipped("envs/requirements.txt"),
    output:
        manifest="results/manifest.json",
        origin="results/origin.json",
    log:
        "results/logs/manifest/manifest.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("manifest/manifest.py"),
        settings=config,
        commit=run.commit(ROOT),
    script:
        "../scripts/manifest/manifest.py"
