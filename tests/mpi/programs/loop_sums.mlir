// A step of integers, so that results are equal on every mesh. The step counter and the state are carried, each batch is an input.
module @sums {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%n: tensor<i32> {jax.buffer_donor = true} loc("n"),
                  %state: tensor<16x8xi32> {tf.aliasing_output = 1 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("state"),
                  %batch: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("batch"))
      -> (tensor<i32> {jax.result_info = "count"},
          tensor<16x8xi32> {jax.result_info = "state", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
          tensor<i32> {jax.result_info = "sum"}, tensor<i1> {jax.result_info = "done"},
          tensor<16x8xi32> {jax.result_info = "turned", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<12> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<16x8xi32>
    %count = stablehlo.add %n, %one : tensor<i32>
    %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<16x8xi32>
    %0 = stablehlo.multiply %state, %five : tensor<16x8xi32>
    %1 = stablehlo.add %0, %batch : tensor<16x8xi32>
    %new = stablehlo.add %1, %all : tensor<16x8xi32>
    %sum = stablehlo.reduce(%new init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xi32>, tensor<i32>) -> tensor<i32>
    %done = stablehlo.compare GE, %count, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %count, %new, %sum, %done, %new : tensor<i32>, tensor<16x8xi32>, tensor<i32>, tensor<i1>, tensor<16x8xi32>
  }
}
