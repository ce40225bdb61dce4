"""The saturation index over time beside the discriminability index; knowledge and reasoning."""

from saturation.discriminability import index_over_time, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(inputs: Paths, output: Paths, *, k: int, alpha: float) -> None:
    benchmarks = stages.read(inputs["benchmarks"], schemas.INPUTS["benchmarks"])
    top = stages.read(inputs["top"], schemas.INPUTS["top"])
    monthly = stages.read(inputs["monthly"], schemas.RESULTS["monthly"])
    index = index_over_time.index_over_time(top, benchmarks, k, alpha)
    agreement = index_over_time.agreement(monthly, index)
    paces = index_over_time.pace(monthly, benchmarks)
    write_csv(index, output["index"])
    write_csv(agreement, output["agreement"])
    write_html(agreement, output["agreement_html"], "Rank agreement of S with 1 - BDI")
    write_csv(paces, output["pace"])
    write_csv(index_over_time.kinds(paces), output["kinds"])


stages.run(main, globals())
