// Options of shardings and measured runs are errors with --interpret, its own without it; --run=false with it writes a report
// RUN: for o in --explain=add --explain-partition=add --show-sharding --html=%t/p.html --report=%t/r.json --json --plan-diff=%t/r.json --profile --num-repeats=2 --warmup=1; do shardrun --interpret $o %s; echo $?; done; for o in --args=[] --split-input-file --interpreter-print-dense --probe-output-dir=%t; do shardrun $o %s; echo $?; done; ls %t; shardrun --interpret --run=false --json %s | grep -c '"devices": 1,'
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
