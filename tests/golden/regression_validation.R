# Rscript tests/golden/regression_validation.R, run in tests/golden: measures of fit of one vector of
# predictions. AUROC as the Mann-Whitney statistic; R2 as variances.
set.seed(5)
n <- 24
saturated <- runif(n) < 0.45
prediction <- round(plogis(rnorm(n, ifelse(saturated, 0.5, -0.3))), 1) # ties
outcome <- round(plogis(qlogis(pmin(pmax(prediction, 0.05), 0.95)) + rnorm(n)), 4)
data <- data.frame(saturated = ifelse(saturated, "True", "False"), prediction, outcome)
write.csv(data, "regression_predictions.csv", row.names = FALSE, quote = FALSE)

w <- wilcox.test(prediction[saturated], prediction[!saturated], exact = FALSE)$statistic
residual <- outcome - prediction
population <- function(x) mean(x^2) - mean(x)^2
result <- data.frame(
  measure = c("auroc", "r2_residual", "r2_prediction"),
  value = sprintf("%.12g", c(
    w / (sum(saturated) * sum(!saturated)),
    var(prediction) / (var(prediction) + var(residual)),
    1 - population(residual) / population(outcome)
  ))
)
write.csv(result, "regression_validation.csv", row.names = FALSE, quote = FALSE)
