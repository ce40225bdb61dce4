# Intervals of proportions, for tests/studies/robustness/test_consistency.py; exact rank
# correlations, for test_saturation.py. Run from the project's root:
# Rscript tests/golden/robustness_consistency.R
intervals <- expand.grid(level = c(.8, .95), successes = c(0, 1, 9, 57, 100), n = c(10, 100))
intervals <- intervals[intervals$successes <= intervals$n, ]
bounds <- mapply(function(successes, n, level) {
  prop.test(successes, n, conf.level = level, correct = FALSE)$conf.int
}, intervals$successes, intervals$n, intervals$level)
intervals$lower <- bounds[1, ]
intervals$upper <- bounds[2, ]
write.csv(intervals, "tests/golden/robustness_wilson.csv", row.names = FALSE, quote = FALSE)

orders <- list(c(2, 1, 4, 3, 5), c(2, 4, 1, 3), c(1, 2, 3, 4, 5, 6, 8, 7), c(3, 1, 2, 8, 4, 6, 5, 7), c(2, 1, 3, 5, 4, 7, 9, 6, 8))
golden <- do.call(rbind, lapply(orders, function(y) {
  test <- cor.test(seq_along(y), y, method = "spearman", exact = TRUE)
  data.frame(order = paste(y, collapse = " "), rho = test$estimate, p = test$p.value)
}))
write.csv(golden, "tests/golden/robustness_spearman.csv", row.names = FALSE, quote = FALSE)
