"""Your own benchmarks: import what evaluation tools wrote, and write dated saturation cards.

in:  the files that the config section own names, in any format of saturation.leaderboard.read
out: results/own/benchmarks/NAME/: scores.csv, responses.parquet, imports.json, card.{json,html,md},
     badge.svg, summary.json, every_eval_ever.jsonl; results/own/cards.csv; results/own/gate.txt
"""

from studies.planning.jobs import batches, heaviest

OWN = config["own"]
OWN_BENCHMARKS = OWN["benchmarks"] or {}
if any(entry.get("each_task") for entry in OWN_BENCHMARKS.values()):
    # Only here, since it reads the files with pandas.
    from saturation.own.imports import split

    OWN_BENCHMARKS = plainly(
        split, OWN_BENCHMARKS, ROOT, made_later=IN_ANOTHER_WORKFLOW
    )
# Now, since Snakemake takes a card that exists for done when its files are missing.
OWN_FILES = {
    name: (
        []
        if FAR_AWAY
        else plainly(
            benchmarks.expand, entry["files"], ROOT, made_later=IN_ANOTHER_WORKFLOW
        )
    )
    for name, entry in OWN_BENCHMARKS.items()
}
OWN_NAMES = sorted(OWN_BENCHMARKS)
OWN_RESULTS = [
    "scores.csv",
    "responses.parquet",
    "imports.json",
    "card.json",
    "card.md",
    "badge.svg",
    "summary.json",
    "every_eval_ever.jsonl",
]
# The studies' settings that a card takes over: a change to any other reruns no card.
OWN_PLATEAU_KEYS = [
    "k",
    "alpha",
    "bin_edges",
    "saturated_from",
    "ceiling",
    "resamples",
]
OWN_KEYS = [key for key in OWN if key not in ("benchmarks", "fail_on")]
OWN_DISCRIMINABILITY_KEYS = ["bins", "min_models", "growth", "retirement"]


# Measured by speed/own.py --weights: at most 1.5 GB for a small file (3,000 models, all pairs of them), 58 MB a
# megabyte of a wide matrix, and 36 s a megabyte where many models answered few items.
OWN_MEMORY = {"amount": 1600, "per_mb": 80}
OWN_RUNTIME = {"amount": 15, "per_mb": 1}


for OWN_BATCH, OWN_BATCHED in batches(OWN_BENCHMARKS).items():

    OWN_PATHS = [[file["path"] for file in OWN_FILES[name]] for name in OWN_BATCHED]

    # A job for some benchmarks: a start costs more than most cards, and what Snakemake notes of a
    # job, each input's checksum for each output, would grow with their square in one job of all.
    rule:
        """The cards of some of the user's benchmarks, with their pages."""
        name:
            f"own_card_{OWN_BATCH}"
        input:
            # No prefix of another workflow is theirs.
            files=[local(path) for paths in OWN_PATHS for path in paths],
            beside=[local(path) for path in files_beside(sum(OWN_PATHS, []))],
            html=shipped("workflow/templates/card.html.j2"),
            markdown=shipped("workflow/templates/card.md.j2"),
            badge=shipped("workflow/templates/badge.svg.j2"),
            rises=shipped("resources/forecast/rises.csv"),
            record=shipped("resources/forecast/record.csv"),
            annotation=shipped("resources/plateau/benchmarks.csv"),
        output:
            # update(): files that cannot be read leave the earlier card with its data in place.
            data=update(
                expand(
                    "results/own/benchmarks/{benchmark}/{file}",
                    benchmark=OWN_BATCHED,
                    file=OWN_RESULTS,
                )
            ),
            pages=[
                reported(
                    update(f"results/own/benchmarks/{benchmark}/card.html"),
                    "own",
                    f"Card: {benchmark}",
                )
                for benchmark in OWN_BATCHED
            ],
        log:
            f"results/logs/own/card_{OWN_BATCH}.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=growing(**OWN_MEMORY, files=heaviest(OWN_PATHS)),
            runtime=growing(**OWN_RUNTIME, files=sum(OWN_PATHS, [])),
        params:
            code=code("own/card.py", OWN_BATCH),
            benchmarks={name: OWN_BENCHMARKS[name] for name in OWN_BATCHED},
            entries={name: OWN_FILES[name] for name in OWN_BATCHED},
            cards={key: OWN[key] for key in OWN_KEYS},
            plateau={key: config["plateau"][key] for key in OWN_PLATEAU_KEYS},
            discriminability={
                key: config["discriminability"][key]
                for key in OWN_DISCRIMINABILITY_KEYS
            },
        script:
            "../scripts/own/card.py"


rule own_cards:
    """All cards in one table, one row a benchmark."""
    input:
        summaries=expand(
            "results/own/benchmarks/{benchmark}/summary.json", benchmark=OWN_NAMES
        ),
    output:
        csv=reported("results/own/cards.csv", "own", "All verdicts"),
    log:
        "results/logs/own/cards.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("own/cards.py"),
    script:
        "../scripts/own/cards.py"


rule own_gate:
    """End with an error if a card has a verdict that the config names: for continuous integration."""
    input:
        cards="results/own/cards.csv",
    output:
        gate="results/own/gate.txt",
    log:
        "results/logs/own/gate.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("own/gate.py"),
        fail_on=OWN["fail_on"],
    script:
        "../scripts/own/gate.py"


rule card:
    """A card for each of your own benchmarks, and the gate on their verdicts."""
    input:
        expand(
            "results/own/benchmarks/{benchmark}/{file}",
            benchmark=OWN_NAMES,
            file=[*OWN_RESULTS, "card.html"],
        ),
        "results/own/cards.csv",
        "results/own/gate.txt",
