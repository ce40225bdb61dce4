# Regressions of consistency on performance, for tests/studies/robustness/test_slopes.py.
# Run from the project's root: Rscript tests/golden/robustness_slopes.R
suppressPackageStartupMessages({library(car); library(sandwich); library(lmerTest)})
set.seed(21)
pairs <- expand.grid(dataset = paste0("d", 1:6), model = paste0("m", 1:7))[-c(3, 11, 30), ]
pairs$performance <- round(runif(nrow(pairs), .3, 1), 3)
model <- rnorm(7, 0, .08)[as.integer(factor(pairs$model))]
dataset <- rnorm(6, 0, .06)[as.integer(factor(pairs$dataset))]
pairs$output_consistency <- round(-.1 + pairs$performance + model + dataset + rnorm(nrow(pairs), 0, .05 * pairs$performance), 3)
write.csv(pairs, "tests/golden/robustness_slopes_data.csv", row.names = FALSE, quote = FALSE)

level <- .9
row <- function(reading, fit, covariance = vcov(fit), r_squared = NA, intercept = NA) {
  slope <- coef(fit)[["performance"]]
  half <- qt((1 + level) / 2, fit$df.residual) * sqrt(covariance["performance", "performance"])
  data.frame(reading = reading, slope = slope, lower = slope - half, upper = slope + half, intercept = intercept, r_squared = r_squared)
}
ols <- lm(output_consistency ~ performance, pairs)
tight <- lmerControl(optimizer = "nloptwrap", optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-14, maxeval = 1e5))
mixed <- lmer(output_consistency ~ performance + (1 | model) + (1 | dataset), pairs, REML = TRUE, control = tight)
slope <- fixef(mixed)[["performance"]]
tested <- summary(mixed, ddf = "Kenward-Roger")$coefficients["performance", ]
half <- qt((1 + level) / 2, tested[["df"]]) * tested[["Std. Error"]]
golden <- rbind(
  row("ols", ols, r_squared = summary(ols)$r.squared, intercept = coef(ols)[[1]]),
  row("ols_hc3", ols, vcovHC(ols, "HC3"), summary(ols)$r.squared, coef(ols)[[1]]),
  data.frame(reading = "mixed", slope = slope, lower = slope - half, upper = slope + half, intercept = fixef(mixed)[[1]], r_squared = NA)
)
write.csv(golden, "tests/golden/robustness_slopes.csv", row.names = FALSE, quote = FALSE, na = "")

sds <- as.data.frame(VarCorr(mixed))
write.csv(data.frame(component = sds$grp, sd = sds$sdcor), "tests/golden/robustness_components.csv", row.names = FALSE, quote = FALSE)

tests <- Anova(lm(output_consistency ~ performance + model + dataset, pairs), type = 2)
terms <- setdiff(rownames(tests), "Residuals")
write.csv(data.frame(
  term = terms, df = tests[terms, "Df"], df_error = tests["Residuals", "Df"], f = tests[terms, "F value"],
  p = tests[terms, "Pr(>F)"]
), "tests/golden/robustness_group_tests.csv", row.names = FALSE, quote = FALSE)

t <- rstudent(ols)
outliers <- data.frame(
  model = pairs$model, dataset = pairs$dataset, studentised = t,
  p_bonferroni = pmin(1, nrow(pairs) * 2 * pt(-abs(t), ols$df.residual - 1))
)
write.csv(outliers[order(-abs(t)), ], "tests/golden/robustness_outliers.csv", row.names = FALSE, quote = FALSE)
