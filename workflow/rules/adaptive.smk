"""The adaptive study: which items still measure, and how few suffice?

in:  response matrices (synthetic, pinned nlu_* sources or the user's), config section adaptive
out: results/adaptive/BANK/{responses,respondents,item_parameters,items,abilities,administrations,
     models,quality,scores,stopping,frontier,top,sizes,suspects}.csv, fit.json, frontier.json,
     recovery.csv and posterior.csv where they apply; results/adaptive/COLLECTION_partners.csv,
     results/adaptive/tables/, results/adaptive/quantities.csv, results/figures/adaptive/
"""

ADAPTIVE = config["adaptive"]
ADAPTIVE_COLLECTIONS = ADAPTIVE["collections"]
ADAPTIVE_BANKS = {
    bank: {**given, "collection": collection}
    for collection, one in ADAPTIVE_COLLECTIONS.items()
    for bank, given in one["banks"].items()
}
ADAPTIVE_SYNTHETIC = {
    bank: given for bank, given in ADAPTIVE_BANKS.items() if "synthetic" in given
}
# Where each bank's responses and respondents come from.
ADAPTIVE_TABLES = {
    bank: given.get("responses")
    or (
        f"results/sources/{given['source']}.csv"
        if "source" in given
        else f"results/adaptive/{'published' if 'benchmark' in given else 'synthetic'}/{bank}.csv"
    )
    for bank, given in ADAPTIVE_BANKS.items()
}
ADAPTIVE_RESPONDENTS = {
    bank: ADAPTIVE_COLLECTIONS[given["collection"]].get("respondents")
    or (
        shipped("resources/adaptive/nlu_respondents.csv")
        if given.get("source", "").startswith("nlu_")
        else (
            "results/adaptive/synthetic/respondents.csv" if "synthetic" in given else []
        )
    )
    for bank, given in ADAPTIVE_BANKS.items()
}
# Banks in the paper's published layout come with item parameters and leaderboard abilities.
ADAPTIVE_PUBLISHED = {
    bank: {
        **given,
        "folder": ADAPTIVE_COLLECTIONS[given["collection"]].get("published"),
    }
    for bank, given in ADAPTIVE_BANKS.items()
    if "benchmark" in given
}
ADAPTIVE_RESPONDENTS |= {
    bank: f"results/adaptive/published/{bank}_respondents.csv"
    for bank in ADAPTIVE_PUBLISHED
}
ADAPTIVE_N_SYNTHETIC = 5 * (
    ADAPTIVE["synthetic"]["families"] * ADAPTIVE["synthetic"]["models_per_family"]
)
# The banks that are certainly small enough for the full posterior; sampling takes minutes, so it
# is a target of its own, and of other banks results/adaptive/BANK/agreement.csv.
ADAPTIVE_POSTERIORS = [
    bank
    for bank, given in ADAPTIVE_SYNTHETIC.items()
    if given["n_items"] * ADAPTIVE_N_SYNTHETIC <= ADAPTIVE["posterior"]["largest_cells"]
]
ADAPTIVE_FIGURES = {
    "item_curves": "Item response model",
    "information_map": "Item response model",
    "information_slice": "Item response model",
    "training_curves": "Adaptive tests",
    "selected_items": "Adaptive tests",
    "stopping": "Adaptive tests",
    "frontier": "Frontier",
}


wildcard_constraints:
    bank="|".join(ADAPTIVE_BANKS),
    synthetic_bank="|".join(ADAPTIVE_SYNTHETIC) or "none",
    published_bank="|".join(ADAPTIVE_PUBLISHED) or "none",
    collection="|".join(ADAPTIVE_COLLECTIONS),


rule adaptive_synthetic:
    input:
        distribution=shipped("resources/adaptive/item_parameter_distribution.csv"),
        lock=shipped("envs/requirements.txt"),
        code=code("adaptive/synthetic.py"),
    output:
        respondents="results/adaptive/synthetic/respondents.csv",
        banks=expand(
            "results/adaptive/synthetic/{bank}{kind}.csv",
            bank=ADAPTIVE_SYNTHETIC,
            kind=["", "_true_items", "_true_abilities"],
        ),
    log:
        "results/logs/adaptive/synthetic.log",
    benchmark:
        "results/costs/adaptive/synthetic.tsv"
    conda:
        ENVIRONMENT
    params:
        seed=config["seed"],
        families=ADAPTIVE["synthetic"]["families"],
        models_per_family=ADAPTIVE["synthetic"]["models_per_family"],
        banks=ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/synthetic.py"


rule adaptive_published:
    input:
        parameters=lambda wildcards: (
            "{folder}/irt_models/{benchmark}.csv".format(
                **ADAPTIVE_PUBLISHED[wildcards.published_bank]
            )
        ),
        results=lambda wildcards: sorted(
            map(
                str,
                Path(
                    ADAPTIVE_PUBLISHED[wildcards.published_bank]["folder"],
                    "lm_eval_results",
                ).glob("*.csv"),
            )
        ),
        leaderboard=lambda wildcards: (
            "{folder}/open_llm_leaderboard_results.json".format(
                **ADAPTIVE_PUBLISHED[wildcards.published_bank]
            )
        ),
        code=code("adaptive/published.py"),
    output:
        responses="results/adaptive/published/{published_bank}.csv",
        respondents="results/adaptive/published/{published_bank}_respondents.csv",
        known="results/adaptive/published/{published_bank}_item_parameters.csv",
        abilities="results/adaptive/published/{published_bank}_abilities.csv",
    log:
        "results/logs/adaptive/{published_bank}/published.log",
    benchmark:
        "results/costs/adaptive/{published_bank}/published.tsv"
    conda:
        ENVIRONMENT
    params:
        benchmark=lambda wildcards: ADAPTIVE_PUBLISHED[wildcards.published_bank][
            "benchmark"
        ],
    script:
        "../scripts/adaptive/published.py"


rule adaptive_responses:
    input:
        table=lambda wildcards: ADAPTIVE_TABLES[wildcards.bank],
        respondents=lambda wildcards: ADAPTIVE_RESPONDENTS[wildcards.bank],
        code=code("adaptive/responses.py"),
    output:
        # update(): a table that fails its checks leaves the earlier, valid one in place.
        responses=update("results/adaptive/{bank}/responses.csv"),
        respondents=update("results/adaptive/{bank}/respondents.csv"),
    log:
        "results/logs/adaptive/{bank}/responses.log",
    benchmark:
        "results/costs/adaptive/{bank}/responses.tsv"
    conda:
        ENVIRONMENT
    params:
        layout=lambda wildcards: ADAPTIVE_BANKS[wildcards.bank].get("layout", "wide"),
        fewest=ADAPTIVE["fewest_respondents"],
    script:
        "../scripts/adaptive/responses.py"


rule adaptive_fit:
    input:
        responses="results/adaptive/{bank}/responses.csv",
        code=code("adaptive/fit.py"),
    output:
        parameters="results/adaptive/{bank}/item_parameters.csv",
        item_table="results/adaptive/{bank}/items.csv",
        abilities="results/adaptive/{bank}/abilities.csv",
        facts="results/adaptive/{bank}/fit.json",
    log:
        "results/logs/adaptive/{bank}/fit.log",
    benchmark:
        "results/costs/adaptive/{bank}/fit.tsv"
    conda:
        ENVIRONMENT
    params:
        slopes=ADAPTIVE["slopes"],
    script:
        "../scripts/adaptive/fit.py"


rule adaptive_partners:
    input:
        respondents=lambda wildcards: expand(
            "results/adaptive/{bank}/respondents.csv",
            bank=ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"],
        ),
        code=code("adaptive/partners.py"),
    output:
        "results/adaptive/{collection}_partners.csv",
    log:
        "results/logs/adaptive/{collection}_partners.log",
    benchmark:
        "results/costs/adaptive/{collection}_partners.tsv"
    conda:
        ENVIRONMENT
    params:
        banks=lambda wildcards: list(
            ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"]
        ),
        least=ADAPTIVE["least_partner_correlation"],
        named=lambda wildcards: {
            bank: given["partner"]
            for bank, given in ADAPTIVE_COLLECTIONS[wildcards.collection][
                "banks"
            ].items()
            if "partner" in given
        },
    script:
        "../scripts/adaptive/partners.py"


rule adaptive_evaluate:
    input:
        responses="results/adaptive/{bank}/responses.csv",
        respondents="results/adaptive/{bank}/respondents.csv",
        abilities="results/adaptive/{bank}/abilities.csv",
        item_parameters="results/adaptive/{bank}/item_parameters.csv",
        partners=lambda wildcards: (
            f"results/adaptive/{ADAPTIVE_BANKS[wildcards.bank]['collection']}_partners.csv"
        ),
        partner_tables=lambda wildcards: expand(
            "results/adaptive/{partner}/respondents.csv",
            partner=ADAPTIVE_COLLECTIONS[ADAPTIVE_BANKS[wildcards.bank]["collection"]][
                "banks"
            ],
        ),
        # Item parameters from elsewhere, and the abilities of the models that they rest on.
        known=lambda wildcards: (
            f"results/adaptive/published/{wildcards.bank}_item_parameters.csv"
            if wildcards.bank in ADAPTIVE_PUBLISHED
            else []
        ),
        known_abilities=lambda wildcards: (
            f"results/adaptive/published/{wildcards.bank}_abilities.csv"
            if wildcards.bank in ADAPTIVE_PUBLISHED
            else []
        ),
        lock=shipped("envs/requirements.txt"),
        code=code("adaptive/evaluate.py"),
    output:
        administrations="results/adaptive/{bank}/administrations.csv",
        models="results/adaptive/{bank}/models.csv",
        quality="results/adaptive/{bank}/quality.csv",
        scores="results/adaptive/{bank}/scores.csv",
        stopping="results/adaptive/{bank}/stopping.csv",
    log:
        "results/logs/adaptive/{bank}/evaluate.log",
    benchmark:
        "results/costs/adaptive/{bank}/evaluate.tsv"
    conda:
        ENVIRONMENT
    params:
        seed=config["seed"],
        sizes=ADAPTIVE["sizes"],
        draws=ADAPTIVE["draws"],
        slopes=ADAPTIVE["slopes"],
        partner_names=lambda wildcards: list(
            ADAPTIVE_COLLECTIONS[ADAPTIVE_BANKS[wildcards.bank]["collection"]]["banks"]
        ),
    script:
        "../scripts/adaptive/evaluate.py"


rule adaptive_frontier:
    input:
        responses="results/adaptive/{bank}/responses.csv",
        respondents="results/adaptive/{bank}/respondents.csv",
        item_table="results/adaptive/{bank}/items.csv",
        abilities="results/adaptive/{bank}/abilities.csv",
        code=code("adaptive/frontier.py"),
    output:
        curve="results/adaptive/{bank}/frontier.csv",
        top="results/adaptive/{bank}/top.csv",
        sizes="results/adaptive/{bank}/sizes.csv",
        suspects="results/adaptive/{bank}/suspects.csv",
        page=report(
            "results/adaptive/{bank}/suspects.html",
            caption="../report/adaptive/suspects.rst",
            category="3 Adaptive",
            subcategory="Frontier",
            labels={"item": "{bank}: label-error suspects"},
        ),
        facts="results/adaptive/{bank}/frontier.json",
    log:
        "results/logs/adaptive/{bank}/frontier.log",
    benchmark:
        "results/costs/adaptive/{bank}/frontier.tsv"
    conda:
        ENVIRONMENT
    params:
        top=ADAPTIVE["top"],
    script:
        "../scripts/adaptive/frontier.py"


rule adaptive_recovery:
    input:
        item_table="results/adaptive/{synthetic_bank}/items.csv",
        abilities="results/adaptive/{synthetic_bank}/abilities.csv",
        true_items="results/adaptive/synthetic/{synthetic_bank}_true_items.csv",
        truth="results/adaptive/synthetic/{synthetic_bank}_true_abilities.csv",
        code=code("adaptive/recovery.py"),
    output:
        table="results/adaptive/{synthetic_bank}/recovery.csv",
        png=report(
            "results/figures/adaptive/{synthetic_bank}/recovery.png",
            caption="../report/adaptive/recovery.rst",
            category="3 Adaptive",
            subcategory="Item response model",
            labels={"item": "{synthetic_bank}: recovery"},
        ),
        pdf="results/figures/adaptive/{synthetic_bank}/recovery.pdf",
        svg="results/figures/adaptive/{synthetic_bank}/recovery.svg",
    log:
        "results/logs/adaptive/{synthetic_bank}/recovery.log",
    benchmark:
        "results/costs/adaptive/{synthetic_bank}/recovery.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/adaptive/recovery.py"


rule adaptive_posterior:
    input:
        responses="results/adaptive/{bank}/responses.csv",
        item_table="results/adaptive/{bank}/items.csv",
        abilities="results/adaptive/{bank}/abilities.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("adaptive/posterior.py"),
    output:
        posterior="results/adaptive/{bank}/posterior.csv",
        agreement="results/adaptive/{bank}/agreement.csv",
        diagnostics="results/adaptive/{bank}/diagnostics.json",
    log:
        "results/logs/adaptive/{bank}/posterior.log",
    benchmark:
        "results/costs/adaptive/{bank}/posterior.tsv"
    conda:
        ENVIRONMENT
    params:
        seed=config["seed"],
        settings=ADAPTIVE["posterior"],
    script:
        "../scripts/adaptive/posterior.py"


rule adaptive_figures:
    input:
        item_table="results/adaptive/{bank}/items.csv",
        abilities="results/adaptive/{bank}/abilities.csv",
        scores="results/adaptive/{bank}/scores.csv",
        administrations="results/adaptive/{bank}/administrations.csv",
        stopping="results/adaptive/{bank}/stopping.csv",
        frontier="results/adaptive/{bank}/frontier.csv",
        top="results/adaptive/{bank}/top.csv",
        code=code("adaptive/figures.py"),
    output:
        [
            report(
                f"results/figures/adaptive/{{bank}}/{name}.png",
                caption=f"../report/adaptive/{name}.rst",
                category="3 Adaptive",
                subcategory=subcategory,
                labels={"item": f"{{bank}}: {name.replace('_', ' ')}"},
            )
            for name, subcategory in ADAPTIVE_FIGURES.items()
        ],
        [
            f"results/figures/adaptive/{{bank}}/{name}.{suffix}"
            for name in ADAPTIVE_FIGURES
            for suffix in ("pdf", "svg")
        ],
    log:
        "results/logs/adaptive/{bank}/figures.log",
    benchmark:
        "results/costs/adaptive/{bank}/figures.tsv"
    conda:
        ENVIRONMENT
    params:
        sizes=ADAPTIVE["sizes"],
        synthetic=lambda wildcards: wildcards.bank in ADAPTIVE_SYNTHETIC,
    script:
        "../scripts/adaptive/figures.py"


rule adaptive_tables:
    input:
        models=lambda wildcards: expand(
            "results/adaptive/{bank}/models.csv",
            bank=ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"],
        ),
        quality=lambda wildcards: expand(
            "results/adaptive/{bank}/quality.csv",
            bank=ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"],
        ),
        lock=shipped("envs/requirements.txt"),
        code=code("adaptive/tables.py"),
    output:
        **{
            f"table{number}_{suffix}": f"results/adaptive/tables/{{collection}}_table{number}.{suffix}"
            for number in (1, 2, 3)
            for suffix in ("csv", "md")
        },
        **{
            f"table{number}_html": report(
                f"results/adaptive/tables/{{collection}}_table{number}.html",
                caption=f"../report/adaptive/table{number}.rst",
                category="3 Adaptive",
                subcategory="Evaluation quality",
                labels={"item": f"{{collection}}: table {number}"},
            )
            for number in (1, 2, 3)
        },
        summary="results/adaptive/tables/{collection}_summary.csv",
        quantities="results/adaptive/tables/{collection}_quantities.csv",
    log:
        "results/logs/adaptive/{collection}_tables.log",
    benchmark:
        "results/costs/adaptive/{collection}_tables.tsv"
    conda:
        ENVIRONMENT
    params:
        banks=lambda wildcards: list(
            ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"]
        ),
        seed=config["seed"],
        synthetic=lambda wildcards: set(
            ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"]
        )
        <= set(ADAPTIVE_SYNTHETIC),
    script:
        "../scripts/adaptive/tables.py"


rule adaptive_collection_figures:
    input:
        summary="results/adaptive/tables/{collection}_summary.csv",
        models=lambda wildcards: expand(
            "results/adaptive/{bank}/models.csv",
            bank=ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"],
        ),
        code=code("adaptive/collection_figures.py"),
    output:
        [
            report(
                f"results/figures/adaptive/{{collection}}/{name}.png",
                caption=f"../report/adaptive/{name}.rst",
                category="3 Adaptive",
                subcategory="Evaluation quality",
                labels={"item": f"{{collection}}: {name}"},
            )
            for name in ("quality", "pairs")
        ],
        [
            f"results/figures/adaptive/{{collection}}/{name}.{suffix}"
            for name in ("quality", "pairs")
            for suffix in ("pdf", "svg")
        ],
    log:
        "results/logs/adaptive/{collection}_figures.log",
    benchmark:
        "results/costs/adaptive/{collection}_figures.tsv"
    conda:
        ENVIRONMENT
    params:
        banks=lambda wildcards: list(
            ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"]
        ),
        synthetic=lambda wildcards: set(
            ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"]
        )
        <= set(ADAPTIVE_SYNTHETIC),
    script:
        "../scripts/adaptive/collection_figures.py"


ADAPTIVE_RUN_BANKS = [
    bank for one in ADAPTIVE["run"] for bank in ADAPTIVE_COLLECTIONS[one]["banks"]
]


rule adaptive_quantities:
    input:
        collections=expand(
            "results/adaptive/tables/{collection}_quantities.csv",
            collection=ADAPTIVE["run"],
        ),
        frontier=expand(
            "results/adaptive/{bank}/frontier.json", bank=ADAPTIVE_RUN_BANKS
        ),
        stopping=expand("results/adaptive/{bank}/stopping.csv", bank=ADAPTIVE_RUN_BANKS),
        partners=expand(
            "results/adaptive/{collection}_partners.csv", collection=ADAPTIVE["run"]
        ),
        claims=shipped("resources/ledger/adaptive.csv"),
        code=code("adaptive/quantities.py"),
    output:
        quantities="results/adaptive/quantities.csv",
        # The study's rows of the ledger, with what this run can decide.
        claims="results/adaptive/claims/adaptive.csv",
    log:
        "results/logs/adaptive/quantities.log",
    benchmark:
        "results/costs/adaptive/quantities.tsv"
    conda:
        ENVIRONMENT
    params:
        banks=ADAPTIVE_RUN_BANKS,
    script:
        "../scripts/adaptive/quantities.py"


# What a collection gives, by its name.
ADAPTIVE_TARGETS = {
    collection: [
        *expand(
            "results/adaptive/{bank}/{table}.csv",
            bank=one["banks"],
            table=["item_parameters", "administrations", "suspects"],
        ),
        *expand(
            "results/figures/adaptive/{bank}/{name}.png",
            bank=one["banks"],
            name=ADAPTIVE_FIGURES,
        ),
        *expand(
            "results/adaptive/{bank}/recovery.csv",
            bank=[bank for bank in one["banks"] if bank in ADAPTIVE_SYNTHETIC],
        ),
        *expand(
            "results/adaptive/tables/{collection}_table{number}.html",
            collection=[collection],
            number=[1, 2, 3],
        ),
        *expand(
            "results/figures/adaptive/{collection}/{name}.png",
            collection=[collection],
            name=["quality", "pairs"],
        ),
    ]
    for collection, one in ADAPTIVE_COLLECTIONS.items()
}


rule adaptive:
    input:
        [ADAPTIVE_TARGETS[collection] for collection in ADAPTIVE["run"]],
        rules.adaptive_quantities.output.quantities,


rule adaptive_real:
    input:
        ADAPTIVE_TARGETS["nlu"],


rule adaptive_posteriors:
    input:
        expand("results/adaptive/{bank}/agreement.csv", bank=ADAPTIVE_POSTERIORS),


# What its data cannot decide stays in the ledger as undecidable.
offer(
    "adaptive",
    targets=rules.adaptive.input,
    quantities=rules.adaptive_quantities.output.quantities,
    claims="results/adaptive/claims/adaptive.csv",
)
