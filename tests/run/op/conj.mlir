// chlo.conj gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xcomplex<f32>=1.59-1.56j -0.54+1.67j 0.95+1.41j 1.63+1.27j 0.67+1.32j -0.97+1.82j 0.79-1.47j -1.41+1.8j -1.24+0.72j -1.27+1.48j -0.09-0.15j 0.63+0.3j 1.06+0.32j 0.38-0.52j -0.81-0.39j 0.73+0.29j 0.88-0.67j -0.41+1.54j 1.38-1.75j -0.45-0.15j -0.21-1.95j 1.62+0.97j -1.78-0.06j -0.46-1.63j 1.94-1.09j 0.89+0.27j 0.53-1.08j -1.79-1.78j 0.61+0.65j -1.78-1.45j" --expected-output="6x5xcomplex<f32>=1.59+1.56j -0.54-1.67j 0.95-1.41j 1.63-1.27j 0.67-1.32j -0.97-1.82j 0.79+1.47j -1.41-1.8j -1.24-0.72j -1.27-1.48j -0.09+0.15j 0.63-0.3j 1.06-0.32j 0.38+0.52j -0.81+0.39j 0.73-0.29j 0.88+0.67j -0.41-1.54j 1.38+1.75j -0.45+0.15j -0.21+1.95j 1.62-0.97j -1.78+0.06j -0.46+1.63j 1.94+1.09j 0.89-0.27j 0.53+1.08j -1.79+1.78j 0.61-0.65j -1.78+1.45j" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xcomplex<f32>>) {
  %r0 = chlo.conj %a : tensor<6x5xcomplex<f32>> -> tensor<6x5xcomplex<f32>>
  return %r0 : tensor<6x5xcomplex<f32>>
}
