// The plan and its time estimate are for the order of axes that --placement gives.
// With x between the nodes the plan has other collectives than with y between them, which auto selects
// RUN: printf "network_bytes_per_s = 1e8\n" >%t/m.txt; for p in auto y,x x,y block; do echo "$p"; shardrun --run=false -v --print-plan --ranks-per-node=4 --machine=%t/m.txt --placement=$p %s 2>&1 | sed -nE 's/^ *(placement|estimated)/\1/p; s/.* (all_[a-z_]*<|reduce_scatter<).*stablehlo.*/\1/p' | grep -v release; done
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  return %0, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
