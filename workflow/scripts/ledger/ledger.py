"""Judge every paper's claims by the evidence on them; write the ledger and its summaries."""

from saturation.files.tables import write_csv, write_markdown
from studies.files import stages
from studies.files.stages import Paths
from studies.ledger import judge, schemas
from studies.planning.check import check_files


def main(inputs: Paths, output: Paths, *, papers: list[str], names: list[str]) -> None:
    check_files(inputs.each("quantities"))
    claims = {
        paper: stages.read(path, schemas.CLAIMS, dtype={"published": str})
        for paper, path in zip(papers, inputs.each("claims"), strict=True)
    }
    evidence = stages.load_several(inputs.each("evidence"), schemas.EVIDENCE)
    source = stages.read(inputs["studies"], schemas.STUDIES).set_index("study")["source"]
    places = judge.places(
        {path.as_posix(): path.read_text(encoding="utf-8") for path in inputs.each("makers")}
    )
    studies = {
        name: judge.Study(
            stages.read(path, schemas.QUANTITIES), str(path), source.get(name, ""), places
        )
        for name, path in zip(names, inputs.each("quantities"), strict=True)
    }
    ledger, pieces = judge.judged(claims, dict(zip(papers, evidence, strict=True)), studies)
    summary = judge.summary(ledger)
    write_csv(ledger, output["ledger"])
    write_csv(pieces, output["evidence"])
    write_csv(summary, output["summary"])
    write_csv(judge.grades(ledger), output["grades"])
    write_markdown(summary, output["markdown"], "What the papers print, and what comes out")


stages.run(main, globals())
