# long_function.sh N [sharded]: print a function of N elementwise ops; each reads the previous one and one a few before that
awk -v n="$1" -v sharded="$2" 'BEGIN {
	split("add multiply subtract maximum", op, " ")
	s = sharded ? " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}" : ""
	t = sharded ? " {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}" : ""
	print "module {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>"
	printf "  func.func @main(%%v0: tensor<8x8xf32>%s, %%v1: tensor<8x8xf32>%s) -> tensor<8x8xf32> {\n", s, t
	for (i = 2; i < n + 2; i++) printf "    %%v%d = stablehlo.%s %%v%d, %%v%d : tensor<8x8xf32>\n", i, op[i % 4 + 1], i - 1, i - 2 - (i > 9 ? i % 7 : 0)
	printf "    return %%v%d : tensor<8x8xf32>\n  }\n}\n", n + 1 }'
