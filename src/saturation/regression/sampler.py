"""What draws a posterior, as calibration and refits need it: light, without nutpie."""

from typing import TYPE_CHECKING, Protocol

from saturation.regression.design import Design
from saturation.regression.specification import Effort, Specification

if TYPE_CHECKING:
    import xarray as xr


class Drawn(Protocol):
    """What draws a posterior: :func:`saturation.regression.posterior.draw`, or a stand-in."""

    def __call__(
        self, design: Design, specification: Specification, effort: Effort, seed: int
    ) -> "xr.Dataset":
        """Posterior of one design."""
        ...
