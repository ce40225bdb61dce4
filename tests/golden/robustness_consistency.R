# Intervals of proportions, for tests/studies/robustness/test_consistency.py. Run from the
# project's root:
# Rscript tests/golden/robustness_consistency.R
intervals <- expand.grid(level = c(.8, .95), successes = c(0, 1, 9, 57, 100), n = c(10, 100))
intervals <- intervals[intervals$successes <= intervals$n, ]
bounds <- mapply(function(successes, n, level) {
  prop.test(successes, n, conf.level = level, correct = FALSE)$conf.int
}, intervals$successes, intervals$n, intervals$level)
intervals$lower <- bounds[1, ]
intervals$upper <- bounds[2, ]
write.csv(intervals, "tests/golden/robustness_wilson.csv", row.names = FALSE, quote = FALSE)
