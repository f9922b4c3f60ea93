// Scales of quantized types have 6 digits if these are exact, otherwise all digits.
// RUN: shardopt %s
func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x!quant.uniform<i8:f32, 0.0078431372549019607:-1>>,
    %c: tensor<2x3x!quant.uniform<u8<1:255>:f32:1, {1234567.25:3, 2.0e20, 0.0000123456789012345}>>) {
  return
}
