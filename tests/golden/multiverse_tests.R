# Rscript tests/golden/multiverse_tests.R, run in tests/golden: data of one design, and its tests.
library(sandwich)
library(lmtest)
set.seed(12)
n <- 40
age <- round(runif(n, 1, 80), 1)
log_n <- round(rnorm(n, 6, 1.5), 3)
variable <- as.numeric(runif(n) < plogis(age / 40 - 1))
# Errors that grow with age, so that HC3 and the usual errors differ.
outcome <- round(0.3 * variable - 0.1 * log_n + 0.01 * age + rnorm(n) * age / 60, 6)
data <- data.frame(outcome, variable, age, log_n)
write.csv(data, "multiverse_data.csv", row.names = FALSE)

partial <- function(d) {
  cor(resid(lm(outcome ~ age + log_n, d)), resid(lm(variable ~ age + log_n, d)))
}
fit <- lm(outcome ~ variable + age + log_n, data)
ranked <- as.data.frame(lapply(data, rank))
rank_fit <- lm(outcome ~ variable + age + log_n, ranked)
result <- data.frame(
  test = c("student", "robust", "rank"),
  effect = c(partial(data), partial(data), partial(ranked)),
  p_value = c(
    summary(fit)$coefficients["variable", 4],
    coeftest(fit, vcov = vcovHC(fit, type = "HC3"))["variable", 4],
    summary(rank_fit)$coefficients["variable", 4]
  )
)
result$effect <- sprintf("%.12g", result$effect)
result$p_value <- sprintf("%.12g", result$p_value)
write.csv(result, "multiverse_tests.csv", row.names = FALSE, quote = FALSE)
