"""The adaptive study: which items still measure, and how few suffice?

in:  response matrices (embedded boards or the user's), config section adaptive
out: results/adaptive/banks/BANK/{responses,respondents,item_parameters,items,abilities,
     administrations,models,quality,stopping,sizes,misfit,floors}.csv,
     fit.json, frontier.json;
     results/adaptive/collections/COLLECTION/{partners,table1,table2,table3,summary,contrasts,
     quantities}.csv, and breakdown.csv of published banks;
     when asked for, results/adaptive/subset_errors.csv;
     results/adaptive/quantities.csv, results/figures/adaptive/;
     the published data set read in results/adaptive/published/
"""

from studies.adaptive import names as adaptive_names

ADAPTIVE = config["adaptive"]
ADAPTIVE_BANKS = adaptive_names.plan(ADAPTIVE, shipped, local)
ADAPTIVE_EMBEDDED = adaptive_names.embedded(ADAPTIVE_BANKS)
ADAPTIVE_PUBLISHED = adaptive_names.published(ADAPTIVE_BANKS)
ADAPTIVE_BANKS_OF = {
    name: list(collection["banks"])
    for name, collection in ADAPTIVE["collections"].items()
}
# Of the embedded boards only these are drawn and have a check of fit.
ADAPTIVE_SHOWN = [
    bank
    for bank in ADAPTIVE_BANKS
    if ADAPTIVE["shown"] is None
    or bank in ADAPTIVE["shown"]
    or bank not in ADAPTIVE_EMBEDDED
]
# One job studies all collections of the run, a job of its own any other collection: by what is
# added to the rules' names, and to those of their logs.
ADAPTIVE_JOBS = {"": ADAPTIVE["run"]} | {
    f"_{name}": [name] for name in ADAPTIVE_BANKS_OF if name not in ADAPTIVE["run"]
}
ADAPTIVE_BANK_TABLES = [
    *("item_parameters", "items", "abilities", "administrations", "models", "quality"),
    *("stopping", "sizes"),
]
ADAPTIVE_MISFIT = ["misfit", "floors"]
ADAPTIVE_COLLECTION_TABLES = [
    *("partners", "table1", "table2", "table3", "summary", "contrasts", "quantities"),
]
# Measured of 600 respondents and 4,000 items, 4.8 MB: at most 0.4 GB; the check of fit takes two
# minutes, the evaluation, which fits the items again without each family, more than twelve.
ADAPTIVE_RESOURCES = {
    "mem_mb": growing(1000, 100, attribute_of(ADAPTIVE_BANKS, "bank", "tables")),
    "runtime": growing(5, 15, attribute_of(ADAPTIVE_BANKS, "bank", "tables")),
}

# A table, an item of the report if it is one of the paper's.
adaptive_table = lambda path: (
    reported(path, "adaptive", *said)
    if (said := adaptive_names.page(path, TITLES))
    else path
)


wildcard_constraints:
    bank=adaptive_names.pattern(ADAPTIVE_BANKS),
    own_bank=adaptive_names.pattern(
        [bank for bank in ADAPTIVE_BANKS if bank not in ADAPTIVE_EMBEDDED]
    ),
    published_bank=adaptive_names.pattern(ADAPTIVE_PUBLISHED),


# The paper's own data set is fetched by this run only where its config asks for it.
rule adaptive_fluid:
    """Fetch the data set of the fluid benchmarking paper."""
    output:
        expand(
            "{folder}/{path}",
            folder=adaptive_names.FLUID_FOLDER,
            path=adaptive_names.FLUID_FILES,
        ),
    log:
        "results/logs/adaptive/fluid.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/fluid.py"),
        paths=[f"data/{path}" for path in adaptive_names.FLUID_FILES],
        url=adaptive_names.FLUID_URL,
        lock_file=adaptive_names.FLUID_LOCK,
    script:
        "../scripts/adaptive/fluid.py"


rule adaptive_published:
    """Read a bank of the fluid benchmarking data set in its published layout."""
    input:
        parameters=attribute_of(
            ADAPTIVE_BANKS, "published_bank", "published_parameters"
        ),
        results=attribute_of(ADAPTIVE_BANKS, "published_bank", "published_results"),
        leaderboard=attribute_of(
            ADAPTIVE_BANKS, "published_bank", "published_leaderboard"
        ),
    output:
        responses="results/adaptive/published/{published_bank}/responses.csv",
        respondents="results/adaptive/published/{published_bank}/respondents.csv",
        known="results/adaptive/published/{published_bank}/item_parameters.csv",
        abilities="results/adaptive/published/{published_bank}/abilities.csv",
    log:
        "results/logs/adaptive/published/{published_bank}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=growing(
            1500,
            20,
            attribute_of(ADAPTIVE_BANKS, "published_bank", "published_results"),
        ),
        runtime=growing(
            10, 1, attribute_of(ADAPTIVE_BANKS, "published_bank", "published_results")
        ),
    params:
        code=code("adaptive/published.py"),
        benchmark=attribute_of(ADAPTIVE_BANKS, "published_bank", "benchmark"),
    script:
        "../scripts/adaptive/published.py"


rule adaptive_responses:
    """Check a bank's responses and respondents."""
    input:
        table=attribute_of(ADAPTIVE_BANKS, "own_bank", "responses"),
        respondents=lambda wildcards: ADAPTIVE_BANKS[wildcards.own_bank].respondents
        or [],
    output:
        # update(): a table that fails its checks leaves the earlier, valid one in place.
        responses=update("results/adaptive/banks/{own_bank}/responses.csv"),
        respondents=update("results/adaptive/banks/{own_bank}/respondents.csv"),
    log:
        "results/logs/adaptive/responses/{own_bank}.log",
    priority: CHECKS_TABLES
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=growing(1000, 100, attribute_of(ADAPTIVE_BANKS, "own_bank", "tables")),
        runtime=growing(5, 15, attribute_of(ADAPTIVE_BANKS, "own_bank", "tables")),
    params:
        code=code("adaptive/responses.py"),
        layout=attribute_of(ADAPTIVE_BANKS, "own_bank", "layout"),
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/responses.py"


for ADAPTIVE_SUFFIX, ADAPTIVE_STUDIED in ADAPTIVE_JOBS.items():
    ADAPTIVE_STUDIED_BANKS = [
        ADAPTIVE_BANKS[bank]
        for name in ADAPTIVE_STUDIED
        for bank in ADAPTIVE_BANKS_OF[name]
    ]
    ADAPTIVE_OWN_TABLES = [
        path for bank in ADAPTIVE_STUDIED_BANKS for path in bank.tables
    ]
    # One embedded board has no partner, hence no measure of quality to draw.
    ADAPTIVE_DRAWN_COLLECTIONS = [
        name
        for name in ADAPTIVE_STUDIED
        if ADAPTIVE_BANKS_OF[name] != [name] or name not in ADAPTIVE_EMBEDDED
    ]

    rule:
        """Items, abilities, adaptive tests and tables of a collection's banks."""
        name:
            f"adaptive_study{ADAPTIVE_SUFFIX}"
        input:
            responses=[bank.checked_responses for bank in ADAPTIVE_STUDIED_BANKS],
            respondents=[bank.checked_respondents for bank in ADAPTIVE_STUDIED_BANKS],
            # Item parameters from elsewhere, and the abilities of the models that they rest on.
            known=[
                path
                for bank in ADAPTIVE_STUDIED_BANKS
                for path in bank.known("item_parameters")
            ],
            known_abilities=[
                path
                for bank in ADAPTIVE_STUDIED_BANKS
                for path in bank.known("abilities")
            ],
        output:
            banks=[
                adaptive_table(f"results/adaptive/banks/{bank.name}/{table}.csv")
                for bank in ADAPTIVE_STUDIED_BANKS
                for table in (
                    *ADAPTIVE_BANK_TABLES,
                    *["responses", "respondents"] * (bank.name in ADAPTIVE_EMBEDDED),
                )
            ],
            facts=[
                f"results/adaptive/banks/{bank.name}/{facts}.json"
                for bank in ADAPTIVE_STUDIED_BANKS
                for facts in ("fit", "frontier")
            ],
            collections=[
                adaptive_table(f"results/adaptive/collections/{name}/{table}.csv")
                for name in ADAPTIVE_STUDIED
                for table in (
                    *ADAPTIVE_COLLECTION_TABLES,
                    *["breakdown"]
                    * (set(ADAPTIVE_BANKS_OF[name]) <= set(ADAPTIVE_PUBLISHED)),
                )
            ],
            markdown=expand(
                "results/adaptive/collections/{name}/table{number}.md",
                name=ADAPTIVE_STUDIED,
                number=[1, 2, 3],
            ),
            quantities=["results/adaptive/quantities.csv"] * (not ADAPTIVE_SUFFIX),
        log:
            f"results/logs/adaptive/study{ADAPTIVE_SUFFIX}.log",
        priority: LONG_CHAIN
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=growing(1000, 100, ADAPTIVE_OWN_TABLES),
            runtime=growing(10, 15, ADAPTIVE_OWN_TABLES),
        params:
            code=code("adaptive/study.py", ADAPTIVE_SUFFIX),
            collections={
                name: {
                    bank: ADAPTIVE_BANKS[bank].partner
                    for bank in ADAPTIVE_BANKS_OF[name]
                }
                for name in ADAPTIVE_STUDIED
            },
            evaluated={
                key: ADAPTIVE[key] for key in ("sizes", "draws", "prior", "limits")
            },
            whole={
                "seed": config["seed"],
                "least_partner_correlation": ADAPTIVE["least_partner_correlation"],
                "top": ADAPTIVE["top"],
            },
            fewest=ADAPTIVE["fewest_respondents"],
        script:
            "../scripts/adaptive/study.py"

    rule:
        """Draw how good the adaptive tests of collections are."""
        name:
            f"adaptive_figures{ADAPTIVE_SUFFIX}"
        input:
            summaries=expand(
                "results/adaptive/collections/{name}/summary.csv",
                name=ADAPTIVE_DRAWN_COLLECTIONS,
            ),
        output:
            [
                drawn(
                    f"adaptive/collections/{name}",
                    "adaptive",
                    {
                        "quality": (
                            "Evaluation quality",
                            f"{TITLES.get(name, name)}: subsets of items compared",
                        )
                    },
                )
                for name in ADAPTIVE_DRAWN_COLLECTIONS
            ],
        log:
            f"results/logs/adaptive/figures{ADAPTIVE_SUFFIX}.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=growing(1000, 100, ADAPTIVE_OWN_TABLES),
            runtime=growing(5, 15, ADAPTIVE_OWN_TABLES),
        params:
            code=code("adaptive/figures.py", ADAPTIVE_SUFFIX),
            collections={name: ADAPTIVE_BANKS_OF[name] for name in ADAPTIVE_STUDIED},
        script:
            "../scripts/adaptive/figures.py"


rule adaptive_misfit:
    """Compare a bank with banks that its fitted model draws."""
    input:
        responses=attribute_of(ADAPTIVE_BANKS, "bank", "checked_responses"),
        respondents=attribute_of(ADAPTIVE_BANKS, "bank", "checked_respondents"),
    output:
        floors="results/adaptive/banks/{bank}/floors.csv",
        misfit=reported(
            "results/adaptive/banks/{bank}/misfit.csv",
            "adaptive",
            "{bank}: does the model fit?",
            "Item response model",
        ),
    log:
        "results/logs/adaptive/misfit/{bank}.log",
    priority: LONG
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        **settings_of(
            ADAPTIVE,
            "replicates",
            fewest=ADAPTIVE["fewest_respondents"],
            seed=config["seed"],
        ),
        code=code("adaptive/misfit.py"),
    script:
        "../scripts/adaptive/misfit.py"


# Of every embedded board whose families are known, and of item answers of recent models, which are
# pinned and not embedded; minutes, so only when it is asked for.
rule adaptive_subset_errors:
    """Measure what the choice of items and the scorer are each worth on families left out."""
    input:
        boards=[
            shipped(f"resources/boards/responses/{board}.parquet")
            for board in list(adaptive_names.RESPONDENTS)
        ],
        respondents=[
            shipped("resources/adaptive/nlu_respondents.csv"),
            shipped("resources/adaptive/livebench_respondents.csv"),
        ],
        pinned=expand("results/sources/{name}.csv", name=adaptive_names.ATTEMPTS),
    output:
        embedded="results/adaptive/subset_errors.csv",
        pinned="results/adaptive/subset_errors_pinned.csv",
    log:
        "results/logs/adaptive/subset_errors.log",
    conda:
        "../../envs/environment.yaml"
    params:
        **named(seed=config["seed"], draws=20),
        code=code("adaptive/subset_errors.py"),
        boards=list(adaptive_names.RESPONDENTS),
        sizes=[50, 100, 200],
        adaptive=[100],
    script:
        "../scripts/adaptive/subset_errors.py"


rule adaptive:
    """Which items still measure, and how few suffice."""
    input:
        rules.adaptive_study.output,
        rules.adaptive_figures.output,
        expand(
            "results/adaptive/banks/{bank}/{file}",
            file=[f"{name}.csv" for name in ADAPTIVE_MISFIT],
            bank=[
                bank
                for name in ADAPTIVE["run"]
                for bank in ADAPTIVE_BANKS_OF[name]
                if bank in ADAPTIVE_SHOWN
            ],
        ),


# What its data cannot decide stays in the ledger with the command that would.
offer(
    "adaptive",
    targets=rules.adaptive.input,
    quantities="results/adaptive/quantities.csv",
    paper="fluid",
)
