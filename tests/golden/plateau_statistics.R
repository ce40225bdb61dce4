# Golden values of the plateau study's statistics, from R 4.2 with sandwich.
# Run in this folder: Rscript plateau_statistics.R
library(sandwich)

data <- read.csv("plateau_data.csv", na.strings = "")
results <- data.frame(name = character(), value = numeric())
keep <- function(.name, ...) {
  values <- c(...)
  labels <- paste(.name, names(values), sep = ".")
  results <<- rbind(results, data.frame(name = labels, value = unname(values)))
}
two_sided <- function(t, df) 2 * pt(-abs(t), df)

# Two groups: a against b.
pair <- data[!is.na(data$two), ]
split_by <- function(column) split(pair[[column]], pair$two)
t_test <- function(name, values, ...) {
  test <- t.test(values$a, values$b, ...)
  keep(name, statistic = unname(test$statistic), p_value = test$p.value,
       effect = mean(values$a) - mean(values$b),
       effect_lower = test$conf.int[1], effect_upper = test$conf.int[2])
}
rank_test <- function(name, values) {
  test <- wilcox.test(values$a, values$b, exact = FALSE, correct = TRUE)
  delta <- mean(sign(outer(values$a, values$b, "-")))
  keep(name, statistic = unname(test$statistic), p_value = test$p.value, effect = delta)
}
rank_test("two.rank", split_by("s_index"))
t_test("two.welch", split_by("s_index"))
ages <- split_by("months_at_observation")
t_test("two.age_welch", ages)
t_test("two.age_student", ages, var.equal = TRUE)
rank_test("two.age_rank", ages)
saturated <- pair$s_index >= 0.7
counts <- table(pair$two, factor(saturated, c(TRUE, FALSE)))
keep("two.rate", p_value = fisher.test(counts)$p.value)
wilson <- function(x, n) suppressWarnings(prop.test(x, n, correct = FALSE)$conf.int[1:2])
# Newcombe (1998), method 10, from the two Wilson intervals.
x <- counts[, "TRUE"]
n <- rowSums(counts)
p <- x / n
a <- wilson(x["a"], n["a"])
b <- wilson(x["b"], n["b"])
difference <- unname(p["a"] - p["b"])
keep("two.rate", effect = difference,
     effect_lower = unname(difference - sqrt((p["a"] - a[1])^2 + (b[2] - p["b"])^2)),
     effect_upper = unname(difference + sqrt((a[2] - p["a"])^2 + (p["b"] - b[1])^2)))

# Three groups.
one_way <- function(name, formula) {
  test <- oneway.test(formula, data, var.equal = TRUE)
  keep(name, statistic = unname(test$statistic), p_value = test$p.value)
}
kruskal <- function(name, formula) {
  test <- kruskal.test(formula, data)
  keep(name, statistic = unname(test$statistic), p_value = test$p.value)
}
one_way("three.anova", s_index ~ three)
kruskal("three.age_rank", months_at_observation ~ three)
one_way("three.age_anova", months_at_observation ~ three)

# The groups at equal age: F of nested models, HC3 interval with residual freedom.
pair$is_a <- as.numeric(pair$two == "a")
reduced <- lm(s_index ~ months_at_observation, pair)
full <- lm(s_index ~ is_a + months_at_observation, pair)
error <- sqrt(vcovHC(full, type = "HC3")["is_a", "is_a"])
half <- qt(0.975, full$df.residual) * error
effect <- unname(coef(full)["is_a"])
keep("two.age_adjusted", statistic = anova(reduced, full)$F[2], effect = effect,
     effect_lower = effect - half, effect_upper = effect + half)
reduced <- lm(s_index ~ months_at_observation, data)
full <- lm(s_index ~ three + months_at_observation, data)
keep("three.age_adjusted", statistic = anova(reduced, full)$F[2])

# Summary of a set of benchmarks.
n_saturated <- sum(data$s_index >= 0.7)
rate <- wilson(n_saturated, nrow(data))
mean_s <- t.test(data$s_index)$conf.int
keep("summary", n = nrow(data), n_saturated = n_saturated, rate = n_saturated / nrow(data),
     rate_lower = rate[1], rate_upper = rate[2], mean_s = mean(data$s_index),
     mean_s_lower = mean_s[1], mean_s_upper = mean_s[2])

# Trends. Intervals of rank correlations: Bonett and Wright (2000).
complete <- function(...) {
  columns <- cbind(...)
  columns[apply(is.finite(columns), 1, all), , drop = FALSE]
}
bonett_wright <- function(rho, n) {
  tanh(atanh(rho) + c(-1, 1) * qnorm(0.975) * sqrt((1 + rho^2 / 2) / (n - 3)))
}
estimate <- function(name, rho, p_value, n, given = 0) {
  bounds <- bonett_wright(rho, n - given)
  keep(name, estimate = unname(rho), lower = bounds[1], upper = bounds[2], p_value = p_value, n = n)
}
spearman <- function(name, x, y) {
  columns <- complete(x, y)
  test <- suppressWarnings(cor.test(columns[, 1], columns[, 2], method = "spearman", exact = FALSE))
  estimate(name, test$estimate, test$p.value, nrow(columns))
}
residual <- function(y, given) unname(residuals(lm(y ~ given)))
partial <- function(name, columns) {
  given <- columns[, -(1:2), drop = FALSE]
  rho <- cor(residual(columns[, 1], given), residual(columns[, 2], given))
  df <- nrow(columns) - 2 - ncol(given)
  estimate(name, rho, two_sided(rho * sqrt(df / (1 - rho^2)), df), nrow(columns), ncol(given))
}
partial_spearman <- function(name, ...) partial(name, apply(complete(...), 2, rank))
s <- data$s_index
age <- data$months_at_observation
spearman("age.spearman", age, s)
spearman("age.spearman_recorded", data$age_months, s)
spearman("test_size.spearman", data$n_test, s)
growth <- data$citations / ifelse(age > 0, age, NA)
for (trend in c("citations", "citation_growth")) {
  x <- if (trend == "citations") data$citations else growth
  label <- function(reading) paste0(trend, ".", reading)
  spearman(label("raw"), x, s)
  columns <- complete(x, s, age)
  partial_spearman(label("partial_spearman"), x, s, age)
  spearman(label("residual_spearman"), residual(columns[, 1], columns[, 3]),
           residual(columns[, 2], columns[, 3]))
  spearman(label("residual_of_index"), columns[, 1], residual(columns[, 2], columns[, 3]))
  partial(label("partial_pearson"), columns)
  partial(label("partial_pearson_log"), cbind(log(1 + columns[, 1]), columns[, -1]))
}

# Correction for several tests.
p_values <- c(0.012, 0.2, 0.049, 0.6, 0.003, 0.051, 0.2)
keep("holm", setNames(p.adjust(p_values, "holm"), seq_along(p_values)))

# The gap model: 0.8 against 0.77, 500 items, alpha 0.5; and a noise of half the scale.
error <- sqrt((0.8 * 0.2 + 0.77 * 0.23) / sqrt(500))
# Measured again the gap is normal around 0.03; the interval is that of the signed gap.
again <- function(size, noise) pnorm(size, 0.03, noise) - pnorm(-size, 0.03, noise)
index_at <- function(gap) exp(-(gap / error)^2)
for (noise in c(error, error / 8)) {
  name <- if (noise == error) "gap" else "gap_small_noise"
  for (level in c(0.95, 0.8)) {
    ends <- 0.03 + c(-1, 1) * qnorm(0.5 + level / 2) * noise
    holds_0 <- ends[1] <= 0 && ends[2] >= 0
    keep(paste0(name, if (level == 0.8) "_80" else ""), lower = min(index_at(ends)),
         upper = if (holds_0) 1 else max(index_at(ends)))
  }
  keep(name, se = error, s_index = index_at(0.03), p_again = again(sqrt(-log(0.7)) * error, noise),
       p_low = again(sqrt(-log(0.3)) * error, noise))
}
# Newcombe's interval of 460 of 500 against 450 of 600, and the index at the scores of its ends.
one <- wilson(460, 500)
two <- wilson(450, 600)
at_end <- function(end_1, end_2) {
  a <- end_1 - 460 / 500
  b <- end_2 - 450 / 600
  p <- 460 / 500 + a * abs(a) / sqrt(a^2 + b^2)
  q <- 450 / 600 + b * abs(b) / sqrt(a^2 + b^2)
  exp(-(p - q)^2 / (p * (1 - p) / sqrt(500) + q * (1 - q) / sqrt(600)))
}
keep("proportions", lower = at_end(one[2], two[1]), upper = at_end(one[1], two[2]))
keep("equal_pair", "0.3" = 2 * pnorm(sqrt(-log(0.3))) - 1, "0.7" = 2 * pnorm(sqrt(-log(0.7))) - 1,
     "0.9" = 2 * pnorm(sqrt(-log(0.9))) - 1)

results$value <- sprintf("%.15g", results$value)
write.csv(results, "plateau_statistics.csv", row.names = FALSE, quote = FALSE)
