# Alphas of 14 boards of four origins, pooled by metafor: a deviation of each origin and of each
# board in it by REML, tests and intervals with as many degrees of freedom as origins allow.
#   Rscript tests/golden/random_effects.R > tests/golden/random_effects.csv
suppressMessages(library(metafor))

value <- c(1.113, 1.130, 1.206, 1.132, 1.070, 1.103, 1.037, 1.018, 1.026, 1.054, 1.077, 1.079, 1.047, 1.086)
error <- c(0.005, 0.015, 0.059, 0.008, 0.001, 0.003, 0.001, 0.003, 0.002, 0.002, 0.004, 0.005, 0.003, 0.005)
origin <- rep(c("a", "b", "c", "d"), c(1, 3, 1, 9))
unit <- seq_along(value)

cat("name,value\n")
out <- function(name, number) cat(sprintf("%s,%.12g\n", name, number))
write <- function(name, fit) {
  out(paste0(name, "_value"), coef(fit))
  out(paste0(name, "_error"), fit$se)
  out(paste0(name, "_lower"), fit$ci.lb)
  out(paste0(name, "_upper"), fit$ci.ub)
  out(paste0(name, "_between_groups"), sqrt(fit$sigma2[1]))
  out(paste0(name, "_between_units"), sqrt(fit$sigma2[2]))
}
write("mean", rma.mv(value, error^2, random = ~ 1 | origin / unit, test = "t", dfs = "contain",
                     control = list(rel.tol = 1e-12)))
