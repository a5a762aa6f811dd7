# tests/contributing.awk: the steps of CONTRIBUTING.md as a shell script.
#   awk -f tests/contributing.awk CONTRIBUTING.md >steps.sh
# "Save this as `FILE`:" and the next fence become a file; in a console fence,
# what follows "$ " is run, and must exit 0 and print the lines that follow.
# As in a transcript, "…" stands for anything; here lines are looked for in
# their order and others may stand between them.

function quote(s) { gsub(/'/, "'\\''", s); return "'" s "'" }

function check(    i) {
    if (command == "") return
    print "step " FNR " " quote(command)
    for (i = 1; i <= wanted; i++) print "printed " FNR " " quote(want[i])
    command = ""; wanted = 0
}

/^Save this as `[^`]*`:$/ && fence == "" {
    file = $0
    sub(/^[^`]*`/, "", file); sub(/`:$/, "", file)
    next
}
fence == "" && /^```/ {
    match($0, /^`+/)
    fence = substr($0, 1, RLENGTH)
    kind = substr($0, RLENGTH + 1)
    sub(/ .*/, "", kind)
    if (file != "") print "save " quote(file) " <<'END OF FILE'"
    next
}
fence != "" && $0 == fence {
    if (file != "") { print "END OF FILE"; saved++ }
    check()
    fence = file = kind = ""
    next
}
file != "" && fence != "" { print; next }
kind == "console" && /^\$ / { check(); command = substr($0, 3); next }
kind == "console" && $0 != "…" { want[++wanted] = $0 }
END {
    if (file != "" || fence != "" || saved < 1) {
        print "echo 'CONTRIBUTING.md: no file to save, or a fence left open'"
        print "exit 1"
    }
}
