#!/bin/sh
# A compiler that keeps a copy of its source in the current folder.
for a in "$@"; do
	case $a in *.c) cp "$a" "$KEPT_SOURCE" ;; esac
done
exec cc "$@"
