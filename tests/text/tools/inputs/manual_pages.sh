#!/bin/sh
# Write the manual page of each tool into the folder $1 and print what is wrong with it.
cd "$1" || exit 1
for tool in shardrun shardopt shardbench; do
	"$tool" --help-man >$tool.1 2>output
	cat output
	grep -q '^\.SH EXAMPLES$' $tool.1 || echo "$tool's manual has no examples"
	sed 's/\\-/-/g; s/\\f[BIR]//g' $tool.1 >plain
	"$tool" --help | grep -oE '(^|[ ,])--[a-z][a-z0-9-]*' | tr -d ' ,' | sort -u | while read -r flag; do
		grep -qw -e "$flag" plain || echo "$tool's manual lacks $flag"
	done
	if command -v man >/dev/null; then
		man --warnings -E UTF-8 -l -Tutf8 -Z $tool.1 2>&1 >/dev/null | sed "s/^/man: $tool: /"
	fi
	if command -v mandoc >/dev/null; then
		mandoc -T lint $tool.1
	fi
done
true
