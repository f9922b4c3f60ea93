// --html shows ops with their shardings before and after propagation, and collectives with their cause and source line.
// RUN: shardrun -q --run=false --html=%t/page.html %s && sed -e '/^<style>/,/^<\/style>/d' -e '/^<script>/,/^<\/script>/d' %t/page.html
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32> loc("jit(f)/tanh"("f.py":7:1))
  return %1 : tensor<8x4xf32>
}
