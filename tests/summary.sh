#!/bin/sh
# Add up the logs of "make check": the checks of unit tests (Check's own line), "N passed, N failed" of the runners. A log without such a line counts as
# one, by the program's exit status. The last line is the sum; exit 1 if any failed or none ran.
set -u
passed=0 failed=0
for log; do
	counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		-e 's/^\([0-9]*\) passed, \([0-9]*\) failed$/+ \1 \2/p' "$log" 2>/dev/null | tail -n 1)
	if grep -q '^:test-result: SKIP' "${log%.log}.trs" 2>/dev/null; then
		printf '%-28s skipped\n' "$(basename "$log" .log)"
		continue
	fi
	# shellcheck disable=SC2086
	set -- ${counts:-lost 0 1}
	if [ "$1" = + ] || [ "$1" = lost ]; then
		p=$2 f=$3
	else
		p=$(($1 - $2 - $3)) f=$(($2 + $3))
	fi
	# a program without a count that passed
	if [ "$1" = lost ] && grep -q '^:test-result: PASS' "${log%.log}.trs" 2>/dev/null; then p=1 f=0; fi
	# a sanitizer error or a crash after the last check
	if [ "$f" = 0 ] && ! grep -q '^:test-result: PASS' "${log%.log}.trs" 2>/dev/null; then f=1; fi
	printf '%-28s %5d passed, %d failed\n' "$(basename "$log" .log)" "$p" "$f"
	passed=$((passed + p))
	failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
