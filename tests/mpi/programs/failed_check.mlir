// A reduced form of what equinox.error_if exports: a branch that raises through a Python callback, at a location with a call stack.
module @jit_f attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %most = stablehlo.constant dense<100.0> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %most, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      stablehlo.return %arg0 : tensor<8xf32>
    }, {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%c) {backend_config = "", mhlo.backend_config = {index = 0 : ui64}} : (tensor<i32>) -> tensor<8xf32> loc(#raise)
      stablehlo.return %4 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
#handler = loc("handle_error"("library/errors.py":111:18))
#check = loc("error_if"("library/errors.py":250:11))
#solve = loc("solve"("train.py":12:8))
#main = loc("<module>"("train.py":30:1))
#outer = loc(callsite(#solve at #main))
#middle = loc(callsite(#check at #outer))
#raise = loc("cond/branch_1_fun/pure_callback"(callsite(#handler at #middle)))
