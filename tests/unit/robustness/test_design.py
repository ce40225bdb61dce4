"""The paper's design as embedded: Table A.1."""

from pathlib import Path

from saturation.files import stages
from saturation.robustness import design, schemas

FACTS = Path(__file__).parents[3] / "resources" / "robustness"


def test_the_papers_design_has_24_configurations():
    levels = design.levels(stages.read(FACTS / "design.csv", schemas.DESIGN, dtype=str))
    counts = {"paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2}
    assert design.n_levels(levels) == counts
    assert list(levels) == list(counts)
    # The undisturbed level comes first, and levels are text whatever they look like.
    assert levels["noise"][0] == "none"
    assert all(isinstance(name, str) for names in levels.values() for name in names)
    assert design.n_configurations(levels) == 24
