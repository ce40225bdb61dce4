# Rao's score test of families beside ability by R's glm, one item a row.
#   Rscript tests/golden/dif.R > tests/golden/dif.csv
# Data by a linear congruential generator, which the test repeats: 60 models of 3 families, 6 items.
state <- 12345
draw <- function() {
  state <<- (16807 * state) %% (2^31 - 1)
  state / (2^31 - 1)
}
n <- 60
ability <- sapply(seq_len(n), function(i) 4 * draw() - 2)
family <- factor(rep(c("a", "b", "c"), each = n / 3))
cat("item,statistic,p_value\n")
for (item in 1:6) {
  shift <- (item - 1) / 3
  chance <- plogis(ability - 0.5 + shift * (family == "b"))
  right <- as.integer(sapply(seq_len(n), function(i) draw()) < chance)
  plain <- glm(right ~ ability, family = binomial)
  full <- glm(right ~ ability + family, family = binomial)
  tested <- anova(plain, full, test = "Rao")
  cat(sprintf("i%d,%.12g,%.12g\n", item, tested$Rao[2], tested$`Pr(>Chi)`[2]))
}
