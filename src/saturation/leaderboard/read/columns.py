"""Interpret column names: a metric's family and direction, and further roles of columns.

Evidence is data: lists of words, each for what it is evidence of.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import permutations

from saturation.errors import group_values
from saturation.leaderboard.read.cells import plain


def words_set(words: str) -> frozenset[str]:
    """Return the words of a text, as evidence is written here."""
    return frozenset(words.split())


# Names of columns of models, from the surest to those that may name something else.
MODELS = (
    words_set("model models"),
    words_set(
        """modell modell(e) modelo modèle modello модель 模型 モデル system
    systems method methods agent agents submission llm llms
    submitter algo algorithm checkpoint modelid 모델 نموذج النموذج verfahren méthode método metodo
    метод система 系统 方法 手法 算法 システム 시스템 방법"""
    ),
    words_set(
        """name entry approach respondent user userid participant team engine architecture network
    condition cond"""
    ),
)
MODEL = frozenset.union(*MODELS)
NAMES_OF_SCORES = words_set(
    """accuracy acc score scores winrate win rate f1 bleu rouge em exact resolved solved success
    correct percent pct % elo rating arena rr ndcg auc auroc recall mrr iou performance proportion
    match matches genauigkeit ergebnis result results reward wer cer ter mcc map precision
    correctness bertscore reciprocal mark marks exactitude exactitud précision precisión precisão
    acurácia acuracia accuratezza doğruluk dokładność nauwkeurigheid точность 准确率 準確率 正确率
    正解率 精度
    succeeded 精确率 召回率 f1值 정확도 الدقة tpr tnr fpr fnr"""
)
OTHER = words_set(
    """rank rang platz ranking rankings position place price pricing cost costs usd $ link url
    website license licence lizenz organization organisation org provider vendor company votes
    params parameters param seconds latency tokens throughput year cutoff co2 co₂ speed
    likes stars downloads id commit hash sha sha1 sha256 md5 fingerprint dirname
    command version versions variance battles 秩 平均秩 排名 名次
    idx rtf rtfx fps qps realtime diff spread watts power parallel cpu gpu joules crop img
    mcnemar volatility pvalue pval"""
)
MEASURES = words_set(
    """size length len lens words chars context time minutes hours ms sec memory gb mb ram vram dim
    dims dimension dimensions layers released release shots shot epochs steps calls
    turns temperature merged moe flagged energy kg emissions flops duration runtime age stamp
    timestamp date train training files rows
    billion billions classes features sparsity elapsed wall
    guesses retries refusals timeouts skipped conf
    p5 p25 p50 p75 p90 p95 p99 quantiles stddev ttft vs versus temp k lr trainable threshold
    logprob logprobs logit logits
    flos dropout decay momentum overlap lambda secs trades exposure turnover drag gamma clip coef
    ent vf gae buffer batch exploration fraction hidden units source"""
)
COUNTS = words_set("n num number count counts nr # total")
AGGREGATES = words_set(
    """average avg mean overall total aggregate macro micro composite combined global
    final gesamt durchschnitt moyenne promedio среднее 平均 平均分 平均值 均分 总分 总体 总体平均
    总平均 综合 総合 합계 평균"""
)
# What the rows of a table are that has models as columns.
ROWS = words_set(
    """task tasks benchmark benchmarks dataset datasets data eval evaluation subject subjects subset
    category categories class classes language languages lang locale domain group groups topic
    capability skill sprache question problem item split case cases scenario scenarios
    competition competitions file utterance supercategory subcategory"""
)
# What has a row for each part of a model's own record.
PARTS = words_set("class classes label labels phases epochs epoch history fold folds curve")
# What mostly distinguishes the entries of one model.
SETTINGS = words_set(
    """agent scaffold scaffolding harness framework effort reasoning thinking mode variant version
    configuration config setting experiment condition prompt prompting strategy method shots shot
    fewshot tools tool hours llm llms models model base pretrained weights checkpoint temperature
    temp k quantization precision dtype budget context arm pipeline
    profile persona options settings hyperparameters embedding embedder encoder tokenizer
    retriever reranker backbone classifier optimizer optimiser"""
)
RATERS = words_set("judge rater annotator evaluator grader")
# Models whose scores of items are opinions.
DETECTORS = words_set("detector detectors guard guardrail filter moderator")
# What is counted in comparisons of pairs.
OUTCOMES = words_set(
    "tie ties draw draws win wins loss losses error errors corr sub del ins insertions deletions"
)
# What a row is in a model's own log, and how items are numbered.
ITEMS = words_set(
    """item question query qid problem prompt instance file utterance questao questão pergunta
    pregunta frage fixture"""
)
NUMBERS = words_set("id uid idx number index")
NUMBERED = NUMBERS | words_set("qid unique task sample example doc document test case position")
# Two such columns make a table a log: what was asked, expected and answered.
PREDICTED = words_set("prediction predicted predictions pred forecast")
FORECAST = PREDICTED | {"actual"}
EXPECTED = words_set(
    """target expected gold golden reference truth true actual label correct ground diagnosis y
    class"""
)
WRITTEN = PREDICTED | words_set("response output completion answer move transcript transcription")
# What names a label or an item, and no model that predicted it.
OF_LABELS = (WRITTEN | NUMBERED | ITEMS) | words_set(
    "y label labels class raw clean parsed final text value values"
)
# What a model wrote is in a column such as model_answer.
NO_MODELS = (
    OTHER - {"id"}
    | WRITTEN
    | words_set("type metric metrics options time duration path note notes comment comments")
)
_MEASURED = MEASURES | NAMES_OF_SCORES | OTHER - NUMBERS
LOGGED = ITEMS | WRITTEN | words_set("input target expected gold reference")
SPOKEN = words_set("ref hyp hypothesis transcript text sentence")
TASKS = words_set(
    """task tasks benchmark benchmarks dataset data eval evaluation subject subset category
    competition"""
)
RUNS = words_set(
    "run runs seed seeds trial trials try attempt repeat repetition replicate epoch occurrence"
)
# Numbers of rows, which are no settings.
COUNTERS = RUNS | NUMBERED | words_set("step steps iteration iterations round epochs row")
N = words_set(
    """n items questions examples samples instances problems cases tests tasks eval fragen aufgaben
    utterances utts files images clips sentences responses judged support episodes
    preguntas vragen domande вопросов 题数 样本数 問題数 문항수"""
)
OF_N = N | words_set(
    """num number of total test count # evaluated size tasks eval valid anzahl completed
    translations documents docs queries pairs images pages segments rows answers episodes games
    comparisons annotations recordings audios videos dialogues prompts puzzles articles processed
    scored graded seen documentos perguntas q
    sample"""
)
# What a sentence or a key of a document counts as items.
UNITS = words_set(
    """articles documents questions problems items examples prompts puzzles tasks instances tests
    sentences utterances queries images matches cases samples games clips recordings videos passages
    pairs episodes challenges"""
)
# Keys of a document beside that of its results.
BESIDE = words_set("config configuration metadata meta settings environment args arguments")
# What keys of a document name for all of the document.
WORDS_OF_MODEL = [words_set(key) for key in ("model", "model name", "model id")]
TRIED = OF_N | words_set("attempts attempted answered eligible")
RATINGS = words_set("elo rating ratings arena points")
RIGHT = words_set(
    """accuracy acc em qem pem pqem exact resolved solved correct genauigkeit mc1 extractive pass@1
    passed hallucination exactitude exactitud acurácia acuracia accuratezza doğruluk dokładność
    nauwkeurigheid точность 准确率 準確率 正确率 正解率 정확도 الدقة"""
)
COUNTED = words_set(
    """correct solved resolved passed right success successes wins accepted acertou acertos aciertos
    correcto correcta richtig"""
)
SUCCESSES = COUNTED | NAMES_OF_SCORES
OF_MARKS = COUNTED | {"is"}
MEANS = words_set(
    "f1 bleu sacrebleu rouge rougel chrf mc2 winrate mean average ndcg map reciprocal"
)
LOW, HIGH = words_set("lower low lo lcb q025"), words_set("upper high hi ucb q975")
INTERVALS = words_set("ci confidence margin interval konfidenzintervall")
ERRORS = words_set("se sem stderr error sd std stdev deviation rd")
# What a column of errors is called beside the score that it belongs to.
OF_ERRORS = (
    ERRORS
    | INTERVALS
    | LOW
    | HIGH
    | words_set("standard err of konfidenzintervall lc pct percent pp % ± 90 95 99")
)
# Error rates count mistakes. A fault is counted by its rate only: a task may be about the fault.
ERROR_RATES = words_set(
    """error errors err wer cer ter mer fpr fpr95 fnr frr perplexity ppl loss logloss mae rmse mse
    brier ece distance ker eer bpb bpc nll mape smape mase nrmse crps fid fvd fad lpips mdr
    medr mnr wql dilate wape rmsle msis fehlerrate
    fehler erreur erreurs errore errori erro erros ошибка ошибки ошибок 错误率 錯誤率 字错率 词错率
    誤り率 오류율"""
)
# Whose success is bad to whom it happens.
ATTACKS = words_set("attack attacks jailbreak jailbreaks")
FAULTS = ATTACKS | words_set(
    """hallucination hallucinations hallucinated fabrication fabricated toxicity toxic failure
    failures fail asr harmful harmfulness violation violations contamination illegal invalid
    hijacked hijack jailbroken"""
)
RATES = words_set("rate rates ratio % percent pct share frequency probability")
GOOD = words_set(
    """accuracy acc correction detection resistance avoidance free non robustness consistency
    factual pass success recovery classification neg"""
)
BETTER = words_set(
    """score scores performance reward precision recall auc auroc mrr rr iou mcc solved resolved
    success correct recovered mark marks"""
)
TWINS = words_set("raw train training total min max minimum maximum median worst")
HEADLINES = words_set("test validation val dev eval average avg mean")
# Rates of words or letters, of which an utterance has many.
OF_WORDS = words_set("wer cer ter mer ker")
# What is no mean over items, so that their number tells no error.
NO_MEANS = words_set(
    "auc auroc auprc aupr roc mcc kappa r2 r² pearson spearman kendall correlation sharpe sortino"
)
# Metrics of which tasks have one, so that names with several are of more than tasks.
METRICS = (
    (RIGHT | MEANS | OF_WORDS | NO_MEANS)
    | words_set("precision recall accuracy mae rmse mse iou mrr bertscore coverage error")
) - words_set("mean average exact correct solved resolved passed")
UNBOUNDED = words_set(
    """perplexity ppl loss logloss mae rmse mse mape smape bpb bpc nll mase nrmse crps fid fvd fad
    mdr medr mnr wql dilate wape rmsle msis sharpe sortino return returns"""
)
# What agents collect, in any unit unless it is at most 1.
REWARDS = words_set("reward rewards payoff utility profit return returns")
NAMES_OF_METRICS = NAMES_OF_SCORES | UNBOUNDED | NO_MEANS
OF_CONFUSION = words_set("positives negatives")
# What names a metric, and the words of a metric in its variants.
TERMS_OF_METRICS = (
    (NAMES_OF_SCORES | ERROR_RATES | METRICS)
    | words_set(
        """ap pr top1 top5 acc1 acc5 specificity meteor cider spice hit hits rr win recovered
        gini entropy novelty ild diversity exec executability executable corr validity faithfulness
        groundedness relevancy"""
    )
    | OF_CONFUSION
) - FAULTS
# What a status says of a score that may not count.
FLAWED = words_set(
    "invalid deprecated failed incomplete excluded leakage leaked contaminated superseded retracted"
)
# Words beside "rank" of a score.
SCORES_BY_RANK = words_set("score scores reciprocal")
# Parts of the data that are no test set.
NOT_OF_TEST = words_set("train training validation val valid dev")
# What is reported beside a headline.
MINOR = (FAULTS | OF_CONFUSION | NOT_OF_TEST) | words_set(
    """precision recall p r medr mdr mnr coverage gini entropy novelty ild diversity exec
    executability executable validity parsable parseable parsed parse format wellformed"""
)
WORDS_OF_METRICS = (
    TERMS_OF_METRICS
    | AGGREGATES
    | NOT_OF_TEST
    | TWINS
    | words_set(
        """test weighted strict loose median corpus balanced exact match inverse top at k norm log
        metrics metric best final last report reports summary eval evaluation raw pass coverage
        index rate false true 0 1 2 3 4 5 8 10 16 20 32 50 64 100"""
    )
)
# A name of a model: its family, or its size or date.
_MODEL_NAME = re.compile(
    r"(?i)\b(gpt|claude|llama|gemini|gemma|qwen|qwq|mistral|mixtral|ministral|deepseek|grok|kimi|glm|"
    r"phi|falcon|command-?r|nova|yi|olmo|bloom|opus|sonnet|haiku|minimax|mimo|internlm|vicuna|"
    r"hunyuan|nemotron|granite|jamba|palm|bert|roberta|t5|whisper|codex|starcoder|"
    r"resnet|mobilenet|inception(time)?|efficientnet|densenet|vgg)(?!(?![bv]\d)[a-z])"
    r"|\bo[134](-|\b)|(?<![\w.])\d+(\.\d+)?[bm]\b|^[\w.-]+/[\w.-]+$"
)
# Methods of learning and baselines, which are models where a document names them.
METHODS = words_set(
    """lr nb rf svm svc knn mlp cnn rnn lstm bilstm gru gnn gcn xgboost lightgbm catboost adaboost
    logistic regression forest tree bayes boosting ridge lasso arima sarima transformer baseline
    resnet resnet50 unet crf hmm bm25 ours"""
)
# Names of widely used data sets; another is named by its year: `essays2019`.
_BENCHMARK = re.compile(
    r"(?i)\b(mmlu|gsm8k|hellaswag|humaneval|mbpp|arc[-_ ](c|e)|winogrande|truthfulqa|gpqa|squad|"
    r"cifar|mnist|imagenet|librispeech|snli|mnli|sst-?2|imdb|ag_?news)"
    r"|(?<![\d-])[a-z][ _-]?(19|20)\d\d$"
)
# Rows that stand among the models and are none.
_GUESS = re.compile(
    r"(random|chance|majority|constant|frequent|dummy)[ _-]?(predictor|classifier|guess\w*|baseline"
    r"|choice|chance|class|agent|level|vote|performance|score| )*( \(.*)?",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"dummy\b.*|humans?\b(?![-/]).*|.*\bhuman (experts?|performance|baseline|average|level)\b.*"
    r"|(experts?|annotators?|crowd ?workers?)( \(.*)?"
    r"|null ?model\b.*|reference|gold|ground[ _-]?truth|(ceiling|upper[ _-]?bound|top ?line)( .*)?"
    r"|(average|avg\.?|mean|median|overall|total|sum|sota|oracle|std( ?dev)?"
    r"|(class|cls|fold)[ _]?\d+(_std)?)( .*)?",
    re.IGNORECASE,
)
# modelId has two words, and MSETest.
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=Test|Train|Val)")
_PARTS = re.compile(r"[^\W_]+(?:[@+][^\W_]*)?|[%$±]|#(?!\d)")


def parts_of(name: str) -> list[str]:
    """Return the words of a column's name in their order, in small letters."""
    spaced = _NEXT_WORD.sub(" ", plain(name).replace("+/-", "±"))
    # SemEval and SemRel are names of tasks, not standard errors of a mean.
    spaced = re.sub(r"\bSem (?=[A-Z])", "Sem", spaced)
    return _PARTS.findall(spaced.replace("%-KI", "% CI").lower())


@lru_cache(10_000)
def words(name: str) -> frozenset[str]:
    """Return the words of a column's name: ``modelId`` has two."""
    return frozenset(parts_of(name))


def key(name: str) -> frozenset[str]:
    """Return the words of the last part of a document's key."""
    return words(name.rpartition(".")[2])


def are_most(test: Callable[..., object], cells: Collection[object]) -> bool:
    """Return whether a test holds for most cells."""
    return 2 * sum(map(bool, map(test, cells))) > len(cells)


# A file of sound or a picture is an item.
RECORDING = re.compile(r"(?i)\.(wav|flac|mp3|ogg|opus|m4a|mp4|png|jpe?g)$")


def looks_like_model(name: str) -> bool:
    """Return whether a text looks like the name of a model."""
    return _MODEL_NAME.search(name[:200]) is not None and not RECORDING.search(name)


def names_method(name: str) -> bool:
    """Return whether a text looks like the name of a model, of a method or of a guess."""
    return looks_like_model(name) or is_guess(name) or bool(words(name) & METHODS)


def names_benchmark(name: str) -> bool:
    """Return whether a text looks like the name of a data set, and not like that of a model."""
    return _BENCHMARK.search(name[:200]) is not None and not looks_like_model(name)


def describes_no_model(name: str) -> bool:
    """Return whether a row is an average, a total, a guess or a human."""
    return is_guess(name) or _NO_MODEL.fullmatch(name.strip()[:200]) is not None


def is_guess(name: str) -> bool:
    """Return whether a row is a guess: of chance, or of the most frequent class."""
    return _GUESS.fullmatch(name.strip()[:200]) is not None


def names_error_rate(name: str) -> bool:
    """Return whether a metric's name names a rate of mistakes: WER."""
    return bool(words(name) & ERROR_RATES) and not words(name) & GOOD


def names_metric_alone(terms: frozenset[str]) -> bool:
    """Return whether the words of a name are those of a metric, as `P@50` and `BLEU-4` are."""
    stems = {term.partition("@")[0] for term in terms}
    named = stems & (TERMS_OF_METRICS | {"p", "r"})
    return bool(named) and stems - named <= WORDS_OF_METRICS | {"d", "l"}


def standing_of(name: str) -> int:
    """Return how surely a name, or its last part, is that of a headline measure: 0 is surest."""
    terms = words(re.sub(r".+\.(?=[^\W\d])", "", name))
    stems = {term.partition("@")[0] for term in terms}
    # Recall beside precision is minor, R@5 of a retrieval is not.
    # The rate of queries that execute is minor, the accuracy of execution is a headline measure.
    minor_terms = MINOR - {"exec"} if terms & RIGHT else MINOR
    minor = minor_terms & (terms | stems - {"r", "recall"}) | words(name) & NOT_OF_TEST
    of_training = bool(terms & {"train", "training"})
    return 2 * bool(minor) + of_training + (not names_metric_alone(terms))


def names_rate_of_words(name: str) -> bool:
    """Return whether a metric's name names a rate of wrong or right words or letters."""
    terms = words(name)
    spelled = {"error", "rate"} <= terms or "accuracy" in terms
    units = terms & {"word", "character", "token", "phoneme"}
    return bool(terms & OF_WORDS or (units and spelled))


def names_score(name: str) -> bool:
    """Return whether the last part of a name is that of an outcome or a metric, as `MRR@10` is."""
    terms = key(name)
    return bool(terms & (SUCCESSES | NAMES_OF_METRICS)) or any(map(names_cutoff, terms))


def names_cutoff(word: str) -> bool:
    """Return whether a word names a metric of the first results or tries: R@10, pass@1."""
    return "@" in word and word[-1].isdigit()


def names_run(name: str) -> bool:
    """Return whether a column's name names repeated evaluations."""
    terms = words(name)
    return bool(terms & RUNS) and not terms - RUNS - COUNTS - {"index", "idx", "random"}


def direction_of(name: str, *, is_task: bool = False) -> bool | None:
    """Return whether higher is better by a metric's name; None where the name is ambiguous.

    Of a task's name, only the last words can be those of a metric, but for rates of words.
    """
    if "↓" in name or "↑" in name:
        return "↑" in name
    parts = parts_of(name)
    last = [part for part in parts if part not in "%$#±"][-2:]
    terms = frozenset(parts) & OF_WORDS | frozenset(last) if is_task else frozenset(parts)
    if ATTACKS & frozenset(parts) and terms & words_set("success succeeded successful"):
        return None
    if terms & GOOD or any(map(names_cutoff, terms)):
        return True
    if terms & ERROR_RATES or (terms & FAULTS and frozenset(parts) & RATES):
        return False
    if terms & FAULTS and not is_task:
        return None
    # An average of what?
    return True if terms & BETTER or (family_of(name) and terms - {"mean", "average"}) else None


def family_of(name: str) -> str | None:
    """Return the metric's family as the name says."""
    terms = words(name)
    if names_error_rate(name) or names_rate_of_words(name):
        return None if terms & UNBOUNDED else "bounded_mean"
    if terms & RATINGS:
        return "rating"
    if terms & RIGHT or {"pass", "rate"} <= terms or {"success", "rate"} <= terms:
        return "accuracy"
    return "bounded_mean" if terms & MEANS or {"win", "rate"} <= terms else None


def names_error(said: frozenset[str]) -> bool:
    """Return whether a name's words name a standard error, deviation or interval."""
    return bool(said & (ERRORS - {"error"} | INTERVALS - {"interval"} | {"±"})) or (
        {"standard", "error"} <= said
    )


def level_of(name: str) -> float | None:
    """Return the level of an interval that a column's name says; 0 for a standard error."""
    terms = words(name)
    if not terms & INTERVALS:
        return 0.0 if "±" not in terms or terms & ERRORS else None
    levels = [int(word) for word in terms if word in ("90", "95", "99")]
    return levels[0] / 100 if levels else None


def says_of_what(name: str) -> bool:
    """Return whether a column's name says of what its ± is."""
    return bool(words(name) & (INTERVALS | ERRORS))


def names_deviation(name: str) -> bool:
    """Return whether a column's name says that the cells are standard deviations."""
    terms = words(name)
    return bool(terms & {"sd", "stdev", "std", "deviation"}) and not terms & {"error", "err"}


def describe_log(names: Sequence[str]) -> bool:
    """Return whether columns are those of a log: its items, or two that it logged."""
    logged = [terms for terms in map(words, names) if terms & LOGGED and not terms & _MEASURED]
    items = any(terms & ITEMS and not terms & SETTINGS - ITEMS for terms in logged)
    return len(logged) > 1 or items or bool(pair_of_labels(names))


def columns_of_labels(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns of what models predicted, and those of what is true."""
    predicted = [name for name in names if words(name) & PREDICTED]
    stated = [name for name in names if name == "truth"]  # so called by the user
    of_truth = (name for name in names if words(name) & EXPECTED and words(name) - OF_MARKS)
    expected = stated or [name for name in of_truth if name not in predicted]
    return predicted, expected or [name for name in names if name.lower() in ("answer", "answers")]


def pair_of_labels(names: Sequence[str]) -> Sequence[str]:
    """Return the only column of what a model predicted, or else wrote, and that of what is true."""
    predicted, expected = columns_of_labels(names)
    further = (name for name in names if words(name) & WRITTEN and not words(name) & _MEASURED)
    answers = predicted or [name for name in further if name not in expected]
    # Of several keys the shortest name is the most general; several answers are several models'.
    return [*answers, min(expected, key=len)] if expected and len(answers) == 1 else ()


def split_names(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return names of columns by the metric and the model in them, if all models have all metrics.

    Of several such grids the largest counts.
    """
    by_metric = group_values(
        (metric, (model, name))
        for name in names
        for gap in re.finditer(r"[\W_]+", name)
        for model, metric in permutations((name[: gap.start()], name[gap.end() :]))
        if not (
            words(model) <= WORDS_OF_METRICS
            or words(model) & (TERMS_OF_METRICS | AGGREGATES)
            or any(map(names_cutoff, words(model)))
            or describes_no_model(model)
        )
    )
    alike = group_values((frozenset(dict(of)), (m, dict(of))) for m, of in by_metric.items())
    grids = [
        dict(metrics)
        for models, metrics in alike.items()
        if len(models) > 1 and any(words(m) & (TERMS_OF_METRICS | MEANS) for m, _ in metrics)
    ]
    return max(grids, key=lambda grid: sum(map(len, grid.values())), default={})


def columns_of_items(names: Sequence[str]) -> list[str]:
    """Return the columns of a log that may name its items, by numbers first."""
    if not describe_log(names):
        return []
    named = [name for name in names if words(name) & ITEMS]
    exact = [name for name in named if name == "item"]
    return [*exact, *filter(numbers_items, names), *named]


def numbers_items(name: str) -> bool:
    """Return whether a column's name is that of the numbers of items: ``task_id``."""
    terms = key(name)
    return bool(terms & NUMBERS) and terms <= NUMBERED | ITEMS
