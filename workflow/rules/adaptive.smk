"""The adaptive study: which items still measure, and how few suffice?

in:  response matrices (embedded boards, the user's, or synthetic ones), config section adaptive
out: results/adaptive/banks/BANK/{responses,respondents,item_parameters,items,abilities,
     administrations,models,quality,scores,stopping,frontier,top,sizes,suspects,misfit,
     misfit_items,misfit_respondents,floors}.csv, fit.json, frontier.json, and recovery.csv of
     synthetic banks;
     results/adaptive/collections/COLLECTION/{partners,table1,table2,table3,summary,contrasts,
     quantities}.csv, and breakdown.csv of published banks;
     when asked for, results/adaptive/subset_errors.csv and, of a bank, posterior.csv, dif.csv,
     relatives_items.csv and relatives_abilities.csv;
     results/adaptive/quantities.csv, results/figures/adaptive/; the truth of synthetic banks in
     results/adaptive/synthetic/, the published data set read in results/adaptive/published/
"""

from saturation.adaptive import names as adaptive_names

ADAPTIVE = config["adaptive"]
ADAPTIVE_BANKS = adaptive_names.plan(ADAPTIVE, shipped)
ADAPTIVE_SYNTHETIC = adaptive_names.synthetic(ADAPTIVE_BANKS)
ADAPTIVE_EMBEDDED = adaptive_names.embedded(ADAPTIVE_BANKS)
ADAPTIVE_BANKS_OF = {
    name: list(collection["banks"])
    for name, collection in ADAPTIVE["collections"].items()
}
# The user's tables behind each bank, for its jobs' resources.
ADAPTIVE_TABLES = {
    name: [] if name in ADAPTIVE_EMBEDDED else [bank.responses, bank.respondents]
    for name, bank in ADAPTIVE_BANKS.items()
}
ADAPTIVE_RESULTS = {
    name: adaptive_names.published_results(ADAPTIVE_BANKS[name])
    for name in adaptive_names.published(ADAPTIVE_BANKS)
}
# Of the embedded boards only these are drawn and have a page of suspects and a check of fit.
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
    *("scores", "stopping", "frontier", "top", "sizes", "suspects"),
]
ADAPTIVE_COLLECTION_TABLES = [
    *("partners", "table1", "table2", "table3", "summary", "contrasts", "quantities"),
]
ADAPTIVE_FIGURES = {
    "item_curves": ("Item response model", "chances of a right answer, by ability"),
    "information_slice": ("Item response model", "where items tell most"),
    "selected_items": ("Adaptive tests", "which items a test asks"),
    "stopping": ("Adaptive tests", "how many items a test needs"),
    "frontier": ("Frontier", "items that the best models still miss"),
    "recovery": ("Item response model", "truth and estimates"),
}
ADAPTIVE_COLLECTION_FIGURES = {
    "quality": "subsets of items compared",
    "pairs": "adaptive against random items, model by model",
}
# Measured of 600 respondents and 4,000 items, 4.8 MB: at most 0.4 GB; the check of fit takes two
# minutes, the evaluation, which fits the items again without each family, more than twelve.
ADAPTIVE_RESOURCES = {
    "mem_mb": growing(1000, 100, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
    "runtime": growing(5, 15, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
}


wildcard_constraints:
    bank=adaptive_names.pattern(ADAPTIVE_BANKS),
    own_bank=adaptive_names.pattern(
        [bank for bank in ADAPTIVE_BANKS if bank not in ADAPTIVE_EMBEDDED]
    ),
    published_bank=adaptive_names.pattern(ADAPTIVE_RESULTS),


rule adaptive_synthetic:
    """Draw synthetic banks, whose truth is known."""
    input:
        distribution=shipped("resources/adaptive/item_parameter_distribution.csv"),
        lock=LOCK,
    output:
        respondents="results/adaptive/synthetic/respondents.csv",
        responses=expand(
            "results/adaptive/synthetic/{bank}/responses.csv", bank=ADAPTIVE_SYNTHETIC
        ),
        true_items=expand(
            "results/adaptive/synthetic/{bank}/true_items.csv", bank=ADAPTIVE_SYNTHETIC
        ),
        true_abilities=expand(
            "results/adaptive/synthetic/{bank}/true_abilities.csv",
            bank=ADAPTIVE_SYNTHETIC,
        ),
    log:
        "results/logs/adaptive/synthetic.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/synthetic.py"),
        seed=config["seed"],
        families=ADAPTIVE["synthetic"]["families"],
        models_per_family=ADAPTIVE["synthetic"]["models_per_family"],
        banks=ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/synthetic.py"


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
        parameters=lambda wildcards: "{0.published}/irt_models/{0.benchmark}.csv".format(
            ADAPTIVE_BANKS[wildcards.published_bank]
        ),
        results=lambda wildcards: ADAPTIVE_RESULTS[wildcards.published_bank],
        leaderboard=lambda wildcards: (
            "{0.published}/open_llm_leaderboard_results.json".format(
                ADAPTIVE_BANKS[wildcards.published_bank]
            )
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
            1500, 20, lambda wildcards: ADAPTIVE_RESULTS[wildcards.published_bank]
        ),
        runtime=growing(
            10, 1, lambda wildcards: ADAPTIVE_RESULTS[wildcards.published_bank]
        ),
    params:
        code=code("adaptive/published.py"),
        benchmark=lambda wildcards: ADAPTIVE_BANKS[wildcards.published_bank].benchmark,
    script:
        "../scripts/adaptive/published.py"


rule adaptive_responses:
    """Check a bank's responses and respondents."""
    input:
        table=lambda wildcards: ADAPTIVE_BANKS[wildcards.own_bank].responses,
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
        mem_mb=growing(1000, 100, lambda wildcards: ADAPTIVE_TABLES[wildcards.own_bank]),
        runtime=growing(5, 15, lambda wildcards: ADAPTIVE_TABLES[wildcards.own_bank]),
    params:
        code=code("adaptive/responses.py"),
        layout=lambda wildcards: ADAPTIVE_BANKS[wildcards.own_bank].layout,
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/responses.py"


for ADAPTIVE_SUFFIX, ADAPTIVE_STUDIED in ADAPTIVE_JOBS.items():
    ADAPTIVE_STUDIED_BANKS = [
        bank for name in ADAPTIVE_STUDIED for bank in ADAPTIVE_BANKS_OF[name]
    ]
    ADAPTIVE_OWN_TABLES = [
        path for bank in ADAPTIVE_STUDIED_BANKS for path in ADAPTIVE_TABLES[bank]
    ]
    # One embedded board has no partner, hence no measure of quality to draw.
    ADAPTIVE_DRAWN_COLLECTIONS = [
        name
        for name in ADAPTIVE_STUDIED
        if ADAPTIVE_BANKS_OF[name] != [name] or name not in ADAPTIVE_EMBEDDED
    ]
    ADAPTIVE_DRAWN_BANKS = [
        bank for bank in ADAPTIVE_STUDIED_BANKS if bank in ADAPTIVE_SHOWN
    ]

    rule:
        """Items, abilities, adaptive tests and tables of a collection's banks."""
        name:
            f"adaptive_study{ADAPTIVE_SUFFIX}"
        input:
            responses=[
                adaptive_names.checked(ADAPTIVE_BANKS[bank], "responses")
                for bank in ADAPTIVE_STUDIED_BANKS
            ],
            respondents=[
                adaptive_names.checked(ADAPTIVE_BANKS[bank], "respondents")
                for bank in ADAPTIVE_STUDIED_BANKS
            ],
            # Item parameters from elsewhere, and the abilities of the models that they rest on.
            known=[
                path
                for bank in ADAPTIVE_STUDIED_BANKS
                for path in ADAPTIVE_BANKS[bank].known
            ],
            known_abilities=[
                path
                for bank in ADAPTIVE_STUDIED_BANKS
                for path in ADAPTIVE_BANKS[bank].known_abilities
            ],
            true_items=[
                adaptive_names.synthetic_file(bank, "true_items")
                for bank in ADAPTIVE_STUDIED_BANKS
                if bank in ADAPTIVE_SYNTHETIC
            ],
            true_abilities=[
                adaptive_names.synthetic_file(bank, "true_abilities")
                for bank in ADAPTIVE_STUDIED_BANKS
                if bank in ADAPTIVE_SYNTHETIC
            ],
            lock=LOCK,
        output:
            banks=[
                f"results/adaptive/banks/{bank}/{table}.csv"
                for bank in ADAPTIVE_STUDIED_BANKS
                for table in (
                    *ADAPTIVE_BANK_TABLES,
                    *["recovery"] * (bank in ADAPTIVE_SYNTHETIC),
                    *["responses", "respondents"] * (bank in ADAPTIVE_EMBEDDED),
                )
            ],
            facts=expand(
                "results/adaptive/banks/{bank}/{facts}.json",
                bank=ADAPTIVE_STUDIED_BANKS,
                facts=["fit", "frontier"],
            ),
            suspects=[
                report(
                    f"results/adaptive/banks/{bank}/suspects.html",
                    caption="../report/adaptive/suspects.rst",
                    category=CATEGORY["adaptive"],
                    subcategory="Frontier",
                    labels={
                        "item": f"{TITLES.get(bank, bank)}: suspected label errors"
                    },
                )
                for bank in ADAPTIVE_DRAWN_BANKS
            ],
            collections=[
                f"results/adaptive/collections/{name}/{table}.csv"
                for name in ADAPTIVE_STUDIED
                for table in (
                    *ADAPTIVE_COLLECTION_TABLES,
                    *["breakdown"]
                    * (set(ADAPTIVE_BANKS_OF[name]) <= set(ADAPTIVE_RESULTS)),
                )
            ],
            markdown=expand(
                "results/adaptive/collections/{name}/table{number}.md",
                name=ADAPTIVE_STUDIED,
                number=[1, 2, 3],
            ),
            html=[
                report(
                    f"results/adaptive/collections/{name}/table{number}.html",
                    caption=f"../report/adaptive/table{number}.rst",
                    category=CATEGORY["adaptive"],
                    subcategory="Evaluation quality",
                    labels={
                        "item": f"{TITLES.get(name, name)}: Table {number}, in the paper's form"
                    },
                )
                for name in ADAPTIVE_STUDIED
                for number in (1, 2, 3)
            ],
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
            code=code("adaptive/study.py"),
            collections={
                name: {
                    bank: ADAPTIVE_BANKS[bank].partner
                    for bank in ADAPTIVE_BANKS_OF[name]
                }
                for name in ADAPTIVE_STUDIED
            },
            evaluated={
                key: ADAPTIVE[key]
                for key in ("sizes", "draws", "slopes", "prior", "limits")
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
        """Figures of a collection's banks."""
        name:
            f"adaptive_figures{ADAPTIVE_SUFFIX}"
        input:
            banks=expand(
                "results/adaptive/banks/{bank}/{table}.csv",
                bank=ADAPTIVE_DRAWN_BANKS,
                table=[
                    *("items", "abilities", "administrations", "stopping"),
                    *("frontier", "top", "misfit", "floors"),
                ],
            ),
            true_items=[
                adaptive_names.synthetic_file(bank, "true_items")
                for bank in ADAPTIVE_DRAWN_BANKS
                if bank in ADAPTIVE_SYNTHETIC
            ],
            summaries=expand(
                "results/adaptive/collections/{name}/summary.csv",
                name=ADAPTIVE_DRAWN_COLLECTIONS,
            ),
            models=[
                f"results/adaptive/banks/{bank}/models.csv"
                for name in ADAPTIVE_DRAWN_COLLECTIONS
                for bank in ADAPTIVE_BANKS_OF[name]
            ],
        output:
            [
                report(
                    f"results/figures/adaptive/banks/{bank}/{name}.png",
                    caption=f"../report/adaptive/{name}.rst",
                    category=CATEGORY["adaptive"],
                    subcategory=subcategory,
                    labels={"item": f"{TITLES.get(bank, bank)}: {label}"},
                )
                for bank in ADAPTIVE_DRAWN_BANKS
                for name, (subcategory, label) in ADAPTIVE_FIGURES.items()
                if name != "recovery" or bank in ADAPTIVE_SYNTHETIC
            ],
            [
                report(
                    f"results/figures/adaptive/collections/{collection}/{name}.png",
                    caption=f"../report/adaptive/{name}.rst",
                    category=CATEGORY["adaptive"],
                    subcategory="Evaluation quality",
                    labels={"item": f"{TITLES.get(collection, collection)}: {label}"},
                )
                for collection in ADAPTIVE_DRAWN_COLLECTIONS
                for name, label in ADAPTIVE_COLLECTION_FIGURES.items()
            ],
            [
                f"results/figures/adaptive/banks/{bank}/{name}.{suffix}"
                for bank in ADAPTIVE_DRAWN_BANKS
                for name in ADAPTIVE_FIGURES
                for suffix in ("pdf", "svg")
                if name != "recovery" or bank in ADAPTIVE_SYNTHETIC
            ],
            expand(
                "results/figures/adaptive/collections/{collection}/{name}.{suffix}",
                collection=ADAPTIVE_DRAWN_COLLECTIONS,
                name=ADAPTIVE_COLLECTION_FIGURES,
                suffix=["pdf", "svg"],
            ),
        log:
            f"results/logs/adaptive/figures{ADAPTIVE_SUFFIX}.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=growing(1000, 100, ADAPTIVE_OWN_TABLES),
            runtime=growing(5, 15, ADAPTIVE_OWN_TABLES),
        params:
            code=code("adaptive/figures.py"),
            collections={name: ADAPTIVE_BANKS_OF[name] for name in ADAPTIVE_STUDIED},
            synthetic=list(ADAPTIVE_SYNTHETIC),
        script:
            "../scripts/adaptive/figures.py"


rule adaptive_misfit:
    """Compare a bank with banks that its fitted model draws."""
    input:
        responses=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "responses"
        ),
        respondents=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "respondents"
        ),
        lock=LOCK,
    output:
        misfit="results/adaptive/banks/{bank}/misfit.csv",
        misfit_items="results/adaptive/banks/{bank}/misfit_items.csv",
        misfit_respondents="results/adaptive/banks/{bank}/misfit_respondents.csv",
        floors="results/adaptive/banks/{bank}/floors.csv",
        page=report(
            "results/adaptive/banks/{bank}/misfit.html",
            caption="../report/adaptive/misfit.rst",
            category=CATEGORY["adaptive"],
            subcategory="Item response model",
            labels=item_titled("{bank}: does the model fit?"),
        ),
    log:
        "results/logs/adaptive/misfit/{bank}.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/misfit.py"),
        fewest=ADAPTIVE["fewest_respondents"],
        seed=config["seed"],
        replicates=ADAPTIVE["replicates"],
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/misfit.py"


rule adaptive_posterior:
    """Draw the full posterior of a small bank by NUTS."""
    input:
        responses=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "responses"
        ),
        respondents=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "respondents"
        ),
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        lock=LOCK,
    output:
        draws="results/adaptive/banks/{bank}/posterior.nc",
        posterior="results/adaptive/banks/{bank}/posterior.csv",
        agreement="results/adaptive/banks/{bank}/agreement.csv",
        diagnostics="results/adaptive/banks/{bank}/diagnostics.json",
    log:
        "results/logs/adaptive/posterior/{bank}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=growing(1500, 100, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
        runtime=growing(60, 10, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
    params:
        code=code("adaptive/posterior.py"),
        fewest=ADAPTIVE["fewest_respondents"],
        seed=config["seed"],
        settings=ADAPTIVE["posterior"],
    script:
        "../scripts/adaptive/posterior.py"


# When it is asked for: it needs at least five families.
rule adaptive_relatives:
    """Estimate errors of items and abilities by a jackknife over families."""
    input:
        responses=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "responses"
        ),
        respondents=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "respondents"
        ),
        lock=LOCK,
    output:
        item_table="results/adaptive/banks/{bank}/relatives_items.csv",
        abilities="results/adaptive/banks/{bank}/relatives_abilities.csv",
    log:
        "results/logs/adaptive/relatives/{bank}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/relatives.py"),
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/relatives.py"


# When it is asked for: it needs families of at least five models.
rule adaptive_dif:
    """Test items for differences between families of equal ability."""
    input:
        responses=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "responses"
        ),
        respondents=lambda wildcards: adaptive_names.checked(
            ADAPTIVE_BANKS[wildcards.bank], "respondents"
        ),
    output:
        "results/adaptive/banks/{bank}/dif.csv",
    log:
        "results/logs/adaptive/dif/{bank}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/dif.py"),
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/dif.py"


# Of every embedded board whose families are known; minutes, so only when it is asked for.
rule adaptive_subset_errors:
    """Measure how far subsets of embedded boards miss models of other families."""
    input:
        boards=[
            shipped(f"resources/boards/responses/{board}.parquet")
            for board in list(adaptive_names.RESPONDENTS)
        ],
        respondents=[
            shipped("resources/adaptive/nlu_respondents.csv"),
            shipped("resources/adaptive/livebench_respondents.csv"),
        ],
        lock=LOCK,
    output:
        "results/adaptive/subset_errors.csv",
    log:
        "results/logs/adaptive/subset_errors.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/subset_errors.py"),
        seed=config["seed"],
        boards=list(adaptive_names.RESPONDENTS),
        sizes=[50, 100, 200],
        adaptive=[100],
        draws=20,
    script:
        "../scripts/adaptive/subset_errors.py"


rule adaptive:
    """Which items still measure, and how few suffice."""
    input:
        rules.adaptive_study.output,
        rules.adaptive_figures.output,
        expand(
            "results/adaptive/banks/{bank}/misfit.csv",
            bank=[
                bank
                for name in ADAPTIVE["run"]
                for bank in ADAPTIVE_BANKS_OF[name]
                if bank in ADAPTIVE_SHOWN
            ],
        ),


rule adaptive_real:
    """The adaptive study of the nine public banks alone."""
    input:
        "results/adaptive/collections/nlu/table1.html",
        expand(
            "results/figures/adaptive/collections/nlu/{figure}.png",
            figure=ADAPTIVE_COLLECTION_FIGURES,
        ),


# The banks that are certainly small enough for the full posterior; sampling takes minutes, so it
# is a target of its own, and of other banks results/adaptive/banks/BANK/agreement.csv.
rule adaptive_posteriors:
    """Whether the full posterior agrees with the fit, for banks small enough; minutes."""
    input:
        expand(
            "results/adaptive/banks/{bank}/agreement.csv",
            bank=adaptive_names.small_enough(ADAPTIVE, ADAPTIVE_BANKS),
        ),


# What its data cannot decide stays in the ledger with the command that would.
offer(
    "adaptive",
    targets=rules.adaptive.input,
    quantities="results/adaptive/quantities.csv",
    paper="fluid",
)
