# Stocking and Lord's constants by R's optim, and the items that they link.
#   Rscript tests/golden/linking.R > tests/golden/linking.csv
# Items by a linear congruential generator, which the test repeats: three sets of 12 common items.
state <- 4711
draw <- function() {
  state <<- (16807 * state) %% (2^31 - 1)
  state / (2^31 - 1)
}
nodes <- seq(-4, 4, length.out = 41)
weights <- exp(-nodes^2 / 2)
curve <- function(a, b) outer(nodes, seq_along(a), function(t, i) plogis(a[i] * (t - b[i])))
fitted <- function(loss, start) {
  # Nelder-Mead, begun again until it stands still, then Newton's way to the last digits.
  for (i in 1:20) start <- optim(start, loss, control = list(reltol = 1e-16, maxit = 5000))$par
  nlm(loss, start, gradtol = 1e-13, steptol = 1e-13, iterlim = 1000)$estimate
}
cat("set,slope,shift\n")
for (set in 1:3) {
  old <- matrix(0, 12, 2)
  new <- matrix(0, 12, 2)
  for (i in 1:12) {
    old[i, ] <- c(0.5 + 1.5 * draw(), 4 * draw() - 2)
    slope <- 0.7 + 0.3 * set
    new[i, ] <- c(old[i, 1] / slope * (0.8 + 0.4 * draw()),
                  slope * old[i, 2] + 0.5 * set - 1 + 0.6 * (draw() - 0.5))
  }
  target <- curve(new[, 1], new[, 2])
  away <- function(k) target - curve(old[, 1] / k[1], k[1] * old[, 2] + k[2])
  k <- fitted(function(k) sum(weights * rowSums(away(k))^2), c(1, 0))
  cat(sprintf("%d,%.10f,%.10f\n", set, k[1], k[2]))
}
