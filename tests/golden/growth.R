# Logistic growth by R's nls: estimates, R2, and the ceiling's profile-likelihood interval.
#   Rscript tests/golden/growth.R > tests/golden/growth.csv
# The ends of the interval are roots of the profile sum of squares; MASS's confint, which
# interpolates a profile, must agree to three digits.
suppressMessages(library(MASS))

series <- list(
  plateau = data.frame(
    month = 0:11,
    score = c(0.31, 0.42, 0.50, 0.61, 0.67, 0.72, 0.755, 0.765, 0.79, 0.786, 0.801, 0.798)
  ),
  gaps = data.frame(
    month = c(0, 1, 3, 4, 7, 8, 12),
    score = c(0.22, 0.29, 0.46, 0.52, 0.64, 0.655, 0.70)
  )
)

# With exact derivatives, so that the estimates hold to more digits than are compared.
curve_of <- deriv(~ ceiling / (1 + exp(-rate * (month - midpoint))),
                  c("ceiling", "rate", "midpoint"),
                  function(month, ceiling, rate, midpoint) NULL)
below <- deriv(~ ceiling / (1 + exp(-rate * (month - midpoint))), c("rate", "midpoint"),
               function(month, ceiling, rate, midpoint) NULL)
control <- nls.control(tol = 1e-7, maxiter = 500, minFactor = 1e-10)

out <- function(name, quantity, value) cat(sprintf("%s,%s,%.12g\n", name, quantity, value))
cat("series,quantity,value\n")
for (name in names(series)) {
  data <- series[[name]]
  fit <- nls(score ~ curve_of(month, ceiling, rate, midpoint), data,
             start = list(ceiling = max(data$score), rate = 0.5, midpoint = median(data$month)),
             control = control)
  estimate <- coef(fit)
  squares <- deviance(fit)
  freedom <- df.residual(fit)
  for (parameter in names(estimate)) out(name, parameter, estimate[[parameter]])
  out(name, "r_squared", 1 - squares / sum((data$score - mean(data$score))^2))
  out(name, "t90", estimate[["midpoint"]] + log(9) / estimate[["rate"]])
  for (level in c(0.8, 0.95)) {
    limit <- squares * (1 + qt(0.5 + level / 2, freedom)^2 / freedom)
    start <- as.list(estimate[c("rate", "midpoint")])
    above <- function(ceiling) {
      given <- nls(score ~ below(month, ceiling, rate, midpoint), data, start = start,
                   control = control)
      deviance(given) - limit
    }
    lower <- uniroot(above, c(estimate[["ceiling"]] - 0.06, estimate[["ceiling"]]), tol = 1e-12)$root
    upper <- uniroot(above, c(estimate[["ceiling"]], estimate[["ceiling"]] + 0.06), tol = 1e-12)$root
    checked <- suppressMessages(confint(fit, level = level))["ceiling", ]
    stopifnot(abs(checked - c(lower, upper)) < 1e-3)
    out(name, sprintf("lower_%g", level), lower)
    out(name, sprintf("upper_%g", level), upper)
  }
}
