// Several --mesh: each is planned, or has the reason why it cannot be; the fastest plan that fits is selected
// RUN: shardrun --cache=off --run=false --json -q --mesh=data=8,model=1 --mesh=model=4,data=2 --mesh=data=4 --mesh=data=4,model=2 --memory-per-device=1800K %s | grep -E '"mesh": "|"taken"|"why"|"fits"|"peak_bytes"|"devices"'
module @step attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%x: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x256xf32>, tensor<256x512xf32>) -> tensor<1024x512xf32>
    %1 = stablehlo.tanh %0 : tensor<1024x512xf32>
    return %1 : tensor<1024x512xf32>
  }
}
