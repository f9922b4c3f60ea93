// Dictionaries are sorted, strings escaped, symbols and unknown attributes kept
// RUN: shardopt %s -allow-unregistered-dialect
#alias = [1, 2]
!pair = tuple<tensor<f32>, tensor<i32>>
module attributes {b.z = "q\22\0A\C3\A9\\", a.y = #alias, c.x = @f::@g, "d.w w" = {k, j = 0x1F}, e.v = #what.ever<(1, [2])>, f.u = !pair, g.t = 1.5 : bf16, h.s = array<i32: 1, 2>, i.r = dense<1> : tensor<2xi64>} {
  func.func @f(%x: tensor<f32> {z.z, a.a = 1 : i32}) -> (tensor<f32> {b.b}) attributes {no.no = 3 : index} {
    return %x : tensor<f32>
  }
}
