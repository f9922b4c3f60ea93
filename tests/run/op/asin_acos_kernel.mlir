// The kernel that complex asin and acos share gives the expected values.
// RUN: shardrun --interpret %s --input="7xcomplex<f32>=-0.7-0.51j -1.39-0.25j -1.38-0.82j -0.57-0.64j -0.94+0.52j 0.53+1.56j -1.06+0.98j" --expected-output="7xcomplex<f32>=0.9540091+0.5965444j 0.3490034+0.9000567j 1.010708+1.130858j 1.093605+0.6703655j 0.84798+0.7140689j 1.83204+1.261618j 1.24028+1.071815j" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<7xcomplex<f32>>) {
  %r0 = chlo._asin_acos_kernel %a : tensor<7xcomplex<f32>> -> tensor<7xcomplex<f32>>
  return %r0 : tensor<7xcomplex<f32>>
}
