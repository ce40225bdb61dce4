"""Your own benchmarks: import what evaluation tools wrote, and write dated saturation cards.

in:  the files that the config section own names, in any format of saturation.board.importers
out: results/own/benchmarks/NAME/: {scores,responses}.csv, imports.json, card.{json,html,md},
     badge.svg, summary.json, every_eval_ever.jsonl; results/own/cards.{csv,html}; results/own/gate.txt
"""

OWN = config["own"]
OWN_BENCHMARKS = own_benchmarks(OWN["benchmarks"] or {})
if not IN_ANOTHER_WORKFLOW:
    # Now, since Snakemake takes a card that exists for done when its files are missing.
    for name in OWN_BENCHMARKS:
        own_files(name)
# The studies' settings that a card takes over: a change to any other reruns no card.
OWN_PLATEAU_KEYS = [
    "k",
    "alpha",
    "epsilon",
    "bin_edges",
    "saturated_from",
    "ceiling",
    "resamples",
]
OWN_KEYS = [key for key in OWN if key not in ("benchmarks", "fail_on")]
OWN_DISCRIMINABILITY_KEYS = ["bins", "min_models", "growth", "retirement"]


rule own_imports:
    input:
        files=lambda wildcards: [
            entry["path"] for entry in own_files(wildcards.benchmark)
        ],
    output:
        # update(): files that cannot be imported leave the earlier card with its data in place.
        scores=update("results/own/benchmarks/{benchmark}/scores.csv"),
        responses=update("results/own/benchmarks/{benchmark}/responses.csv"),
        record=update("results/own/benchmarks/{benchmark}/imports.json"),
    params:
        entries=lambda wildcards: own_files(wildcards.benchmark),
        declared=lambda wildcards: OWN_BENCHMARKS[wildcards.benchmark],
    script:
        "../scripts/own/imports.py"


rule own_card:
    input:
        scores="results/own/benchmarks/{benchmark}/scores.csv",
        responses="results/own/benchmarks/{benchmark}/responses.csv",
        record="results/own/benchmarks/{benchmark}/imports.json",
        html=shipped("workflow/templates/card.html.j2"),
        markdown=shipped("workflow/templates/card.md.j2"),
        badge=shipped("workflow/templates/badge.svg.j2"),
        shared=shipped("resources/forecast/shared.csv"),
        accuracy=shipped("resources/forecast/accuracy.csv"),
        lock=LOCK,
    output:
        json="results/own/benchmarks/{benchmark}/card.json",
        html=report(
            "results/own/benchmarks/{benchmark}/card.html",
            caption="../report/own/card.rst",
            category=CATEGORY["own"],
            labels={"item": "card: {benchmark}"},
        ),
        markdown="results/own/benchmarks/{benchmark}/card.md",
        badge="results/own/benchmarks/{benchmark}/badge.svg",
        summary="results/own/benchmarks/{benchmark}/summary.json",
        export="results/own/benchmarks/{benchmark}/every_eval_ever.jsonl",
    params:
        declared=lambda wildcards: OWN_BENCHMARKS[wildcards.benchmark],
        cards={key: OWN[key] for key in OWN_KEYS},
        plateau={key: config["plateau"][key] for key in OWN_PLATEAU_KEYS},
        discriminability={
            key: config["discriminability"][key] for key in OWN_DISCRIMINABILITY_KEYS
        },
        seed=config["seed"],
    script:
        "../scripts/own/card.py"


rule own_cards:
    input:
        summaries=expand(
            "results/own/benchmarks/{benchmark}/summary.json",
            benchmark=sorted(OWN_BENCHMARKS),
        ),
    output:
        csv="results/own/cards.csv",
        html=report(
            "results/own/cards.html",
            caption="../report/own/cards.rst",
            category=CATEGORY["own"],
            labels={"item": "all verdicts"},
        ),
    script:
        "../scripts/own/cards.py"


rule own_gate:
    input:
        cards="results/own/cards.csv",
    output:
        gate="results/own/gate.txt",
    params:
        fail_on=OWN["fail_on"],
    script:
        "../scripts/own/gate.py"


rule card:
    input:
        expand(
            "results/own/benchmarks/{benchmark}/card.json",
            benchmark=sorted(OWN_BENCHMARKS),
        ),
        "results/own/cards.csv",
        "results/own/gate.txt",
