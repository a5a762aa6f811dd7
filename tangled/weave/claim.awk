# claim.awk: is a claim true? weigh(s, g) reads the claim s, takes the results of
# the GPU g, and sets
#   holds   1 if the claim is true
#   slack   how far it is from false, in percent of the larger side (< 0: false)
#   sides   what stands on either side of each sign, in numbers
#   fault   "", or what is wrong with the claim
function weigh(s, g) {
    rest = s; results_of = g
    fault = slack = sides = ""
    holds = 1
    do compare() ; while (next_is(match(ahead(), /^and/)))
    if (rest ~ /[^ ]/) not_read()
}
function fail(what) { if (fault == "") fault = what }
function not_read() {
    fail("does not parse at \"" rest "\": a claim has {keys}, numbers, + - * / " \
        "( ), the signs < > <= >=, and the word and")
}

# compare two sides
function compare(    left, right, sign, d, most, before) {
    keys = ""
    left = sum()
    if (!next_is(match(ahead(), /^[<>]=?/))) {
        if (rest ~ /[^ ]/) not_read()
        fail("compares nothing: write what is larger or smaller than what")
    } else do {
        sign = token
        before = keys; keys = ""
        right = sum()
        check_keys(before keys)
        d = sign ~ /</ ? right - left : left - right
        most = size(left) > size(right) ? size(left) : size(right)
        sides = sides (sides == "" ? "" : ", ") sprintf("%.6g %s %.6g", left, sign, right)
        if (d < 0 || (d == 0 && sign !~ /=/)) holds = 0
        else if (d == 0)
            fail("stays true when its sides are exchanged (" left " " sign " " right ")")
        d = most ? 100 * d / most : 0
        if (slack == "" || d < slack) slack = d
        left = right
    } while (next_is(match(ahead(), /^[<>]=?/)))
}
function size(x) { return x < 0 ? -x : x }
function check_keys(s,    n, k) {
    if (s == "") fail("compares nothing: it names no result")
    n = split(s, k, " ")
    if (n < 2) return
    while (n > 1 && k[n] == k[1]) n--
    if (n == 1) fail("compares nothing: both sides are made of the same result")
}

# add and multiply
function ahead() { sub(/^ +/, "", rest); return rest }
function next_is(found) {
    if (!found) return 0
    token = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    return 1
}
function sum(    v, w, sign) {
    v = product()
    while (next_is(match(ahead(), /^[-+]/))) {
        sign = token
        w = product()
        v = sign == "+" ? v + w : v - w
    }
    return v
}
function product(    v, w, sign, at) {
    v = factor()
    while (next_is(match(ahead(), /^[*\/]/))) {
        sign = token; at = rest
        w = factor()
        if (sign == "/" && w == 0) {
            fail("divides by zero:" substr(at, 1, length(at) - length(rest)) " is 0")
            w = 1
        }
        v = sign == "*" ? v * w : v / w
    }
    return v
}
function factor(    v, key, s) {
    if (next_is(match(ahead(), /^-/))) return -factor()
    if (next_is(match(ahead(), /^[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?/))) return token + 0
    if (next_is(match(ahead(), /^[{][^{}]*[}]/))) {
        key = s = substr(token, 2, length(token) - 2)
        sub(/\/.*/, "", s)
        load_results(results_of, s)
        keys = keys " " key
        if ((results_of, key) in value) return value[results_of, key] + 0
        fail("names {" key "}, which is not in " results "/" results_of "/" s \
            ".csv: fix the key, or measure it with `make bench CHAPTER=" s "`")
        return 1
    }
    if (next_is(match(ahead(), /^[(]/))) {
        v = sum()
        if (!next_is(match(ahead(), /^[)]/))) not_read()
        return v
    }
    not_read()
    return 1
}
