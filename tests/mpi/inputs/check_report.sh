# Check that $1 is a report of add.mlir on 4 devices with 3 repeats.
want() {
	tr -d ' \n' <"$1" | grep -qE -- "$2" || { echo "the report does not hold $2"; cat "$1"; exit 1; }
}
n='[0-9][0-9.e+-]*'
want "$1" '^\{"model":"[^"]*add\.mlir","devices":4,"mesh":\{"x":4\},'
want "$1" "\"compile\":\\{\"parse_s\":$n,\"propagate_s\":$n,\"partition_s\":$n,\"optimize_s\":$n,\"plan_s\":$n,\"total_s\":$n,\"jit_s\":$n,\"kept\":false\\}"
want "$1" "\"plan\":\\{\"argument_bytes\":80,\"output_bytes\":$n,\"alias_bytes\":$n,\"temp_bytes\":$n,.*\"peak_bytes\":$n,\"flops\":0,"
want "$1" "\"collectives\":\\{.*\"all-reduce\":\\{\"count\":1,\"bytes\":8,\"wire_bytes\":12\\}"
want "$1" '"live_at_peak":\[\{"bytes":24,"buffers":2,"op":"work.nest","place":"[^"]*add.mlir:7:26"\},'
t='20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'
want "$1" '"job":\{"scheduler":"pbs","id":"77.head",'
want "$1" "\"id\":\"77.head\",\"started\":\"$t\",\"ended\":\"$t\",\"processor_hours\":$n,\"exit_status\":0\\},"
want "$1" "\"run\":\\{\"devices_per_rank\":1,\"repeats\":3,\"compiled\":(true|false),\"step_s\":\\{\"median\":$n,\"min\":$n,\"max\":$n\\},\"compute_s\":$n,\"collective_s\":$n,\"wait_s\":$n,"
want "$1" "\"pss_bytes\":\\{\"min\":[1-9][0-9]*,\"max\":[1-9][0-9]*\\},\"peak_rss_bytes\":\\{\"min\":[1-9][0-9]*,\"max\":[1-9][0-9]*\\}\\}\\}$"
! grep -qi 'nan\|inf' "$1"
