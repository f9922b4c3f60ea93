# shellcheck shell=sh disable=SC2154
# Functions for runners that count their own checks (hosts, Slurm, packages), which source this file and set `log`.
passed=0 failed=0

judge() { # 0 or not, what it was: counted; of what failed the head of its log is shown
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $2"
		sed 's/^/    /' "$log" | head -n 30
	fi
}
