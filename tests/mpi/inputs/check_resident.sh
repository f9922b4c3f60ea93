# Has no rank more than 20 MB above another in memory after the last step, as the report $1 says?
set -- $(tr -d ' \n' <"$1" | sed -n 's/.*"pss_bytes":{"min":\([0-9]*\),"max":\([0-9]*\)}.*/\1 \2/p')
[ $# = 2 ] && [ $(($2 - $1)) -lt 20000000 ] || { echo "from ${1:-?} to ${2:-?} bytes"; exit 1; }
