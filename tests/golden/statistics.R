# Golden values of saturation.statistics from R: Rscript tests/golden/statistics.R > tests/golden/statistics.csv
suppressPackageStartupMessages(library(sandwich))
options(digits = 15)
rows <- list()
put <- function(what, case, values) {
  rows[[length(rows) + 1]] <<- data.frame(
    what = what, case = case, place = seq_along(values), value = as.numeric(values)
  )
}

wilson <- function(x, n, level) prop.test(x, n, conf.level = level, correct = FALSE)$conf.int
newcombe <- function(x1, n1, x2, n2, level) {
  a <- wilson(x1, n1, level)
  b <- wilson(x2, n2, level)
  d <- x1 / n1 - x2 / n2
  c(d - sqrt((x1 / n1 - a[1])^2 + (b[2] - x2 / n2)^2),
    d + sqrt((a[2] - x1 / n1)^2 + (x2 / n2 - b[1])^2))
}
put("wilson", "7 of 20 at 0.95", wilson(7, 20, 0.95))
put("wilson", "0 of 15 at 0.9", wilson(0, 15, 0.9))
put("wilson", "15 of 15 at 0.99", wilson(15, 15, 0.99))
put("newcombe", "56 of 70 and 48 of 80 at 0.95", newcombe(56, 70, 48, 80, 0.95))
put("newcombe", "10 of 10 and 0 of 10 at 0.9", newcombe(10, 10, 0, 10, 0.9))
sample <- c(0.31, 0.94, 0.02, 0.55, 0.71, 0.48, 0.60)
put("mean", "0.95", t.test(sample)$conf.int)
put("mean", "0.8", t.test(sample, conf.level = 0.8)$conf.int)
put("percentile", "0.95", quantile(sample, c(0.025, 0.975)))
put("percentile", "0.5", quantile(sample, c(0.25, 0.75)))
put("normal", "2 by 0.3 at 0.9", qnorm(c(0.05, 0.95), 2, 0.3))
p <- c(0.012, 0.04, 0.03, 0.2, 0.0004, 0.75)
put("holm", "six", p.adjust(p, "holm"))

# Responses of four models to thirty items in seven clusters of unequal size.
i <- 0:29
x <- sapply(0:3, function(j) ((7 * i + 5 * j + 3 * i * j + i^2) %% 11) / 10)
right <- (x > c(0.2, 0.35, 0.5, 0.5)[col(x)]) * 1
cluster <- (i^2 + i %/% 9) %% 7
error <- function(v, g) sqrt(vcovCL(lm(v ~ 1), cluster = g, type = "HC0", cadjust = TRUE)[1, 1])
put("clustered", "clusters", apply(x, 2, error, g = cluster))
put("clustered", "items", apply(x, 2, error, g = i))
put("clustered", "differences to the first", apply(x[, 1] - x[, 2:4], 2, error, g = cluster))
for (j in 2:4) {
  wins <- sum(right[, 1] > right[, j])
  losses <- sum(right[, 1] < right[, j])
  # Half of what is as likely as the observed split, all of what is less likely.
  chance <- dbinom(0:(wins + losses), wins + losses, 0.5)
  seen <- abs(chance - chance[wins + 1]) < 1e-12
  put("mid_p", paste("first and", j), sum(chance[seen]) / 2 + sum(chance[chance < chance[wins + 1] & !seen]))
}
put("pooled_z", "45 of 50 and 70 of 90", prop.test(c(45, 70), c(50, 90), correct = FALSE)$p.value)
put("z", "0.8 by 0.02 and 0.75 by 0.015", 2 * pnorm(-0.05 / sqrt(0.02^2 + 0.015^2)))
put("detectable", "0.02 at 0.95 with power 0.8", (qnorm(0.975) + qnorm(0.8)) * 0.02)
put("detectable", "3 at 0.9 with power 0.5", (qnorm(0.95) + qnorm(0.5)) * 3)

u <- c(2.1, 3.4, 1.0, 5.9, 4.2, 8.8, 7.1, 6.5)
v <- c(1.2, 2.9, 2.4, 4.4, 6.1, 7.3, 5.0, 9.9)
w <- c(3, 1, 4, 1.5, 5, 9, 2, 6)
rho <- cor(u, v, method = "spearman")
p <- summary(lm(rank(v) ~ rank(u)))$coefficients[2, 4]
put("spearman", "u and v", c(rho, p))
# Bonett and Wright (2000).
put("spearman_interval", "u and v", tanh(atanh(rho) + c(-1, 1) * qnorm(0.975) * sqrt((1 + rho^2 / 2) / 5)))
left <- resid(lm(rank(u) ~ rank(w)))
right_ <- resid(lm(rank(v) ~ rank(w)))
p <- summary(lm(rank(v) ~ rank(u) + rank(w)))$coefficients[2, 4]
put("partial_spearman", "u and v given w", c(cor(left, right_), p))
f <- anova(lm(v ~ w), lm(v ~ w + (u > 4)))
put("f", "u above 4 given w", f$F[2])
put("agreement", "0.7 of 5, 3 answers", 0.7^5 + 2 * 0.15^5)
write.csv(do.call(rbind, rows), row.names = FALSE, quote = 1:2)
