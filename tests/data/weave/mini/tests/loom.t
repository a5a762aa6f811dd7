. tests/tap.sh
ok "E1: a thread is no rope" true
done_testing
