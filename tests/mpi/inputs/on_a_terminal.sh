#!/bin/sh
# Run a command on a terminal of type $1: print the final screen between | | on standard output, and what was overwritten on
# standard error.
TERM=$1
export TERM
shift
line=
for word; do
	line="$line '$word'"
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
script -qec "$line" "$log" </dev/null >/dev/null
escape=$(printf '\033')
return=$(printf '\r')
sed '1d; /^Script done/d; /^$/d' "$log" >"$log.text"
mv "$log.text" "$log"
tr '\r' '\n' <"$log" | grep "$escape\\[?7l" >&2
sed "s/$return*\$//; s/.*$return$escape\\[K//; s/.*/|&|/" "$log"
