"""Simulations: does every interval, test and probability hold what it states?

in:  resources/simulation/table.csv, the committed result; src/saturation/simulation/SUBJECT.py
out: results/simulation/levels.html, results/figures/simulation/levels.* (part of `all`);
     results/simulation/{checks/SUBJECT,table}.csv and gate.txt (target `simulation`, minutes)
"""

from saturation.simulation.names import subjects as simulation_subjects

SIMULATION_SUBJECTS = simulation_subjects()
SIMULATION_KNOWN = shipped("resources/simulation/table.csv")


wildcard_constraints:
    subject="|".join(SIMULATION_SUBJECTS),


rule simulation_checks:
    input:
        # The script looks for its subject's module by name, so that its code is named here.
        subject=simulation_code,
        lock=LOCK,
    output:
        "results/simulation/checks/{subject}.csv",
    params:
        seed=config["seed"],
    script:
        "../scripts/simulation/checks.py"


rule simulation_table:
    input:
        checks=expand(
            "results/simulation/checks/{subject}.csv", subject=SIMULATION_SUBJECTS
        ),
    output:
        "results/simulation/table.csv",
    script:
        "../scripts/simulation/table.py"


rule simulation_gate:
    input:
        table="results/simulation/table.csv",
        known=SIMULATION_KNOWN,
    output:
        "results/simulation/gate.txt",
    script:
        "../scripts/simulation/gate.py"


rule simulation_figures:
    input:
        known=SIMULATION_KNOWN,
    output:
        page=report(
            "results/simulation/levels.html",
            caption="../report/simulation/table.rst",
            category=CATEGORY["simulation"],
            labels={"item": "All checks"},
        ),
        figures=[
            report(
                "results/figures/simulation/levels.png",
                caption="../report/simulation/levels.rst",
                category=CATEGORY["simulation"],
                labels={"item": "Stated and found"},
            ),
            "results/figures/simulation/levels.pdf",
            "results/figures/simulation/levels.svg",
        ],
    script:
        "../scripts/simulation/figures.py"


rule simulation:
    """Try intervals, tests and numbers of items on data whose truth is known (minutes)."""
    input:
        "results/simulation/table.csv",
        "results/simulation/gate.txt",
