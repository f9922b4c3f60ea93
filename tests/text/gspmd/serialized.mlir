// Shardings written as serialized protos, as in old programs, are imported; an empty one is replicated.
// RUN: shardopt %s -shardrun-import-gspmd -sdy-to-gspmd=v1=true
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "\08\03\1A\02\04\02\22\08\00\04\01\05\02\06\03\07"}, %arg1: tensor<8x8xf32> {mhlo.sharding = ""}, %arg2: tensor<8x8xf32> {mhlo.sharding = "\08\03\1A\03\02\01\04\22\08\00\01\02\03\04\05\06\07\30\01"}) -> tensor<8x8xf32> {
    %0:2 = stablehlo.custom_call @f(%arg0) {mhlo.sharding = "\08\02\2A\10\08\03\1A\02\02\04\22\08\00\01\02\03\04\05\06\07\2A\00"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
    return %0#0 : tensor<8x8xf32>
  }
}
