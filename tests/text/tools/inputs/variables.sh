#!/bin/sh
# Print every environment variable that shardrun or its Python package reads or sets and that the manual page lacks.
cd ../../.. || exit 1
man=$(mktemp)
trap 'rm -f "$man"' EXIT
shardrun --help-man >"$man"
{
	sed -n 's/.*sr_env("\([A-Z_0-9]*\)").*/\1/p' src/*/*.c src/*/*/*.c
	sed -n 's/.*environ\.get("\([A-Z_0-9]*\)".*/\1/p' python/shardrun/*.py
	# names in tables, and names that are set; PMPI_Init is a function, and a prefix of names ends with _
	sed 's/"[^"]*"/\n&\n/g' src/run/launcher.c src/run/process_environment.c src/exec/spawn.c src/exec/report.c |
		sed -n 's/^"\([A-Z][A-Z0-9]*_[A-Za-z_0-9]*[A-Za-z0-9]\)"$/\1/p' | grep -vx PMPI_Init
} | sort -u | while read -r name; do
	grep -q -w "$name" "$man" || echo "$name is not in the manual"
done
