"""The report's front page, with the numbers of the whole run and what it was made from.

in:  quantities.csv of each study, results/ledger/{summary,grades}.csv, results/{manifest,origin}.json
out: results/dashboard/landing.rst
"""

OFFERED_QUANTITIES = {
    name: path
    for offered in OFFERS.values()
    if offered["targets"]
    for name, path in offered["quantities"].items()
}


rule dashboard_landing:
    """Write the report's front page: findings, the claims in numbers, what the run was made from."""
    input:
        quantities=list(OFFERED_QUANTITIES.values()),
        summary=rules.ledger.output.summary,
        grades=rules.ledger.output.grades,
        manifest=rules.manifest.output.manifest,
        origin=rules.manifest.output.origin,
        page=shipped("workflow/report/workflow.rst"),
        findings=shipped("workflow/report/findings.md"),
    output:
        "results/dashboard/landing.rst",
    log:
        "results/logs/dashboard/landing.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("dashboard/landing.py"),
        names=list(OFFERED_QUANTITIES),
    script:
        "../scripts/dashboard/landing.py"


# The findings are about the papers' data: not shown of a run on others, nor before there is one.
LANDING = HERE / "results" / "dashboard" / "landing.rst"
FRONT_PAGE = str(LANDING) if JUDGED and LANDING.is_file() else "../report/workflow.rst"


report: FRONT_PAGE
