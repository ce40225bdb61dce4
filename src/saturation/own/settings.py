"""What the config says of cards, as the typed settings that the library takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from saturation.board.leaders import Settings as LeaderSettings
from saturation.discriminability.projection import Demands
from saturation.discriminability.retirement import Thresholds
from saturation.own.card import Settings as CardSettings
from saturation.own.course import Settings as CourseSettings


@dataclass(frozen=True)
class Settings:
    """How cards are made.

    Parameters
    ----------
    card
        How the top is judged and a verdict is reached.
    course
        How the months of a leaderboard are judged.
    """

    card: CardSettings
    course: CourseSettings

    @property
    def level(self) -> float:
        """Confidence level of tests and intervals, one for the whole card."""
        return self.card.frontier.level


def from_config(
    cards: Mapping[str, Any], plateau: Mapping[str, Any], discriminability: Mapping[str, Any]
) -> Settings:
    """Settings out of three sections of a checked config.

    Parameters
    ----------
    cards
        The section ``own``.
    plateau, discriminability
        The studies' sections, whose index, thresholds and measures the cards take over.
    """
    frontier = LeaderSettings(
        k=plateau["k"],
        alpha=plateau["alpha"],
        epsilon=plateau["epsilon"],
        edges=tuple(plateau["bin_edges"]),
        saturated_from=plateau["saturated_from"],
        level=cards["level"],
        power=cards["power"],
        compared=cards["models_compared"],
        least_coverage=cards["least_coverage"],
        margin=cards["meaningful_difference"],
        ceiling=plateau["ceiling"],
        k_grid=tuple(cards["grid"]["k"]),
        alpha_grid=tuple(cards["grid"]["alpha"]),
    )
    card = CardSettings(frontier)
    course = CourseSettings(
        bins=discriminability["bins"],
        min_models=discriminability["min_models"],
        level=cards["level"],
        demands=Demands(**discriminability["growth"]),
        thresholds=Thresholds(**discriminability["retirement"]),
    )
    return Settings(card, course)
