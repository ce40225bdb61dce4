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

ADAPTIVE = config["adaptive"]
ADAPTIVE_COLLECTIONS = ADAPTIVE["collections"]
ADAPTIVE_BANKS = adaptive_names.plan(ADAPTIVE, shipped)
ADAPTIVE_BANKS_OF = {
    name: list(collection["banks"]) for name, collection in ADAPTIVE_COLLECTIONS.items()
}
# The user's tables behind each bank and each collection, for their jobs' resources.
ADAPTIVE_TABLES = {
    name: [bank.responses, bank.respondents] for name, bank in ADAPTIVE_BANKS.items()
}
ADAPTIVE_ALL_TABLES = {
    name: [path for bank in banks for path in ADAPTIVE_TABLES[bank]]
    for name, banks in ADAPTIVE_BANKS_OF.items()
}
ADAPTIVE_PUBLISHED = {
    name: adaptive_names.published_results(ADAPTIVE_BANKS[name])
    for name in adaptive_names.published(ADAPTIVE_BANKS)
}
ADAPTIVE_SYNTHETIC = adaptive_names.synthetic(ADAPTIVE_BANKS)
# Embedded boards are fitted and evaluated by one job, other banks one by one.
ADAPTIVE_EMBEDDED = adaptive_names.embedded(ADAPTIVE_BANKS)
ADAPTIVE_ONE_BY_ONE = adaptive_names.pattern(
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
    "mem_mb": growing(1000, 100, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
    "runtime": growing(5, 15, lambda wildcards: ADAPTIVE_TABLES[wildcards.bank]),
}
ADAPTIVE_RESOURCES_OF_ALL = {
    "mem_mb": growing(
        1000, 20, lambda wildcards: ADAPTIVE_ALL_TABLES[wildcards.collection]
    ),
    "runtime": growing(
        10, 1, lambda wildcards: ADAPTIVE_ALL_TABLES[wildcards.collection]
    ),
}


wildcard_constraints:
    bank=adaptive_names.pattern(ADAPTIVE_BANKS),
    synthetic_bank=adaptive_names.pattern(ADAPTIVE_SYNTHETIC),
    published_bank=adaptive_names.pattern(adaptive_names.published(ADAPTIVE_BANKS)),
    collection=adaptive_names.pattern(ADAPTIVE_COLLECTIONS),


rule adaptive_synthetic:
    """Draw the synthetic banks: responses with known truth, over the same synthetic respondents."""
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
    """Fetch the fluid benchmarking paper's data set; the first fetch writes the lock file."""
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
    """Read one benchmark of the fluid benchmarking data set in its published layout."""
    input:
        parameters=lambda wildcards: "{0.published}/irt_models/{0.benchmark}.csv".format(
            ADAPTIVE_BANKS[wildcards.published_bank]
        ),
        results=lambda wildcards: ADAPTIVE_PUBLISHED[wildcards.published_bank],
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
            1500, 20, lambda wildcards: ADAPTIVE_PUBLISHED[wildcards.published_bank]
        ),
        runtime=growing(
            10, 1, lambda wildcards: ADAPTIVE_PUBLISHED[wildcards.published_bank]
        ),
    params:
        code=code("adaptive/published.py"),
        benchmark=lambda wildcards: ADAPTIVE_BANKS[wildcards.published_bank].benchmark,
    script:
        "../scripts/adaptive/published.py"


rule adaptive_responses:
    """Check a bank's responses and respondents; write them in one layout."""
    input:
        table=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].responses,
        respondents=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].respondents or [],
    output:
        # update(): a table that fails its checks leaves the earlier, valid one in place.
        responses=update("results/adaptive/banks/{bank}/responses.csv"),
        respondents=update("results/adaptive/banks/{bank}/respondents.csv"),
    log:
        "results/logs/adaptive/responses/{bank}.log",
    priority: CHECKS_TABLES
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/responses.py"),
        layout=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].layout,
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/responses.py"


rule adaptive_study:
    """Fit, evaluate and look at the top of all banks of embedded boards, one collection after another."""
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
                labels={"item": f"{TITLES.get(bank, bank)}: suspected label errors"},
            )
            for name in ADAPTIVE_EMBEDDED_COLLECTIONS
            for bank in ADAPTIVE_SHOWN_OF[name]
        ],
    log:
        "results/logs/adaptive/study.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/study.py"),
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
    """Fit the item response model to a bank; write items, abilities and the fit's facts."""
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
    output:
        parameters="results/adaptive/banks/{bank}/item_parameters.csv",
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        facts="results/adaptive/banks/{bank}/fit.json",
    log:
        "results/logs/adaptive/fit/{bank}.log",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/fit.py"),
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/fit.py"


rule adaptive_misfit:
    """Whether the model fits a bank: compare it with banks that its fitted model draws."""
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
    log:
        "results/logs/adaptive/misfit/{bank}.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/misfit.py"),
        seed=config["seed"],
        replicates=ADAPTIVE["replicates"],
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/misfit.py"


# When it is asked for: it needs at least five families.
rule adaptive_relatives:
    """Errors of a bank's items and abilities that reckon with families of models."""
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
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
    script:
        "../scripts/adaptive/relatives.py"


# When it is asked for: it needs families of at least five models.
rule adaptive_dif:
    """Items of a bank that some families find easier than others at the same ability."""
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        respondents="results/adaptive/banks/{bank}/respondents.csv",
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
    script:
        "../scripts/adaptive/dif.py"


# Of every embedded board whose families are known; minutes, so only when it is asked for.
rule adaptive_subset_errors:
    """How far subsets of the embedded boards miss models of families left out, beside shortcuts."""
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
    log:
        "results/logs/adaptive/subset_errors.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/subset_errors.py"),
        seed=config["seed"],
        boards=SUBSET_BOARDS,
        sizes=[50, 100, 200],
        adaptive=[100],
        draws=20,
    script:
        "../scripts/adaptive/subset_errors.py"


rule adaptive_partners:
    """Which benchmarks of a collection can serve as each other's partners in validity."""
    input:
        respondents=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/respondents.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
        ),
    output:
        partners="results/adaptive/collections/{collection}/partners.csv",
    log:
        "results/logs/adaptive/partners/{collection}.log",
    wildcard_constraints:
        collection=adaptive_names.pattern(
            [
                name
                for name in ADAPTIVE_COLLECTIONS
                if name not in ADAPTIVE_EMBEDDED_COLLECTIONS
            ]
        ),
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        code=code("adaptive/partners.py"),
        banks=lambda wildcards: ADAPTIVE_BANKS_OF[wildcards.collection],
        least=ADAPTIVE["least_partner_correlation"],
        named=lambda wildcards: {
            bank: ADAPTIVE_BANKS[bank].partner
            for bank in ADAPTIVE_BANKS_OF[wildcards.collection]
            if ADAPTIVE_BANKS[bank].partner is not None
        },
    script:
        "../scripts/adaptive/partners.py"


rule adaptive_evaluation:
    """Evaluate every respondent by every method, with its family left out of the item fit."""
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
            partner=ADAPTIVE_BANKS_OF[ADAPTIVE_BANKS[wildcards.bank].collection],
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
    log:
        "results/logs/adaptive/evaluation/{bank}.log",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/evaluation.py"),
        seed=config["seed"],
        settings={
            key: ADAPTIVE[key]
            for key in ("sizes", "draws", "slopes", "prior", "limits")
        },
        partners=lambda wildcards: ADAPTIVE_BANKS_OF[
            ADAPTIVE_BANKS[wildcards.bank].collection
        ],
    script:
        "../scripts/adaptive/evaluation.py"


rule adaptive_frontier:
    """What the bank still measures at the top of its respondents."""
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
    log:
        "results/logs/adaptive/frontier/{bank}.log",
    wildcard_constraints:
        bank=ADAPTIVE_ONE_BY_ONE,
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/frontier.py"),
        top=ADAPTIVE["top"],
    script:
        "../scripts/adaptive/frontier.py"


rule adaptive_recovery:
    """How well the fit of a synthetic bank recovers its truth: a table and a figure."""
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
    log:
        "results/logs/adaptive/recovery/{synthetic_bank}.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/recovery.py"),
    script:
        "../scripts/adaptive/recovery.py"


rule adaptive_posterior:
    """Full posterior of a small bank by NUTS, its diagnostics, and its agreement with the MAP fit."""
    input:
        responses="results/adaptive/banks/{bank}/responses.csv",
        item_table="results/adaptive/banks/{bank}/items.csv",
        abilities="results/adaptive/banks/{bank}/abilities.csv",
        lock=LOCK,
    output:
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
        seed=config["seed"],
        settings=ADAPTIVE["posterior"],
    script:
        "../scripts/adaptive/posterior.py"


rule adaptive_figures:
    """Draw a bank's figures."""
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
    log:
        "results/logs/adaptive/figures/{bank}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES,
    params:
        code=code("adaptive/figures.py"),
        synthetic=lambda wildcards: wildcards.bank in ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/figures.py"


rule adaptive_paper_tables:
    """Tables 1-3 over a collection's banks, and its headline numbers."""
    input:
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
        ),
        quality=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/quality.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
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
    log:
        "results/logs/adaptive/paper_tables/{collection}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        code=code("adaptive/paper_tables.py"),
        banks=lambda wildcards: ADAPTIVE_BANKS_OF[wildcards.collection],
        seed=config["seed"],
        synthetic=lambda wildcards: adaptive_names.all_synthetic(
            ADAPTIVE_BANKS, ADAPTIVE_BANKS_OF[wildcards.collection]
        ),
    script:
        "../scripts/adaptive/paper_tables.py"


rule adaptive_collection_figures:
    """Draw a collection's figures: the three measures, and fluid against random model by model."""
    input:
        summary="results/adaptive/collections/{collection}/summary.csv",
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
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
    log:
        "results/logs/adaptive/collection_figures/{collection}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        code=code("adaptive/collection_figures.py"),
        banks=lambda wildcards: ADAPTIVE_BANKS_OF[wildcards.collection],
        synthetic=lambda wildcards: adaptive_names.all_synthetic(
            ADAPTIVE_BANKS, ADAPTIVE_BANKS_OF[wildcards.collection]
        ),
    script:
        "../scripts/adaptive/collection_figures.py"


rule adaptive_breakdown:
    """The published collection by benchmark and by model, and its counts."""
    input:
        models=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/models.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
        ),
        respondents=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/respondents.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
        ),
        stopping=lambda wildcards: expand(
            "results/adaptive/banks/{bank}/stopping.csv",
            bank=ADAPTIVE_BANKS_OF[wildcards.collection],
        ),
        parameters=lambda wildcards: [
            adaptive_names.published_file(bank, "item_parameters")
            for bank in ADAPTIVE_BANKS_OF[wildcards.collection]
        ],
        fitted=lambda wildcards: [
            adaptive_names.published_file(bank, "abilities")
            for bank in ADAPTIVE_BANKS_OF[wildcards.collection]
        ],
    output:
        "results/adaptive/collections/{collection}/breakdown.csv",
    log:
        "results/logs/adaptive/breakdown/{collection}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ADAPTIVE_RESOURCES_OF_ALL,
    params:
        code=code("adaptive/breakdown.py"),
        banks=lambda wildcards: ADAPTIVE_BANKS_OF[wildcards.collection],
    script:
        "../scripts/adaptive/breakdown.py"


ADAPTIVE_RUN_BANKS = [
    bank
    for collection in ADAPTIVE["run"]
    for bank in ADAPTIVE_COLLECTIONS[collection]["banks"]
]


rule adaptive_quantities:
    """The study's headline numbers, over all collections that are run."""
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
    log:
        "results/logs/adaptive/quantities.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("adaptive/quantities.py"),
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
            bank=adaptive_names.small_enough(ADAPTIVE, ADAPTIVE_BANKS),
        ),


# What its data cannot decide stays in the ledger with the command that would.
offer(
    "adaptive",
    targets=rules.adaptive.input,
    quantities=rules.adaptive_quantities.output.quantities,
    paper="fluid",
)
