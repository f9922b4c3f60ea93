// No mesh fits: the table of plans is printed nevertheless, also with Slurm's limit
// RUN: SLURM_MEM_PER_NODE=8 SLURM_NTASKS_PER_NODE=16 shardrun --cache=off --run=false --mesh=data=2 --mesh=data=8 --memory-per-device=100K %s
// EXIT: 5
module {
  sdy.mesh @mesh = <["data"=4]>
  func.func public @main(%x: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1024x256xf32>, tensor<f32>) -> tensor<256xf32>
    return %0 : tensor<256xf32>
  }
}
