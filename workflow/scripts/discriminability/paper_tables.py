"""Tables 1 and 2: a leaderboard's status with the paper's columns and what stands beside them."""

from saturation.discriminability import paper_tables, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html, write_markdown


def main(inputs: Paths, output: Paths) -> None:
    tables = {name: stages.read(inputs[name], schemas.RESULTS[name]) for name in inputs}
    for number, board in enumerate(paper_tables.leaderboards(tables["monthly"]), start=1):
        status = paper_tables.status(tables, board)
        printed = paper_tables.printed(status)
        title = f"Table {number}: status of leaderboard {board}"
        write_csv(status, output[f"table_{number}_csv"])
        write_markdown(printed, output[f"table_{number}_md"], title)
        write_html(printed, output[f"table_{number}_html"], title)


stages.run(main, globals())
