// Products of few rows and scaled weights of 8 and fewer bits equal the products of the converted and scaled weights. Numbers are
// small integers and scales powers of two, such that all sums are exact.
func.func @main() {
  %bf16_x_i = stablehlo.iota dim = 0 : tensor<1024xi32>
  %bf16_x_k = stablehlo.constant dense<37> : tensor<1024xi32>
  %bf16_x_m = stablehlo.constant dense<7> : tensor<1024xi32>
  %bf16_x_p = stablehlo.multiply %bf16_x_i, %bf16_x_k : tensor<1024xi32>
  %bf16_x_r = stablehlo.remainder %bf16_x_p, %bf16_x_m : tensor<1024xi32>
  %bf16_x_l = stablehlo.constant dense<-3> : tensor<1024xi32>
  %bf16_x_s = stablehlo.add %bf16_x_r, %bf16_x_l : tensor<1024xi32>
  %bf16_x_c = stablehlo.convert %bf16_x_s : (tensor<1024xi32>) -> tensor<1024xbf16>
  %bf16_x = stablehlo.reshape %bf16_x_c : (tensor<1024xbf16>) -> tensor<4x256xbf16>
  %bf16_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %bf16_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %bf16_w_m = stablehlo.constant dense<251> : tensor<131072xi32>
  %bf16_w_p = stablehlo.multiply %bf16_w_i, %bf16_w_k : tensor<131072xi32>
  %bf16_w_r = stablehlo.remainder %bf16_w_p, %bf16_w_m : tensor<131072xi32>
  %bf16_w_l = stablehlo.constant dense<-125> : tensor<131072xi32>
  %bf16_w_s = stablehlo.add %bf16_w_r, %bf16_w_l : tensor<131072xi32>
  %bf16_w_c = stablehlo.convert %bf16_w_s : (tensor<131072xi32>) -> tensor<131072xi8>
  %bf16_w = stablehlo.reshape %bf16_w_c : (tensor<131072xi8>) -> tensor<256x512xi8>
  %bf16_s_i = stablehlo.iota dim = 0 : tensor<512xi32>
  %bf16_s_k = stablehlo.constant dense<37> : tensor<512xi32>
  %bf16_s_m = stablehlo.constant dense<4> : tensor<512xi32>
  %bf16_s_p = stablehlo.multiply %bf16_s_i, %bf16_s_k : tensor<512xi32>
  %bf16_s_r = stablehlo.remainder %bf16_s_p, %bf16_s_m : tensor<512xi32>
  %bf16_s_1 = stablehlo.constant dense<1> : tensor<512xi32>
  %bf16_s_s = stablehlo.shift_left %bf16_s_1, %bf16_s_r : tensor<512xi32>
  %bf16_s_f = stablehlo.convert %bf16_s_s : (tensor<512xi32>) -> tensor<512xbf16>
  %bf16_s_q = stablehlo.constant dense<3.125000e-02> : tensor<512xbf16>
  %bf16_s_c = stablehlo.multiply %bf16_s_f, %bf16_s_q : tensor<512xbf16>
  %bf16_s = stablehlo.reshape %bf16_s_c : (tensor<512xbf16>) -> tensor<512xbf16>
  call @bf16(%bf16_x, %bf16_w, %bf16_s) : (tensor<4x256xbf16>, tensor<256x512xi8>, tensor<512xbf16>) -> ()
  %f16_x_i = stablehlo.iota dim = 0 : tensor<768xi32>
  %f16_x_k = stablehlo.constant dense<37> : tensor<768xi32>
  %f16_x_m = stablehlo.constant dense<7> : tensor<768xi32>
  %f16_x_p = stablehlo.multiply %f16_x_i, %f16_x_k : tensor<768xi32>
  %f16_x_r = stablehlo.remainder %f16_x_p, %f16_x_m : tensor<768xi32>
  %f16_x_l = stablehlo.constant dense<-3> : tensor<768xi32>
  %f16_x_s = stablehlo.add %f16_x_r, %f16_x_l : tensor<768xi32>
  %f16_x_c = stablehlo.convert %f16_x_s : (tensor<768xi32>) -> tensor<768xf16>
  %f16_x = stablehlo.reshape %f16_x_c : (tensor<768xf16>) -> tensor<256x3xf16>
  %f16_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %f16_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %f16_w_m = stablehlo.constant dense<251> : tensor<131072xi32>
  %f16_w_p = stablehlo.multiply %f16_w_i, %f16_w_k : tensor<131072xi32>
  %f16_w_r = stablehlo.remainder %f16_w_p, %f16_w_m : tensor<131072xi32>
  %f16_w_l = stablehlo.constant dense<0> : tensor<131072xi32>
  %f16_w_s = stablehlo.add %f16_w_r, %f16_w_l : tensor<131072xi32>
  %f16_w_c = stablehlo.convert %f16_w_s : (tensor<131072xi32>) -> tensor<131072xui8>
  %f16_w = stablehlo.reshape %f16_w_c : (tensor<131072xui8>) -> tensor<256x512xui8>
  %f16_s_i = stablehlo.iota dim = 0 : tensor<512xi32>
  %f16_s_k = stablehlo.constant dense<37> : tensor<512xi32>
  %f16_s_m = stablehlo.constant dense<4> : tensor<512xi32>
  %f16_s_p = stablehlo.multiply %f16_s_i, %f16_s_k : tensor<512xi32>
  %f16_s_r = stablehlo.remainder %f16_s_p, %f16_s_m : tensor<512xi32>
  %f16_s_1 = stablehlo.constant dense<1> : tensor<512xi32>
  %f16_s_s = stablehlo.shift_left %f16_s_1, %f16_s_r : tensor<512xi32>
  %f16_s_f = stablehlo.convert %f16_s_s : (tensor<512xi32>) -> tensor<512xf16>
  %f16_s_q = stablehlo.constant dense<3.125000e-02> : tensor<512xf16>
  %f16_s_c = stablehlo.multiply %f16_s_f, %f16_s_q : tensor<512xf16>
  %f16_s = stablehlo.reshape %f16_s_c : (tensor<512xf16>) -> tensor<512xf16>
  call @f16(%f16_x, %f16_w, %f16_s) : (tensor<256x3xf16>, tensor<256x512xui8>, tensor<512xf16>) -> ()
  %groups_x_i = stablehlo.iota dim = 0 : tensor<1536xi32>
  %groups_x_k = stablehlo.constant dense<37> : tensor<1536xi32>
  %groups_x_m = stablehlo.constant dense<7> : tensor<1536xi32>
  %groups_x_p = stablehlo.multiply %groups_x_i, %groups_x_k : tensor<1536xi32>
  %groups_x_r = stablehlo.remainder %groups_x_p, %groups_x_m : tensor<1536xi32>
  %groups_x_l = stablehlo.constant dense<-3> : tensor<1536xi32>
  %groups_x_s = stablehlo.add %groups_x_r, %groups_x_l : tensor<1536xi32>
  %groups_x_c = stablehlo.convert %groups_x_s : (tensor<1536xi32>) -> tensor<1536xf32>
  %groups_x = stablehlo.reshape %groups_x_c : (tensor<1536xf32>) -> tensor<2x3x256xf32>
  %groups_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %groups_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %groups_w_m = stablehlo.constant dense<251> : tensor<131072xi32>
  %groups_w_p = stablehlo.multiply %groups_w_i, %groups_w_k : tensor<131072xi32>
  %groups_w_r = stablehlo.remainder %groups_w_p, %groups_w_m : tensor<131072xi32>
  %groups_w_l = stablehlo.constant dense<-125> : tensor<131072xi32>
  %groups_w_s = stablehlo.add %groups_w_r, %groups_w_l : tensor<131072xi32>
  %groups_w_c = stablehlo.convert %groups_w_s : (tensor<131072xi32>) -> tensor<131072xi8>
  %groups_w = stablehlo.reshape %groups_w_c : (tensor<131072xi8>) -> tensor<4x64x512xi8>
  %groups_s_i = stablehlo.iota dim = 0 : tensor<2048xi32>
  %groups_s_k = stablehlo.constant dense<37> : tensor<2048xi32>
  %groups_s_m = stablehlo.constant dense<4> : tensor<2048xi32>
  %groups_s_p = stablehlo.multiply %groups_s_i, %groups_s_k : tensor<2048xi32>
  %groups_s_r = stablehlo.remainder %groups_s_p, %groups_s_m : tensor<2048xi32>
  %groups_s_1 = stablehlo.constant dense<1> : tensor<2048xi32>
  %groups_s_s = stablehlo.shift_left %groups_s_1, %groups_s_r : tensor<2048xi32>
  %groups_s_f = stablehlo.convert %groups_s_s : (tensor<2048xi32>) -> tensor<2048xf32>
  %groups_s_q = stablehlo.constant dense<3.125000e-02> : tensor<2048xf32>
  %groups_s_c = stablehlo.multiply %groups_s_f, %groups_s_q : tensor<2048xf32>
  %groups_s = stablehlo.reshape %groups_s_c : (tensor<2048xf32>) -> tensor<4x512xf32>
  call @groups(%groups_x, %groups_w, %groups_s) : (tensor<2x3x256xf32>, tensor<4x64x512xi8>, tensor<4x512xf32>) -> ()
  %groups_of_bf16_x_i = stablehlo.iota dim = 0 : tensor<8192xi32>
  %groups_of_bf16_x_k = stablehlo.constant dense<37> : tensor<8192xi32>
  %groups_of_bf16_x_m = stablehlo.constant dense<7> : tensor<8192xi32>
  %groups_of_bf16_x_p = stablehlo.multiply %groups_of_bf16_x_i, %groups_of_bf16_x_k : tensor<8192xi32>
  %groups_of_bf16_x_r = stablehlo.remainder %groups_of_bf16_x_p, %groups_of_bf16_x_m : tensor<8192xi32>
  %groups_of_bf16_x_l = stablehlo.constant dense<-3> : tensor<8192xi32>
  %groups_of_bf16_x_s = stablehlo.add %groups_of_bf16_x_r, %groups_of_bf16_x_l : tensor<8192xi32>
  %groups_of_bf16_x_c = stablehlo.convert %groups_of_bf16_x_s : (tensor<8192xi32>) -> tensor<8192xbf16>
  %groups_of_bf16_x = stablehlo.reshape %groups_of_bf16_x_c : (tensor<8192xbf16>) -> tensor<32x256xbf16>
  %groups_of_bf16_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %groups_of_bf16_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %groups_of_bf16_w_m = stablehlo.constant dense<251> : tensor<131072xi32>
  %groups_of_bf16_w_p = stablehlo.multiply %groups_of_bf16_w_i, %groups_of_bf16_w_k : tensor<131072xi32>
  %groups_of_bf16_w_r = stablehlo.remainder %groups_of_bf16_w_p, %groups_of_bf16_w_m : tensor<131072xi32>
  %groups_of_bf16_w_l = stablehlo.constant dense<0> : tensor<131072xi32>
  %groups_of_bf16_w_s = stablehlo.add %groups_of_bf16_w_r, %groups_of_bf16_w_l : tensor<131072xi32>
  %groups_of_bf16_w_c = stablehlo.convert %groups_of_bf16_w_s : (tensor<131072xi32>) -> tensor<131072xui8>
  %groups_of_bf16_w = stablehlo.reshape %groups_of_bf16_w_c : (tensor<131072xui8>) -> tensor<4x64x512xui8>
  %groups_of_bf16_s_i = stablehlo.iota dim = 0 : tensor<2048xi32>
  %groups_of_bf16_s_k = stablehlo.constant dense<37> : tensor<2048xi32>
  %groups_of_bf16_s_m = stablehlo.constant dense<4> : tensor<2048xi32>
  %groups_of_bf16_s_p = stablehlo.multiply %groups_of_bf16_s_i, %groups_of_bf16_s_k : tensor<2048xi32>
  %groups_of_bf16_s_r = stablehlo.remainder %groups_of_bf16_s_p, %groups_of_bf16_s_m : tensor<2048xi32>
  %groups_of_bf16_s_1 = stablehlo.constant dense<1> : tensor<2048xi32>
  %groups_of_bf16_s_s = stablehlo.shift_left %groups_of_bf16_s_1, %groups_of_bf16_s_r : tensor<2048xi32>
  %groups_of_bf16_s_f = stablehlo.convert %groups_of_bf16_s_s : (tensor<2048xi32>) -> tensor<2048xbf16>
  %groups_of_bf16_s_q = stablehlo.constant dense<3.125000e-02> : tensor<2048xbf16>
  %groups_of_bf16_s_c = stablehlo.multiply %groups_of_bf16_s_f, %groups_of_bf16_s_q : tensor<2048xbf16>
  %groups_of_bf16_s = stablehlo.reshape %groups_of_bf16_s_c : (tensor<2048xbf16>) -> tensor<4x512xbf16>
  call @groups_of_bf16(%groups_of_bf16_x, %groups_of_bf16_w, %groups_of_bf16_s) : (tensor<32x256xbf16>, tensor<4x64x512xui8>, tensor<4x512xbf16>) -> ()
  %groups_transposed_x_i = stablehlo.iota dim = 0 : tensor<1280xi32>
  %groups_transposed_x_k = stablehlo.constant dense<37> : tensor<1280xi32>
  %groups_transposed_x_m = stablehlo.constant dense<7> : tensor<1280xi32>
  %groups_transposed_x_p = stablehlo.multiply %groups_transposed_x_i, %groups_transposed_x_k : tensor<1280xi32>
  %groups_transposed_x_r = stablehlo.remainder %groups_transposed_x_p, %groups_transposed_x_m : tensor<1280xi32>
  %groups_transposed_x_l = stablehlo.constant dense<-3> : tensor<1280xi32>
  %groups_transposed_x_s = stablehlo.add %groups_transposed_x_r, %groups_transposed_x_l : tensor<1280xi32>
  %groups_transposed_x_c = stablehlo.convert %groups_transposed_x_s : (tensor<1280xi32>) -> tensor<1280xf16>
  %groups_transposed_x = stablehlo.reshape %groups_transposed_x_c : (tensor<1280xf16>) -> tensor<256x5xf16>
  %groups_transposed_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %groups_transposed_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %groups_transposed_w_m = stablehlo.constant dense<251> : tensor<131072xi32>
  %groups_transposed_w_p = stablehlo.multiply %groups_transposed_w_i, %groups_transposed_w_k : tensor<131072xi32>
  %groups_transposed_w_r = stablehlo.remainder %groups_transposed_w_p, %groups_transposed_w_m : tensor<131072xi32>
  %groups_transposed_w_l = stablehlo.constant dense<-125> : tensor<131072xi32>
  %groups_transposed_w_s = stablehlo.add %groups_transposed_w_r, %groups_transposed_w_l : tensor<131072xi32>
  %groups_transposed_w_c = stablehlo.convert %groups_transposed_w_s : (tensor<131072xi32>) -> tensor<131072xi8>
  %groups_transposed_w = stablehlo.reshape %groups_transposed_w_c : (tensor<131072xi8>) -> tensor<8x32x512xi8>
  %groups_transposed_s_i = stablehlo.iota dim = 0 : tensor<4096xi32>
  %groups_transposed_s_k = stablehlo.constant dense<37> : tensor<4096xi32>
  %groups_transposed_s_m = stablehlo.constant dense<4> : tensor<4096xi32>
  %groups_transposed_s_p = stablehlo.multiply %groups_transposed_s_i, %groups_transposed_s_k : tensor<4096xi32>
  %groups_transposed_s_r = stablehlo.remainder %groups_transposed_s_p, %groups_transposed_s_m : tensor<4096xi32>
  %groups_transposed_s_1 = stablehlo.constant dense<1> : tensor<4096xi32>
  %groups_transposed_s_s = stablehlo.shift_left %groups_transposed_s_1, %groups_transposed_s_r : tensor<4096xi32>
  %groups_transposed_s_f = stablehlo.convert %groups_transposed_s_s : (tensor<4096xi32>) -> tensor<4096xf16>
  %groups_transposed_s_q = stablehlo.constant dense<3.125000e-02> : tensor<4096xf16>
  %groups_transposed_s_c = stablehlo.multiply %groups_transposed_s_f, %groups_transposed_s_q : tensor<4096xf16>
  %groups_transposed_s = stablehlo.reshape %groups_transposed_s_c : (tensor<4096xf16>) -> tensor<8x512xf16>
  call @groups_transposed(%groups_transposed_x, %groups_transposed_w, %groups_transposed_s) : (tensor<256x5xf16>, tensor<8x32x512xi8>, tensor<8x512xf16>) -> ()
  %i4_x_i = stablehlo.iota dim = 0 : tensor<256xi32>
  %i4_x_k = stablehlo.constant dense<37> : tensor<256xi32>
  %i4_x_m = stablehlo.constant dense<7> : tensor<256xi32>
  %i4_x_p = stablehlo.multiply %i4_x_i, %i4_x_k : tensor<256xi32>
  %i4_x_r = stablehlo.remainder %i4_x_p, %i4_x_m : tensor<256xi32>
  %i4_x_l = stablehlo.constant dense<-3> : tensor<256xi32>
  %i4_x_s = stablehlo.add %i4_x_r, %i4_x_l : tensor<256xi32>
  %i4_x_c = stablehlo.convert %i4_x_s : (tensor<256xi32>) -> tensor<256xf32>
  %i4_x = stablehlo.reshape %i4_x_c : (tensor<256xf32>) -> tensor<1x256xf32>
  %i4_w_i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %i4_w_k = stablehlo.constant dense<37> : tensor<131072xi32>
  %i4_w_m = stablehlo.constant dense<16> : tensor<131072xi32>
  %i4_w_p = stablehlo.multiply %i4_w_i, %i4_w_k : tensor<131072xi32>
  %i4_w_r = stablehlo.remainder %i4_w_p, %i4_w_m : tensor<131072xi32>
  %i4_w_l = stablehlo.constant dense<-8> : tensor<131072xi32>
  %i4_w_s = stablehlo.add %i4_w_r, %i4_w_l : tensor<131072xi32>
  %i4_w_c = stablehlo.convert %i4_w_s : (tensor<131072xi32>) -> tensor<131072xi4>
  %i4_w = stablehlo.reshape %i4_w_c : (tensor<131072xi4>) -> tensor<4x64x512xi4>
  %i4_s_i = stablehlo.iota dim = 0 : tensor<2048xi32>
  %i4_s_k = stablehlo.constant dense<37> : tensor<2048xi32>
  %i4_s_m = stablehlo.constant dense<4> : tensor<2048xi32>
  %i4_s_p = stablehlo.multiply %i4_s_i, %i4_s_k : tensor<2048xi32>
  %i4_s_r = stablehlo.remainder %i4_s_p, %i4_s_m : tensor<2048xi32>
  %i4_s_1 = stablehlo.constant dense<1> : tensor<2048xi32>
  %i4_s_s = stablehlo.shift_left %i4_s_1, %i4_s_r : tensor<2048xi32>
  %i4_s_f = stablehlo.convert %i4_s_s : (tensor<2048xi32>) -> tensor<2048xf32>
  %i4_s_q = stablehlo.constant dense<3.125000e-02> : tensor<2048xf32>
  %i4_s_c = stablehlo.multiply %i4_s_f, %i4_s_q : tensor<2048xf32>
  %i4_s = stablehlo.reshape %i4_s_c : (tensor<2048xf32>) -> tensor<4x512xf32>
  call @i4(%i4_x, %i4_w, %i4_s) : (tensor<1x256xf32>, tensor<4x64x512xi4>, tensor<4x512xf32>) -> ()
  return
}
func.func @bf16(%x: tensor<4x256xbf16>, %w: tensor<256x512xi8>, %scale: tensor<512xbf16>) {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xbf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<512xbf16>) -> tensor<256x512xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xbf16>
  %y = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<4x256xbf16>, tensor<256x512xbf16>) -> tensor<4x512xbf16>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<4x256xbf16>, tensor<256x512xi8>, tensor<512xbf16>
  %6 = stablehlo.convert %5#1 : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<512xbf16>) -> tensor<512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<512xf32>) -> tensor<256x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<256x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<256x512xf32>
  %11 = stablehlo.optimization_barrier %10 : tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<4x256xbf16>) -> tensor<4x256xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x512xf32>) -> tensor<4x512xf32>
  %14 = stablehlo.convert %13 : (tensor<4x512xf32>) -> tensor<4x512xbf16>
  check.expect_eq %y, %14 : tensor<4x512xbf16>
  return
}
func.func @f16(%x: tensor<256x3xf16>, %w: tensor<256x512xui8>, %scale: tensor<512xf16>) {
  %0 = stablehlo.convert %w : (tensor<256x512xui8>) -> tensor<256x512xf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<512xf16>) -> tensor<256x512xf16>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xf16>
  %4 = stablehlo.transpose %2, dims = [1, 0] : (tensor<256x512xf16>) -> tensor<512x256xf16>
  %y = stablehlo.dot_general %x, %4, contracting_dims = [0] x [1] : (tensor<256x3xf16>, tensor<512x256xf16>) -> tensor<3x512xf16>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<256x3xf16>, tensor<256x512xui8>, tensor<512xf16>
  %6 = stablehlo.convert %5#1 : (tensor<256x512xui8>) -> tensor<256x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<512xf16>) -> tensor<512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<512xf32>) -> tensor<256x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<256x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<256x512xf32>
  %11 = stablehlo.optimization_barrier %10 : tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<256x3xf16>) -> tensor<256x3xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [0] x [0] : (tensor<256x3xf32>, tensor<256x512xf32>) -> tensor<3x512xf32>
  %14 = stablehlo.convert %13 : (tensor<3x512xf32>) -> tensor<3x512xf16>
  check.expect_eq %y, %14 : tensor<3x512xf16>
  return
}
func.func @groups(%x: tensor<2x3x256xf32>, %w: tensor<4x64x512xi8>, %scale: tensor<4x512xf32>) {
  %0 = stablehlo.convert %w : (tensor<4x64x512xi8>) -> tensor<4x64x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x64x512xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %y = stablehlo.dot_general %x, %3, contracting_dims = [2] x [0] : (tensor<2x3x256xf32>, tensor<256x512xf32>) -> tensor<2x3x512xf32>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<2x3x256xf32>, tensor<4x64x512xi8>, tensor<4x512xf32>
  %6 = stablehlo.convert %5#1 : (tensor<4x64x512xi8>) -> tensor<4x64x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<4x64x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x64x512xf32>
  %11 = stablehlo.reshape %10 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<2x3x256xf32>) -> tensor<2x3x256xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [2] x [0] : (tensor<2x3x256xf32>, tensor<256x512xf32>) -> tensor<2x3x512xf32>
  %14 = stablehlo.convert %13 : (tensor<2x3x512xf32>) -> tensor<2x3x512xf32>
  check.expect_eq %y, %14 : tensor<2x3x512xf32>
  return
}
func.func @groups_of_bf16(%x: tensor<32x256xbf16>, %w: tensor<4x64x512xui8>, %scale: tensor<4x512xbf16>) {
  %0 = stablehlo.convert %w : (tensor<4x64x512xui8>) -> tensor<4x64x512xbf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<4x512xbf16>) -> tensor<4x64x512xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<4x64x512xbf16>
  %3 = stablehlo.reshape %2 : (tensor<4x64x512xbf16>) -> tensor<256x512xbf16>
  %y = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<32x256xbf16>, tensor<256x512xbf16>) -> tensor<32x512xbf16>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<32x256xbf16>, tensor<4x64x512xui8>, tensor<4x512xbf16>
  %6 = stablehlo.convert %5#1 : (tensor<4x64x512xui8>) -> tensor<4x64x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<4x512xbf16>) -> tensor<4x512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<4x64x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x64x512xf32>
  %11 = stablehlo.reshape %10 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<32x256xbf16>) -> tensor<32x256xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x512xf32>) -> tensor<32x512xf32>
  %14 = stablehlo.convert %13 : (tensor<32x512xf32>) -> tensor<32x512xbf16>
  check.expect_eq %y, %14 : tensor<32x512xbf16>
  return
}
func.func @groups_transposed(%x: tensor<256x5xf16>, %w: tensor<8x32x512xi8>, %scale: tensor<8x512xf16>) {
  %0 = stablehlo.convert %w : (tensor<8x32x512xi8>) -> tensor<8x32x512xf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<8x512xf16>) -> tensor<8x32x512xf16>
  %2 = stablehlo.multiply %0, %1 : tensor<8x32x512xf16>
  %3 = stablehlo.reshape %2 : (tensor<8x32x512xf16>) -> tensor<256x512xf16>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<256x512xf16>) -> tensor<512x256xf16>
  %y = stablehlo.dot_general %x, %4, contracting_dims = [0] x [1] : (tensor<256x5xf16>, tensor<512x256xf16>) -> tensor<5x512xf16>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<256x5xf16>, tensor<8x32x512xi8>, tensor<8x512xf16>
  %6 = stablehlo.convert %5#1 : (tensor<8x32x512xi8>) -> tensor<8x32x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<8x512xf16>) -> tensor<8x512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<8x512xf32>) -> tensor<8x32x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<8x32x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<8x32x512xf32>
  %11 = stablehlo.reshape %10 : (tensor<8x32x512xf32>) -> tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<256x5xf16>) -> tensor<256x5xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [0] x [0] : (tensor<256x5xf32>, tensor<256x512xf32>) -> tensor<5x512xf32>
  %14 = stablehlo.convert %13 : (tensor<5x512xf32>) -> tensor<5x512xf16>
  check.expect_eq %y, %14 : tensor<5x512xf16>
  return
}
func.func @i4(%x: tensor<1x256xf32>, %w: tensor<4x64x512xi4>, %scale: tensor<4x512xf32>) {
  %0 = stablehlo.convert %w : (tensor<4x64x512xi4>) -> tensor<4x64x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x64x512xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %y = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  %5:3 = stablehlo.optimization_barrier %x, %w, %scale : tensor<1x256xf32>, tensor<4x64x512xi4>, tensor<4x512xf32>
  %6 = stablehlo.convert %5#1 : (tensor<4x64x512xi4>) -> tensor<4x64x512xf32>
  %7 = stablehlo.convert %5#2 : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<4x64x512xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x64x512xf32>
  %11 = stablehlo.reshape %10 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %12 = stablehlo.convert %5#0 : (tensor<1x256xf32>) -> tensor<1x256xf32>
  %13 = stablehlo.dot_general %12, %11, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  %14 = stablehlo.convert %13 : (tensor<1x512xf32>) -> tensor<1x512xf32>
  check.expect_eq %y, %14 : tensor<1x512xf32>
  return
}
