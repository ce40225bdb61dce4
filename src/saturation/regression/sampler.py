"""What draws a posterior, as calibration and refits need it: light, without PyMC."""

from typing import TYPE_CHECKING, Protocol

from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort

if TYPE_CHECKING:
    import xarray as xr


class Sampler(Protocol):
    """What draws a posterior: :class:`saturation.regression.posterior.Sampler`, or a stand-in."""

    def draw(self, design: Design, priors: Priors, effort: Effort, seed: int) -> "xr.Dataset":
        """Posterior of one design.

        Parameters
        ----------
        design
            What the model is fitted to.
        priors
            Scales of the priors.
        effort
            Draws, tuning steps and chains.
        seed
            Seed of the chains.
        """
        ...
