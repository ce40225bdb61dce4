"""The study's headline numbers, for the ledger and the reader."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.robustness import quantities, schemas

MEASURED = {
    "audit_datasets": schemas.AUDIT_DATASETS,
    "external": schemas.EXTERNAL_CHECKED,
    "variants": schemas.VARIANTS,
    "variants_alike": schemas.VARIANTS_ALIKE,
    "trends": schemas.TRENDS,
    "trend_components": schemas.TREND_COMPONENTS,
    "trend_outliers": schemas.TREND_OUTLIERS,
    "prompts": schemas.PROMPTS,
    "prompt_spreads": schemas.PROMPT_SPREADS,
    "repeats": schemas.REPEATS,
    "floor": schemas.FLOOR,
}
# Of predictions of one's own, where there are some.
OWN = {
    "slopes": schemas.SLOPES,
    "variance_shares": schemas.VARIANCE_SHARES,
    "datasets": schemas.DATASET_MEASURES,
    "correlations": schemas.CORRELATIONS,
}


def main(inputs: Paths, output: Paths) -> None:
    facts = {
        "performance": stages.read(inputs["performance"], schemas.PERFORMANCE),
        "models": stages.read(inputs["models"], schemas.MODELS),
        "design": stages.read(inputs["design"], schemas.DESIGN, dtype=str),
    }
    measured = {
        name: stages.read(inputs[name], schema)
        for name, schema in {**MEASURED, **OWN}.items()
        if inputs.each(name)
    }
    # The printed digits are what the audit is about: as numbers they would lose their zeros.
    digits = dict.fromkeys(schemas.STATISTICS, str)
    measured["audit"] = stages.read(inputs["audit"], schemas.AUDIT, dtype=digits)
    write_csv(quantities.table(facts, measured), output["files"])


stages.run(main, globals())
