# Check in the report $1 that no rank has 20 MB more memory than another after the last step.
set -- $(tr -d ' \n' <"$1" | sed -n 's/.*"pss_bytes":{"min":\([0-9]*\),"max":\([0-9]*\)}.*/\1 \2/p')
[ $# = 2 ] && [ $(($2 - $1)) -lt 20000000 ] || { echo "from ${1:-?} to ${2:-?} bytes"; exit 1; }
