# One-sided score tests that a difference of two proportions is below a margin, with the likeliest
# proportions at the margin found by a search and not by a formula: of pairs (multinomial), and of
# independent shares (two binomials). Writes equivalence.csv.
xlogy <- function(x, y) ifelse(x == 0, 0, x * log(y))

paired <- function(wins, losses, items, delta) {
  # Share that only the second solves; the first's is higher by the margin.
  likelihood <- function(q) {
    xlogy(wins, q + delta) + xlogy(losses, q) + xlogy(items - wins - losses, 1 - 2 * q - delta)
  }
  q <- optimize(likelihood, c(0, (1 - delta) / 2), maximum = TRUE, tol = 1e-13)$maximum
  pnorm((wins - losses - items * delta) / sqrt(items * (2 * q + delta - delta^2)))
}

independent <- function(x_1, n_1, x_0, n_0, delta) {
  likelihood <- function(p) {
    xlogy(x_1, p + delta) + xlogy(n_1 - x_1, 1 - p - delta) + xlogy(x_0, p) +
      xlogy(n_0 - x_0, 1 - p)
  }
  p <- optimize(likelihood, c(0, 1 - delta), maximum = TRUE, tol = 1e-13)$maximum
  variance <- (p + delta) * (1 - p - delta) / n_1 + p * (1 - p) / n_0
  pnorm((x_1 / n_1 - x_0 / n_0 - delta) / sqrt(variance))
}

pairs <- data.frame(
  test = "paired",
  a = c(3, 12, 40, 5, 1, 30), b = c(4, 9, 21, 1, 7, 30), c = c(100, 300, 500, 50, 60, 2000),
  d = NA, margin = c(0.1, 0.05, 0.08, 0.2, 0.03, 0.02)
)
pairs$p <- mapply(function(a, b, n, m) paired(a, b, n, m - 0.5 / n), pairs$a, pairs$b, pairs$c,
                  pairs$margin)
shares <- data.frame(
  test = "independent",
  a = c(80, 450, 30, 7, 990), b = c(100, 500, 60, 10, 1000), c = c(78, 890, 31, 9, 480),
  d = c(100, 1000, 50, 12, 500), margin = c(0.1, 0.05, 0.08, 0.3, 0.02)
)
shares$p <- mapply(
  function(a, b, c, d, m) independent(a, b, c, d, m - (1 / b + 1 / d) / 4),
  shares$a, shares$b, shares$c, shares$d, shares$margin
)
out <- rbind(pairs, shares)
out$p <- sprintf("%.9f", out$p)
write.csv(out, "equivalence.csv", row.names = FALSE, quote = FALSE, na = "")
