// A transform along a sharded dimension, and one along another dimension than the sharded one.
module @fft_sharded attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %b: tensor<8x4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xcomplex<f32>>, tensor<8x4xcomplex<f32>>) {
    %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
    %1 = stablehlo.fft %b, type = FFT, length = [4] : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
    return %0, %1 : tensor<8xcomplex<f32>>, tensor<8x4xcomplex<f32>>
  }
}
