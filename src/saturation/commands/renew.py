"""The command `renew`."""

from saturation.commands.base import Options
from saturation.own import outlook
from saturation.own.study import shipped_context
from saturation.renewal import page


def run(options: Options) -> str:
    """Analyse a renewal, with a forecast where models have dates."""
    context = shipped_context()
    return page.run(options, lambda dated: outlook.best_in_a_year(dated, context.lessons))
