// chlo.broadcast_complex gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=-0.07 0.13 1.13 -0.49 -0.72 -1.37 -1.11 0.57 1.6 1.53 0.19 0.13 1.42 -0.49 1.46 -1.97 -0.15 -0.62 0.71 1.49 -0.78 -1.87 1.38 0.75 1 1.81 1.69 1.45 1.2 -1.51" --input="5xf32=-0.36 1.48 -1.26 -1.6 -1.94" --expected-output="6x5xcomplex<f32>=-0.07-0.36j 0.13+1.48j 1.13-1.26j -0.49-1.6j -0.72-1.94j -1.37-0.36j -1.11+1.48j 0.57-1.26j 1.6-1.6j 1.53-1.94j 0.19-0.36j 0.13+1.48j 1.42-1.26j -0.49-1.6j 1.46-1.94j -1.97-0.36j -0.15+1.48j -0.62-1.26j 0.71-1.6j 1.49-1.94j -0.78-0.36j -1.87+1.48j 1.38-1.26j 0.75-1.6j 1-1.94j 1.81-0.36j 1.69+1.48j 1.45-1.26j 1.2-1.6j -1.51-1.94j" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xcomplex<f32>>) {
  %r0 = chlo.broadcast_complex %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xcomplex<f32>>
  return %r0 : tensor<6x5xcomplex<f32>>
}
