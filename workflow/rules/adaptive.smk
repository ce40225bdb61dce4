"""The adaptive study: which items still measure, and how few suffice?

in:  response matrices (embedded boards, the user's, or synthetic ones), config section adaptive
out: results/adaptive/banks/BANK/{responses,respondents,item_parameters,items,abilities,
     administrations,models,quality,scores,stopping,frontier,top,sizes,suspects,misfit,
     misfit_items,misfit_respondents,floors}.csv, fit.json,
     frontier.json, recovery.csv and posterior.csv where they apply;
     results/adaptive/collections/COLLECTION/{partners,table1,table2,table3,summary,contrasts,
     quantities,breakdown}.csv;
     when asked for, results/adaptive/subset_errors.csv and, of a bank, dif.csv,
     relatives_items.csv and relatives_abilities.csv;
     results/adaptive/quantities.csv, results/figures/adaptive/; the truth of synthetic banks in
     results/adaptive/synthetic/, the published data set read in results/adaptive/published/
"""

from saturation.adaptive import names as adaptive_names
from saturation.adaptive.names import RESPONDENTS as SUBSET_RESPONDENTS
from saturation.planning import banks as saturation_banks

ADAPTIVE = config["adaptive"]
ADAPTIVE_COLLECTIONS = ADAPTIVE["collections"]
ADAPTIVE_BANKS = saturation_banks.plan(ADAPTIVE, shipped)
ADAPTIVE_SYNTHETIC = saturation_banks.synthetic(ADAPTIVE_BANKS)
# Embedded boards are fitted and evaluated by one job, other banks one by one.
ADAPTIVE_EMBEDDED = saturation_banks.embedded(ADAPTIVE_BANKS)
ADAPTIVE_ONE_BY_ONE = saturation_banks.pattern(
    [bank for bank in ADAPTIVE_BANKS if bank not in ADAPTIVE_EMBEDDED]
)
ADAPTIVE_EMBEDDED_COLLECTIONS = {
    name: list(collection["banks"])
    for name, collection in ADAPTIVE_COLLECTIONS.items()
    if set(collection["banks"]) <= set(ADAPTIVE_EMBEDDED)
}
ADAPTIVE_STUDIED = [
    bank for banks in ADAPTIVE_EMBEDDED_COLLECTIONS.values() for bank in banks
]
ADAPTIVE_BANK_TABLES = [
    "item_parameters",
    "items",
    "abilities",
    "administrations",
    "models",
    "quality",
    "scores",
    "stopping",
    "frontier",
    "top",
    "sizes",
    "suspects",
]
ADAPTIVE_SHOWN = ADAPTIVE["shown"]
ADAPTIVE_SHOWN_OF = {
    name: [
        bank
        for bank in collection["banks"]
        if ADAPTIVE_SHOWN is None
        or bank in ADAPTIVE_SHOWN
        or bank not in ADAPTIVE_EMBEDDED
    ]
    for name, collection in ADAPTIVE_COLLECTIONS.items()
}
SUBSET_BOARDS = list(SUBSET_RESPONDENTS)
ADAPTIVE_FIGURES = {
    "item_curves": ("Item response model", "chances of a right answer, by ability"),
    "information_slice": ("Item response model", "where items tell most"),
    "selected_items": ("Adaptive tests", "which items a test asks"),
    "stopping": ("Adaptive tests", "how many items a test needs"),
    "frontier": ("Frontier", "items that the best models still miss"),
}
ADAPTIVE_COLLECTION_FIGURES = {
    "quality": "subsets of items compared",
    "pairs": "adaptive against random items, model by model",
}

# Measured of 600 respondents and 4,000 items, 4.8 MB: at most 0.4 GB; the check of fit takes two
# minutes, the evaluation, which fits the items again without each family, more than twelve.
ADAPTIVE_RESOURCES = {
    "mem_mb": growing(1000, 100, adaptive_tables),
    "runtime": growing(5, 15, adaptive_tables),
}
ADAPTIVE_RESOURCES_OF_ALL = {
    "mem_mb": growing(1000, 20, adaptive_tables_of_all),
    "runtime": growing(10, 1, adaptive_tables_of_all),
}


wildcard_constraints:
    bank=saturation_banks.pattern(ADAPTIVE_BANKS),
    synthetic_bank=saturation_banks.pattern(ADAPTIVE_SYNTHETIC),
    published_bank=saturation_banks.pattern(saturation_banks.published(ADAPTIVE_BANKS)),
    collection=saturation_banks.pattern(ADAPTIVE_COLLECTIONS),


rule adaptive_synthetic:
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
    params:
        seed=config["seed"],
        families=ADAPTIVE["synthetic"]["families"],
        models_per_family=ADAPTIVE["synthetic"]["models_per_family"],
        banks=ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/synthetic.py"


# The paper's own data set is fetched by this run only where its config asks for it.
rule adaptive_fluid:
    output:
        expand(
            "{folder}/{path}",
            folder=adaptive_names.FLUID_FOLDER,
            path=adaptive_names.FLUID_FILES,
        ),
    params:
        paths=[f"data/{path}" for path in adaptive_names.FLUID_FILES],
        url=adaptive_names.FLUID_URL,
        lock_file=adaptive_names.FLUID_LOCK,
    script:
        "../scripts/adaptive/fluid.py"


rule adaptive_published:
    input:
        parameters=lambda wildcards: "{0.published}/irt_models/{0.benchmark}.csv".format(
            ADAPTIVE_BANKS[wildcards.published_bank]
        ),
        results=adaptive_published_results,
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
    resources:
        mem_mb=growing(1500, 20, adaptive_published_results),
        runtime=growing(10, 1, adaptive_published_results),
    params:
        benchmark=lambda wildcards: ADAPTIVE_BANKS[wildcards.published_bank].benchmark,
    script:
        "../scripts/adaptive/published.py"


rule adaptive_responses:
    input:
        table=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].responses,
        respondents=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].respondents or [],
    output:
        # update(): a table that fails its checks leaves the earlier, valid one in place.
        responses=update("results/adaptive/banks/{bank}/responses.csv"),
        respondents=update("results/adaptive/banks/{bank}/respondents.csv"),
    priority: CHECKS_TABLES
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        layout=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].layout,
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/responses.py"


rule adaptive_study:
    input:
        boards=[ADAPTIVE_BANKS[bank].responses for bank in ADAPTIVE_STUDIED],
        respondents=[ADAPTIVE_BANKS[bank].respondents for bank in ADAPTIVE_STUDIED],
        lock=LOCK,
    output:
        tables=[
            *expand(
                "results/adaptive/banks/{bank}/{table}.csv",
                bank=ADAPTIVE_STUDIED,
                table=ADAPTIVE_BANK_TABLES,
            ),
            *expand(
                "results/adaptive/collections/{collection}/partners.csv",
                collection=ADAPTIVE_EMBEDDED_COLLECTIONS,
            ),
        ],
        facts=expand(
            "results/adaptive/banks/{bank}/{facts}.json",
            bank=ADAPTIVE_STUDIED,
            facts=["fit", "frontier"],
        ),
        pages=[
            report(
                f"results/adaptive/banks/{bank}/suspects.html",
                caption="../report/adaptive/suspects.rst",
                category=CATEGORY["adaptive"],
                subcategory="Frontier",
                labels={"item": f"{in_words(bank)}: suspected label errors"},
            )
            for name in ADAPTIVE_EMBEDDED_COLLECTIONS
            for bank in ADAPTIVE_SHOWN_OF[name]
        ],
    priority: LONG_CHAIN
    params:
        collections=ADAPTIVE_EMBEDDED_COLLECTIONS,
        settings={
            key: ADAPTIVE[key]
            for key in ("sizes", "draws", "slopes", "prior", "limits")
        },
        whole={
            "seed": config["seed"],
            "least_partner_correlation": ADAPTIVE["least_partner_correlation"],
            "top": ADAPTIVE["top"],
        },
        fewest=ADAPTIVE["fewest_respondents"],
        # What the listed outputs hold, in their order.
        written={
            "tables": [
                *expand(
                    "{bank}/{table}", bank=ADAPTIVE_STUDIED, table=ADAPTIVE_BANK_TABLES
                ),
                *ADAPTIVE_EMBEDDED_COLLECTIONS,
            ],
            "facts": expand(
                "{bank}/{facts}", bank=ADAPTIVE_STUDIED, facts=["fit", "frontier"]
            ),
        },
    script:
        "../scripts/adaptive/study.py"


rule adaptive_fit:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
    output:
        parameters="results/adaptive/banks/{bank}/item_parameters.csv",
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        facts="results/adaptive/banks/{bank}/fit.json",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/fit.py"


rule adaptive_misfit:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
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
    priority: LONG_CHAIN
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        seed=config["seed"],
        replicates=ADAPTIVE["replicates"],
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/misfit.py"


# When it is asked for: it needs at least five families.
rule adaptive_relatives:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
        lock=LOCK,
    output:
        item_table="results/adaptive/banks/{bank}/relatives_items.csv",
        abilities="results/adaptive/banks/{bank}/relatives_abilities.csv",
    resources:
        **ADAPTIVE_RESOURCES,
    script:
        "../scripts/adaptive/relatives.py"


# When it is asked for: it needs families of at least five models.
rule adaptive_dif:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
    output:
        "results/adaptive/banks/{bank}/dif.csv",
    resources:
        **ADAPTIVE_RESOURCES,
    script:
        "../scripts/adaptive/dif.py"


# Of every embedded board whose families are known; minutes, so only when it is asked for.
rule adaptive_subset_errors:
    input:
        boards=[
            shipped(f"resources/boards/responses/{board}.parquet")
            for board in SUBSET_BOARDS
        ],
        respondents=[
            shipped("resources/adaptive/nlu_respondents.csv"),
            shipped("resources/adaptive/livebench_respondents.csv"),
        ],
        lock=LOCK,
    output:
        "results/adaptive/subset_errors.csv",
    params:
        seed=config["seed"],
        boards=SUBSET_BOARDS,
        sizes=[50, 100, 200],
        adaptive=[100],
        draws=20,
    script:
        "../scripts/adaptive/subset_errors.py"


rule adaptive_partners:
    input:
        respondents=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/respondents.csv",
            bank=adaptive_banks_of(wildcards),
        ),
    output:
        partners="results/adaptive/collections/{collection}/partners.csv",
    wildcard_constraints:
        collection=saturation_banks.pattern(
            [
                name
                for name in ADAPTIVE_COLLECTIONS
                if name not in ADAPTIVE_EMBEDDED_COLLECTIONS
            ]
        ),
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        banks=adaptive_banks_of,
        least=ADAPTIVE["least_partner_correlation"],
        named=lambda wildcards: {
            bank: ADAPTIVE_BANKS[bank].partner
            for bank in adaptive_banks_of(wildcards)
            if ADAPTIVE_BANKS[bank].partner is not None
        },
    script:
        "../scripts/adaptive/partners.py"


rule adaptive_evaluation:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        item_parameters="results/adaptive/banks/{bank}/item_parameters.csv",
        partners=lambda wildcards: (
            f"results/adaptive/collections/{ADAPTIVE_BANKS[wildcards.bank].collection}/partners.csv"
        ),
        partner_tables=lambda wildcards: expand(
            "results/adaptive/banks/{partner}/respondents.csv",
            partner=adaptive_fellows(wildcards),
        ),
        # Item parameters from elsewhere, and the abilities of the models that they rest on.
        known=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].known,
        known_abilities=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].known_abilities,
        lock=LOCK,
    output:
        administrations="results/adaptive/banks/{bank}/administrations.csv",
        models="results/adaptive/banks/{bank}/models.csv",
        quality="results/adaptive/banks/{bank}/quality.csv",
        scores="results/adaptive/banks/{bank}/scores.csv",
        stopping="results/adaptive/banks/{bank}/stopping.csv",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        seed=config["seed"],
        settings={
            key: ADAPTIVE[key]
            for key in ("sizes", "draws", "slopes", "prior", "limits")
        },
        partners=adaptive_fellows,
    script:
        "../scripts/adaptive/evaluation.py"


rule adaptive_frontier:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
    output:
        curve="results/adaptive/banks/{bank}/frontier.csv",
        top="results/adaptive/banks/{bank}/top.csv",
        sizes="results/adaptive/banks/{bank}/sizes.csv",
        suspects="results/adaptive/banks/{bank}/suspects.csv",
        page=report(
            "results/adaptive/banks/{bank}/suspects.html",
            caption="../report/adaptive/suspects.rst",
            category=CATEGORY["adaptive"],
            subcategory="Frontier",
            labels=item_titled("{bank}: suspected label errors"),
        ),
        facts="results/adaptive/banks/{bank}/frontier.json",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        top=ADAPTIVE["top"],
    script:
        "../scripts/adaptive/frontier.py"


rule adaptive_recovery:
    input:
        item_table="results/adaptive/banks/{synthetic_bank}/items.csv",
        abilities="results/adaptive/banks/{synthetic_bank}/abilities.csv",
        true_items="results/adaptive/synthetic/{synthetic_bank}/true_items.csv",
        true_abilities="results/adaptive/synthetic/{synthetic_bank}/true_abilities.csv",
    output:
        table="results/adaptive/banks/{synthetic_bank}/recovery.csv",
        png=report(
            "results/figures/adaptive/banks/{synthetic_bank}/recovery.png",
            caption="../report/adaptive/recovery.rst",
            category=CATEGORY["adaptive"],
            subcategory="Item response model",
            labels=item_titled("{synthetic_bank}: truth and estimates"),
        ),
        pdf="results/figures/adaptive/banks/{synthetic_bank}/recovery.pdf",
        svg="results/figures/adaptive/banks/{synthetic_bank}/recovery.svg",
    script:
        "../scripts/adaptive/recovery.py"


rule adaptive_posterior:
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        lock=LOCK,
    output:
        posterior="results/adaptive/banks/{bank}/posterior.csv",
        agreement="results/adaptive/banks/{bank}/agreement.csv",
        diagnostics="results/adaptive/banks/{bank}/diagnostics.json",
    resources:
        mem_mb=growing(1500, 100, adaptive_tables),
        runtime=growing(60, 10, adaptive_tables),
    params:
        seed=config["seed"],
        settings=ADAPTIVE["posterior"],
    script:
        "../scripts/adaptive/posterior.py"


rule adaptive_figures:
    input:
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        administrations="results/adaptive/banks/{bank}/administrations.csv",
        stopping="results/adaptive/banks/{bank}/stopping.csv",
        frontier="results/adaptive/banks/{bank}/frontier.csv",
        top="results/adaptive/banks/{bank}/top.csv",
        misfit="results/adaptive/banks/{bank}/misfit.csv",
        floors="results/adaptive/banks/{bank}/floors.csv",
    output:
        [
            report(
                f"results/figures/adaptive/banks/{{bank}}/{name}.png",
                caption=f"../report/adaptive/{name}.rst",
                category=CATEGORY["adaptive"],
                subcategory=subcategory,
                labels=item_titled(f"{{bank}}: {label}"),
            )
            for name, (subcategory, label) in ADAPTIVE_FIGURES.items()
        ],
        [
            f"results/figures/adaptive/banks/{{bank}}/{name}.{suffix}"
            for name in ADAPTIVE_FIGURES
            for suffix in ("pdf", "svg")
        ],
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        synthetic=lambda wildcards: wildcards.bank in ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/figures.py"


rule adaptive_paper_tables:
    input:
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=adaptive_banks_of(wildcards),
        ),
        quality=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/quality.csv",
            bank=adaptive_banks_of(wildcards),
        ),
        lock=LOCK,
    output:
        **{
            f"table{number}_{suffix}": f"results/adaptive/collections/{{collection}}/table{number}.{suffix}"
            for number in (1, 2, 3)
            for suffix in ("csv", "md")
        },
        **{
            f"table{number}_html": report(
                f"results/adaptive/collections/{{collection}}/table{number}.html",
                caption=f"../report/adaptive/table{number}.rst",
                category=CATEGORY["adaptive"],
                subcategory="Evaluation quality",
                labels=item_titled(
                    f"{{collection}}: Table {number}, in the paper's form"
                ),
            )
            for number in (1, 2, 3)
        },
        summary="results/adaptive/collections/{collection}/summary.csv",
        contrasts="results/adaptive/collections/{collection}/contrasts.csv",
        quantities="results/adaptive/collections/{collection}/quantities.csv",
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        banks=adaptive_banks_of,
        seed=config["seed"],
        synthetic=adaptive_all_synthetic,
    script:
        "../scripts/adaptive/paper_tables.py"


rule adaptive_collection_figures:
    input:
        summary="results/adaptive/collections/{collection}/summary.csv",
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=adaptive_banks_of(wildcards),
        ),
    output:
        [
            report(
                f"results/figures/adaptive/collections/{{collection}}/{name}.png",
                caption=f"../report/adaptive/{name}.rst",
                category=CATEGORY["adaptive"],
                subcategory="Evaluation quality",
                labels=item_titled(f"{{collection}}: {label}"),
            )
            for name, label in ADAPTIVE_COLLECTION_FIGURES.items()
        ],
        [
            f"results/figures/adaptive/collections/{{collection}}/{name}.{suffix}"
            for name in ("quality", "pairs")
            for suffix in ("pdf", "svg")
        ],
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        banks=adaptive_banks_of,
        synthetic=adaptive_all_synthetic,
    script:
        "../scripts/adaptive/collection_figures.py"


rule adaptive_breakdown:
    input:
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=adaptive_banks_of(wildcards),
        ),
        respondents=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/respondents.csv",
            bank=adaptive_banks_of(wildcards),
        ),
        stopping=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/stopping.csv",
            bank=adaptive_banks_of(wildcards),
        ),
        parameters=lambda wildcards: [
            saturation_banks.published_file(bank, "item_parameters")
            for bank in adaptive_banks_of(wildcards)
        ],
        fitted=lambda wildcards: [
            saturation_banks.published_file(bank, "abilities")
            for bank in adaptive_banks_of(wildcards)
        ],
    output:
        "results/adaptive/collections/{collection}/breakdown.csv",
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        banks=adaptive_banks_of,
    script:
        "../scripts/adaptive/breakdown.py"


ADAPTIVE_RUN_BANKS = [
    bank
    for collection in ADAPTIVE["run"]
    for bank in ADAPTIVE_COLLECTIONS[collection]["banks"]
]


rule adaptive_quantities:
    input:
        collections=[
            *expand(
                "results/adaptive/collections/{collection}/quantities.csv",
                collection=ADAPTIVE["run"],
            ),
            *expand(
                "results/adaptive/collections/{collection}/breakdown.csv",
                collection=[
                    name
                    for name in ADAPTIVE["run"]
                    if ADAPTIVE_COLLECTIONS[name].get("published")
                ],
            ),
        ],
        frontier=expand(
            "results/adaptive/banks/{bank}/frontier.json", bank=ADAPTIVE_RUN_BANKS
        ),
        stopping=expand(
            "results/adaptive/banks/{bank}/stopping.csv", bank=ADAPTIVE_RUN_BANKS
        ),
        partners=expand(
            "results/adaptive/collections/{collection}/partners.csv",
            collection=ADAPTIVE["run"],
        ),
    output:
        quantities="results/adaptive/quantities.csv",
    params:
        banks=ADAPTIVE_RUN_BANKS,
    script:
        "../scripts/adaptive/quantities.py"


# What a collection gives, by its name.
ADAPTIVE_TARGETS = {
    name: [
        *expand(
            "results/adaptive/banks/{bank}/{table}.csv",
            bank=collection["banks"],
            table=["item_parameters", "administrations", "suspects"],
        ),
        *expand(
            "results/adaptive/banks/{bank}/misfit.csv",
            bank=ADAPTIVE_SHOWN_OF[name],
        ),
        *expand(
            "results/figures/adaptive/banks/{bank}/{figure}.png",
            bank=ADAPTIVE_SHOWN_OF[name],
            figure=ADAPTIVE_FIGURES,
        ),
        *expand(
            "results/adaptive/banks/{bank}/recovery.csv",
            bank=[bank for bank in collection["banks"] if bank in ADAPTIVE_SYNTHETIC],
        ),
        *expand(
            "results/adaptive/collections/{collection}/table{number}.html",
            collection=[name],
            number=[1, 2, 3],
        ),
        *expand(
            "results/figures/adaptive/collections/{collection}/{figure}.png",
            # One board without a partner has no measure of quality to draw.
            collection=(
                [] if ADAPTIVE_EMBEDDED_COLLECTIONS.get(name) == [name] else [name]
            ),
            figure=["quality", "pairs"],
        ),
    ]
    for name, collection in ADAPTIVE_COLLECTIONS.items()
}


rule adaptive:
    """Which items still measure, and how few suffice."""
    input:
        [ADAPTIVE_TARGETS[collection] for collection in ADAPTIVE["run"]],
        rules.adaptive_quantities.output.quantities,


rule adaptive_real:
    """The adaptive study of the nine public banks alone."""
    input:
        ADAPTIVE_TARGETS["nlu"],


# The banks that are certainly small enough for the full posterior; sampling takes minutes, so it
# is a target of its own, and of other banks results/adaptive/banks/BANK/agreement.csv.
rule adaptive_posteriors:
    """Whether the full posterior agrees with the fit, for banks small enough; minutes."""
    input:
        expand(
            "results/adaptive/banks/{bank}/agreement.csv",
            bank=saturation_banks.small_enough(ADAPTIVE, ADAPTIVE_BANKS),
        ),


# What its data cannot decide stays in the ledger with the command that would.
offer(
    "adaptive",
    targets=rules.adaptive.input,
    quantities=rules.adaptive_quantities.output.quantities,
    paper="fluid",
)
