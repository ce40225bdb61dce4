"""What the default run was made from and what it made.

in:  every target of the default run, every file that is read and that no rule makes, the config
out: results/manifest.json, the same for the same inputs; results/origin.json, of this machine
"""

from saturation.files import manifest as saturation_manifest

# What the rules name, and the user's own files.
READ = {
    str(file)
    for stage in workflow.rules
    for file in stage.input
    if isinstance(file, str) and not str(file).startswith("results/")
}
if not IN_ANOTHER_WORKFLOW:
    READ |= {path for _, path in saturation_config.files(config) if path}
    READ |= {entry["path"] for name in OWN_BENCHMARKS for entry in own_files(name)}


rule manifest:
    input:
        made=DEFAULT_TARGETS,
        read=sorted(path for path in map(str, READ) if Path(path).exists()),
        versions=LOCK,
    output:
        manifest="results/manifest.json",
        origin="results/origin.json",
    params:
        settings=config,
        commit=saturation_manifest.commit(ROOT),
    script:
        "../scripts/manifest/manifest.py"
