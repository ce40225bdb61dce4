"""Pinned public data, fetched and checked.

in:  resources/sources.csv, a local mirror or the network
out: results/sources/NAME.SUFFIX, as the source is called
"""

import time

from saturation.planning import cache as saturation_cache
from saturation.planning.clock import bring_back

# A damaged copy of an earlier run is set aside, so that it is fetched again.
if workflow.is_main_process:
    for damaged in saturation_cache.set_aside(
        Path("results/sources"), ROOT / "resources" / "sources.csv"
    ):
        logger.warning(
            f"{damaged}: its sha256 is not the pinned one; it is fetched again"
        )
    for broken in saturation_cache.unreadable(SOURCE):
        logger.warning(f"{broken}: this compiled code is broken; it is compiled again")
    if late := bring_back([Path("results"), ROOT / "resources"], time.time()):
        logger.warning(
            f"{late[0]}{f' and {len(late) - 1} other files are' if late[1:] else ' is'} from the "
            "future (was the clock wrong?); dated to now"
        )


rule sources_fetch:
    input:
        registry=shipped("resources/sources.csv"),
    output:
        "results/sources/{source}.{suffix}",
    wildcard_constraints:
        source=r"\w+",
        suffix=r"\w+",
    params:
        mirror=config["sources"]["mirror"],
    script:
        "../scripts/sources/fetch.py"
