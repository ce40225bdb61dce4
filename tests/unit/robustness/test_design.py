"""The paper's design as embedded: Table A.1."""

from pathlib import Path

from saturation.files import stages
from saturation.robustness import names as robustness_names
from saturation.robustness import schemas

FACTS = Path(__file__).parents[3] / "resources" / "robustness"


def test_the_papers_design_has_24_configurations():
    levels = robustness_names.levels(stages.read(FACTS / "design.csv", schemas.DESIGN, dtype=str))
    counts = {"paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2}
    assert robustness_names.n_levels(levels) == counts
    assert list(levels) == list(counts)
    # The undisturbed level comes first, and levels are text whatever they look like.
    assert levels["noise"][0] == "none"
    assert all(isinstance(name, str) for names in levels.values() for name in names)
    assert robustness_names.n_configurations(levels) == 24
