# Variance components of tests/golden/components_data.csv by lme4, restricted maximum likelihood:
# runs crossed with models and items, within models, and answers within cells; and of the rows that
# are kept, with models as fixed effects.
#   Rscript tests/golden/components.R > tests/golden/components.csv
suppressMessages(library(lme4))

table <- read.csv("tests/golden/components_data.csv")
exact <- lmerControl(optimizer = "nloptwrap", calc.derivs = FALSE,
                     optCtrl = list(xtol_abs = 1e-14, ftol_abs = 1e-16, maxeval = 1e5))
cat("design,term,variance\n")
write <- function(design, formula, data) {
  found <- as.data.frame(VarCorr(lmer(formula, data, control = exact)))
  name <- sub("Residual", "model:item:run", found$grp)
  cat(sprintf("%s,%s,%.12g\n", design, name, found$vcov), sep = "")
}
write("crossed", score ~ 1 + (1 | model) + (1 | item) + (1 | run) + (1 | model:item) +
        (1 | model:run) + (1 | item:run), table)
write("model", score ~ 1 + (1 | model) + (1 | item) + (1 | model:item) + (1 | model:run), table)
write("cell", score ~ 1 + (1 | model) + (1 | item) + (1 | model:item), table)
write("unbalanced", score ~ model + (1 | item) + (1 | model:item) + (1 | model:run),
      table[table$kept == 1, ])
