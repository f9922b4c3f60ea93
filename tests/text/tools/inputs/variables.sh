#!/bin/sh
# Print every environment variable in the sources of shardrun that its manual lacks.
cd ../../.. || exit 1
man=$(mktemp)
trap 'rm -f "$man"' EXIT
shardrun --help-man >"$man"
{
	sed -n 's/.*sr_env("\([A-Z_0-9]*\)").*/\1/p' src/*/*.c
	sed -n '/^static const char \*const launchers\|static const char \*const \(ranks\|names\)/s/[^"]*"\([A-Z_0-9]*\)"[^"]*/\1\n/gp' src/run/launch.c
} | grep '[A-Z]' | sort -u | while read -r name; do
	grep -q -w "$name" "$man" || echo "$name is not in the manual"
done
