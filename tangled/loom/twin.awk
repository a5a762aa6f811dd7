# twin.awk: which symbols of a device's half are whose.
# Usage: (a line of nm, the same of nm -C)... | awk -v names=FILE -v to=FILE -f twin.awk
# FILE.local: the half's own; .shared: variables, the host half's; .device: functions that
# other files call; .static: visible in this file alone. names: what the rewriter noted.
BEGIN {
    while ((getline line < names) > 0) { split(line, word, " "); is[word[2]] = is[word[2]] " " word[1] }
    n = split("local shared device static", kind, " ")
    for (i = 1; i <= n; i++) print "-" > (to "." kind[i])   # objcopy wants a line
}
NR % 2 { symbol = $NF; type = $(NF - 1); next }
{
    plain = $0
    sub(/^[^ ]* [A-Za-z] /, "", plain)
    gsub(/\(anonymous namespace\)/, "", plain)
    sub(/\[abi:.*\]/, "", plain)
    sub(/\(.*/, "", plain); sub(/<.*/, "", plain)
    sub(/^.*::/, "", plain); sub(/^.* /, "", plain)
    said = is[plain]
    if (type ~ /[BDRGSVu]/ && said ~ /variable/) print symbol > (to ".shared")
    else if (type == "T" && said ~ /function/) print symbol > (to ".device")
    else print symbol > (to ".local")
    if (symbol ~ /loom_anonymous/ || (type !~ /T/ && said ~ /static/)) print symbol > (to ".static")
}
