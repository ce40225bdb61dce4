# Analyses of variance of an unbalanced two-way design, for tests/studies/robustness/test_anova.py.
# Run from the project's root: Rscript tests/golden/robustness_anova.R
suppressPackageStartupMessages({library(car); library(sandwich)})
options(contrasts = c("contr.sum", "contr.poly"))
set.seed(20)
n <- 160
rows <- data.frame(
  paraphrase = sample(c("x", "y"), n, TRUE, c(.8, .2)),
  noise = sample(c("none", "spaces", "affixes"), n, TRUE, c(.6, .3, .1)),
  example_id = sprintf("e%02d", sample(20, n, TRUE))
)
rows$score <- as.numeric(runif(n) < .35 + .3 * (rows$noise == "affixes") + .1 * (rows$paraphrase == "x"))
write.csv(rows, "tests/golden/robustness_anova_data.csv", row.names = FALSE, quote = FALSE)

fit <- lm(score ~ paraphrase + noise, rows)
robust <- vcovCL(fit, cluster = ~example_id, type = "HC0")
clusters <- length(unique(rows$example_id))
columns <- list("intercept" = "(Intercept)", "paraphrase" = "paraphrase1", "noise" = c("noise1", "noise2"))
tables <- list("II" = Anova(fit, type = 2), "III" = Anova(fit, type = 3))
golden <- do.call(rbind, lapply(names(tables), function(type) {
  table <- tables[[type]]
  error <- table["Residuals", "Sum Sq"]
  do.call(rbind, lapply(setdiff(rownames(table), "Residuals"), function(term) {
    name <- if (term == "(Intercept)") "intercept" else term
    b <- coef(fit)[columns[[name]]]
    q <- length(b)
    t2 <- drop(b %*% solve(robust[columns[[name]], columns[[name]]], b))
    f <- t2 * (clusters - q) / (q * (clusters - 1))
    data.frame(
      anova_type = type, factor = name, df = table[term, "Df"], df_error = fit$df.residual,
      sum_sq = table[term, "Sum Sq"], f = table[term, "F value"], p = table[term, "Pr(>F)"],
      eta_sq = table[term, "Sum Sq"] / sum(table[, "Sum Sq"]),
      partial_eta_sq = table[term, "Sum Sq"] / (table[term, "Sum Sq"] + error),
      cluster_f = f, cluster_df_error = clusters - q,
      cluster_p = pf(f, q, clusters - q, lower.tail = FALSE)
    )
  }))
}))
write.csv(golden, "tests/golden/robustness_anova.csv", row.names = FALSE, quote = FALSE)
