// Few rows times a large matrix, and a batch of vectors times matrices, whose chunks threads share
module {
  func.func @main() -> (tensor<1x1536xf32>, tensor<8x1200xf32>, tensor<24x1536xbf16>, tensor<16x1536xf64>, tensor<100x1536xf32>, tensor<4x1536xcomplex<f32>>, tensor<10x1024xf32>, tensor<10x64xf32>) {
    %x0i = stablehlo.iota dim = 1 : tensor<1x512xi32>
    %x0j = stablehlo.iota dim = 0 : tensor<1x512xi32>
    %x0a = stablehlo.constant dense<31> : tensor<1x512xi32>
    %x0b = stablehlo.constant dense<7> : tensor<1x512xi32>
    %x0k = stablehlo.multiply %x0i, %x0a : tensor<1x512xi32>
    %x0l = stablehlo.multiply %x0j, %x0b : tensor<1x512xi32>
    %x0m = stablehlo.add %x0k, %x0l : tensor<1x512xi32>
    %x0q = stablehlo.constant dense<97> : tensor<1x512xi32>
    %x0r = stablehlo.remainder %x0m, %x0q : tensor<1x512xi32>
    %x0f = stablehlo.convert %x0r : (tensor<1x512xi32>) -> tensor<1x512xf32>
    %x0g = stablehlo.constant dense<0.013> : tensor<1x512xf32>
    %x0 = stablehlo.multiply %x0f, %x0g : tensor<1x512xf32>
    %w0i = stablehlo.iota dim = 1 : tensor<512x1536xi32>
    %w0j = stablehlo.iota dim = 0 : tensor<512x1536xi32>
    %w0a = stablehlo.constant dense<13> : tensor<512x1536xi32>
    %w0b = stablehlo.constant dense<29> : tensor<512x1536xi32>
    %w0k = stablehlo.multiply %w0i, %w0a : tensor<512x1536xi32>
    %w0l = stablehlo.multiply %w0j, %w0b : tensor<512x1536xi32>
    %w0m = stablehlo.add %w0k, %w0l : tensor<512x1536xi32>
    %w0q = stablehlo.constant dense<97> : tensor<512x1536xi32>
    %w0r = stablehlo.remainder %w0m, %w0q : tensor<512x1536xi32>
    %w0f = stablehlo.convert %w0r : (tensor<512x1536xi32>) -> tensor<512x1536xf32>
    %w0g = stablehlo.constant dense<0.013> : tensor<512x1536xf32>
    %w0 = stablehlo.multiply %w0f, %w0g : tensor<512x1536xf32>
    %o0 = stablehlo.dot_general %x0, %w0, contracting_dims = [1] x [0] : (tensor<1x512xf32>, tensor<512x1536xf32>) -> tensor<1x1536xf32>
    %x1i = stablehlo.iota dim = 1 : tensor<8x700xi32>
    %x1j = stablehlo.iota dim = 0 : tensor<8x700xi32>
    %x1a = stablehlo.constant dense<31> : tensor<8x700xi32>
    %x1b = stablehlo.constant dense<7> : tensor<8x700xi32>
    %x1k = stablehlo.multiply %x1i, %x1a : tensor<8x700xi32>
    %x1l = stablehlo.multiply %x1j, %x1b : tensor<8x700xi32>
    %x1m = stablehlo.add %x1k, %x1l : tensor<8x700xi32>
    %x1q = stablehlo.constant dense<97> : tensor<8x700xi32>
    %x1r = stablehlo.remainder %x1m, %x1q : tensor<8x700xi32>
    %x1f = stablehlo.convert %x1r : (tensor<8x700xi32>) -> tensor<8x700xf32>
    %x1g = stablehlo.constant dense<0.013> : tensor<8x700xf32>
    %x1 = stablehlo.multiply %x1f, %x1g : tensor<8x700xf32>
    %w1i = stablehlo.iota dim = 1 : tensor<1200x700xi32>
    %w1j = stablehlo.iota dim = 0 : tensor<1200x700xi32>
    %w1a = stablehlo.constant dense<13> : tensor<1200x700xi32>
    %w1b = stablehlo.constant dense<29> : tensor<1200x700xi32>
    %w1k = stablehlo.multiply %w1i, %w1a : tensor<1200x700xi32>
    %w1l = stablehlo.multiply %w1j, %w1b : tensor<1200x700xi32>
    %w1m = stablehlo.add %w1k, %w1l : tensor<1200x700xi32>
    %w1q = stablehlo.constant dense<97> : tensor<1200x700xi32>
    %w1r = stablehlo.remainder %w1m, %w1q : tensor<1200x700xi32>
    %w1f = stablehlo.convert %w1r : (tensor<1200x700xi32>) -> tensor<1200x700xf32>
    %w1g = stablehlo.constant dense<0.013> : tensor<1200x700xf32>
    %w1 = stablehlo.multiply %w1f, %w1g : tensor<1200x700xf32>
    %o1 = stablehlo.dot_general %x1, %w1, contracting_dims = [1] x [1] : (tensor<8x700xf32>, tensor<1200x700xf32>) -> tensor<8x1200xf32>
    %x2i = stablehlo.iota dim = 1 : tensor<24x512xi32>
    %x2j = stablehlo.iota dim = 0 : tensor<24x512xi32>
    %x2a = stablehlo.constant dense<31> : tensor<24x512xi32>
    %x2b = stablehlo.constant dense<7> : tensor<24x512xi32>
    %x2k = stablehlo.multiply %x2i, %x2a : tensor<24x512xi32>
    %x2l = stablehlo.multiply %x2j, %x2b : tensor<24x512xi32>
    %x2m = stablehlo.add %x2k, %x2l : tensor<24x512xi32>
    %x2q = stablehlo.constant dense<97> : tensor<24x512xi32>
    %x2r = stablehlo.remainder %x2m, %x2q : tensor<24x512xi32>
    %x2f = stablehlo.convert %x2r : (tensor<24x512xi32>) -> tensor<24x512xbf16>
    %x2g = stablehlo.constant dense<0.013> : tensor<24x512xbf16>
    %x2 = stablehlo.multiply %x2f, %x2g : tensor<24x512xbf16>
    %w2i = stablehlo.iota dim = 1 : tensor<512x1536xi32>
    %w2j = stablehlo.iota dim = 0 : tensor<512x1536xi32>
    %w2a = stablehlo.constant dense<13> : tensor<512x1536xi32>
    %w2b = stablehlo.constant dense<29> : tensor<512x1536xi32>
    %w2k = stablehlo.multiply %w2i, %w2a : tensor<512x1536xi32>
    %w2l = stablehlo.multiply %w2j, %w2b : tensor<512x1536xi32>
    %w2m = stablehlo.add %w2k, %w2l : tensor<512x1536xi32>
    %w2q = stablehlo.constant dense<97> : tensor<512x1536xi32>
    %w2r = stablehlo.remainder %w2m, %w2q : tensor<512x1536xi32>
    %w2f = stablehlo.convert %w2r : (tensor<512x1536xi32>) -> tensor<512x1536xbf16>
    %w2g = stablehlo.constant dense<0.013> : tensor<512x1536xbf16>
    %w2 = stablehlo.multiply %w2f, %w2g : tensor<512x1536xbf16>
    %o2 = stablehlo.dot_general %x2, %w2, contracting_dims = [1] x [0] : (tensor<24x512xbf16>, tensor<512x1536xbf16>) -> tensor<24x1536xbf16>
    %x3i = stablehlo.iota dim = 1 : tensor<16x512xi32>
    %x3j = stablehlo.iota dim = 0 : tensor<16x512xi32>
    %x3a = stablehlo.constant dense<31> : tensor<16x512xi32>
    %x3b = stablehlo.constant dense<7> : tensor<16x512xi32>
    %x3k = stablehlo.multiply %x3i, %x3a : tensor<16x512xi32>
    %x3l = stablehlo.multiply %x3j, %x3b : tensor<16x512xi32>
    %x3m = stablehlo.add %x3k, %x3l : tensor<16x512xi32>
    %x3q = stablehlo.constant dense<97> : tensor<16x512xi32>
    %x3r = stablehlo.remainder %x3m, %x3q : tensor<16x512xi32>
    %x3f = stablehlo.convert %x3r : (tensor<16x512xi32>) -> tensor<16x512xf64>
    %x3g = stablehlo.constant dense<0.013> : tensor<16x512xf64>
    %x3 = stablehlo.multiply %x3f, %x3g : tensor<16x512xf64>
    %w3i = stablehlo.iota dim = 1 : tensor<1536x512xi32>
    %w3j = stablehlo.iota dim = 0 : tensor<1536x512xi32>
    %w3a = stablehlo.constant dense<13> : tensor<1536x512xi32>
    %w3b = stablehlo.constant dense<29> : tensor<1536x512xi32>
    %w3k = stablehlo.multiply %w3i, %w3a : tensor<1536x512xi32>
    %w3l = stablehlo.multiply %w3j, %w3b : tensor<1536x512xi32>
    %w3m = stablehlo.add %w3k, %w3l : tensor<1536x512xi32>
    %w3q = stablehlo.constant dense<97> : tensor<1536x512xi32>
    %w3r = stablehlo.remainder %w3m, %w3q : tensor<1536x512xi32>
    %w3f = stablehlo.convert %w3r : (tensor<1536x512xi32>) -> tensor<1536x512xf64>
    %w3g = stablehlo.constant dense<0.013> : tensor<1536x512xf64>
    %w3 = stablehlo.multiply %w3f, %w3g : tensor<1536x512xf64>
    %o3 = stablehlo.dot_general %x3, %w3, contracting_dims = [1] x [1] : (tensor<16x512xf64>, tensor<1536x512xf64>) -> tensor<16x1536xf64>
    %x4i = stablehlo.iota dim = 1 : tensor<100x512xi32>
    %x4j = stablehlo.iota dim = 0 : tensor<100x512xi32>
    %x4a = stablehlo.constant dense<31> : tensor<100x512xi32>
    %x4b = stablehlo.constant dense<7> : tensor<100x512xi32>
    %x4k = stablehlo.multiply %x4i, %x4a : tensor<100x512xi32>
    %x4l = stablehlo.multiply %x4j, %x4b : tensor<100x512xi32>
    %x4m = stablehlo.add %x4k, %x4l : tensor<100x512xi32>
    %x4q = stablehlo.constant dense<97> : tensor<100x512xi32>
    %x4r = stablehlo.remainder %x4m, %x4q : tensor<100x512xi32>
    %x4f = stablehlo.convert %x4r : (tensor<100x512xi32>) -> tensor<100x512xf32>
    %x4g = stablehlo.constant dense<0.013> : tensor<100x512xf32>
    %x4 = stablehlo.multiply %x4f, %x4g : tensor<100x512xf32>
    %w4i = stablehlo.iota dim = 1 : tensor<1536x512xi32>
    %w4j = stablehlo.iota dim = 0 : tensor<1536x512xi32>
    %w4a = stablehlo.constant dense<13> : tensor<1536x512xi32>
    %w4b = stablehlo.constant dense<29> : tensor<1536x512xi32>
    %w4k = stablehlo.multiply %w4i, %w4a : tensor<1536x512xi32>
    %w4l = stablehlo.multiply %w4j, %w4b : tensor<1536x512xi32>
    %w4m = stablehlo.add %w4k, %w4l : tensor<1536x512xi32>
    %w4q = stablehlo.constant dense<97> : tensor<1536x512xi32>
    %w4r = stablehlo.remainder %w4m, %w4q : tensor<1536x512xi32>
    %w4f = stablehlo.convert %w4r : (tensor<1536x512xi32>) -> tensor<1536x512xf32>
    %w4g = stablehlo.constant dense<0.013> : tensor<1536x512xf32>
    %w4 = stablehlo.multiply %w4f, %w4g : tensor<1536x512xf32>
    %o4 = stablehlo.dot_general %x4, %w4, contracting_dims = [1] x [1] : (tensor<100x512xf32>, tensor<1536x512xf32>) -> tensor<100x1536xf32>
    %x5i = stablehlo.iota dim = 1 : tensor<4x512xi32>
    %x5j = stablehlo.iota dim = 0 : tensor<4x512xi32>
    %x5a = stablehlo.constant dense<31> : tensor<4x512xi32>
    %x5b = stablehlo.constant dense<7> : tensor<4x512xi32>
    %x5k = stablehlo.multiply %x5i, %x5a : tensor<4x512xi32>
    %x5l = stablehlo.multiply %x5j, %x5b : tensor<4x512xi32>
    %x5m = stablehlo.add %x5k, %x5l : tensor<4x512xi32>
    %x5q = stablehlo.constant dense<97> : tensor<4x512xi32>
    %x5r = stablehlo.remainder %x5m, %x5q : tensor<4x512xi32>
    %x5f = stablehlo.convert %x5r : (tensor<4x512xi32>) -> tensor<4x512xf32>
    %x5g = stablehlo.constant dense<0.013> : tensor<4x512xf32>
    %x5h = stablehlo.multiply %x5f, %x5g : tensor<4x512xf32>
    %x5 = stablehlo.complex %x5h, %x5g : tensor<4x512xcomplex<f32>>
    %w5i = stablehlo.iota dim = 1 : tensor<512x1536xi32>
    %w5j = stablehlo.iota dim = 0 : tensor<512x1536xi32>
    %w5a = stablehlo.constant dense<13> : tensor<512x1536xi32>
    %w5b = stablehlo.constant dense<29> : tensor<512x1536xi32>
    %w5k = stablehlo.multiply %w5i, %w5a : tensor<512x1536xi32>
    %w5l = stablehlo.multiply %w5j, %w5b : tensor<512x1536xi32>
    %w5m = stablehlo.add %w5k, %w5l : tensor<512x1536xi32>
    %w5q = stablehlo.constant dense<97> : tensor<512x1536xi32>
    %w5r = stablehlo.remainder %w5m, %w5q : tensor<512x1536xi32>
    %w5f = stablehlo.convert %w5r : (tensor<512x1536xi32>) -> tensor<512x1536xf32>
    %w5g = stablehlo.constant dense<0.013> : tensor<512x1536xf32>
    %w5h = stablehlo.multiply %w5f, %w5g : tensor<512x1536xf32>
    %w5 = stablehlo.complex %w5h, %w5g : tensor<512x1536xcomplex<f32>>
    %o5 = stablehlo.dot_general %x5, %w5, contracting_dims = [1] x [0] : (tensor<4x512xcomplex<f32>>, tensor<512x1536xcomplex<f32>>) -> tensor<4x1536xcomplex<f32>>
    %qi = stablehlo.iota dim = 1 : tensor<10x64xi32>
    %qj = stablehlo.iota dim = 0 : tensor<10x64xi32>
    %qa = stablehlo.constant dense<31> : tensor<10x64xi32>
    %qb = stablehlo.constant dense<7> : tensor<10x64xi32>
    %qk = stablehlo.multiply %qi, %qa : tensor<10x64xi32>
    %ql = stablehlo.multiply %qj, %qb : tensor<10x64xi32>
    %qm = stablehlo.add %qk, %ql : tensor<10x64xi32>
    %qq = stablehlo.constant dense<97> : tensor<10x64xi32>
    %qr = stablehlo.remainder %qm, %qq : tensor<10x64xi32>
    %qf = stablehlo.convert %qr : (tensor<10x64xi32>) -> tensor<10x64xf32>
    %qg = stablehlo.constant dense<0.013> : tensor<10x64xf32>
    %q = stablehlo.multiply %qf, %qg : tensor<10x64xf32>
    %ki = stablehlo.iota dim = 2 : tensor<10x1024x64xi32>
    %kj = stablehlo.iota dim = 1 : tensor<10x1024x64xi32>
    %ka = stablehlo.constant dense<13> : tensor<10x1024x64xi32>
    %kb = stablehlo.constant dense<29> : tensor<10x1024x64xi32>
    %kk = stablehlo.multiply %ki, %ka : tensor<10x1024x64xi32>
    %kl = stablehlo.multiply %kj, %kb : tensor<10x1024x64xi32>
    %km = stablehlo.add %kk, %kl : tensor<10x1024x64xi32>
    %kq = stablehlo.constant dense<97> : tensor<10x1024x64xi32>
    %kr = stablehlo.remainder %km, %kq : tensor<10x1024x64xi32>
    %kf = stablehlo.convert %kr : (tensor<10x1024x64xi32>) -> tensor<10x1024x64xf32>
    %kg = stablehlo.constant dense<0.013> : tensor<10x1024x64xf32>
    %k = stablehlo.multiply %kf, %kg : tensor<10x1024x64xf32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<10x64xf32>, tensor<10x1024x64xf32>) -> tensor<10x1024xf32>
    %y = stablehlo.dot_general %s, %k, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<10x1024xf32>, tensor<10x1024x64xf32>) -> tensor<10x64xf32>
    return %o0, %o1, %o2, %o3, %o4, %o5, %s, %y : tensor<1x1536xf32>, tensor<8x1200xf32>, tensor<24x1536xbf16>, tensor<16x1536xf64>, tensor<100x1536xf32>, tensor<4x1536xcomplex<f32>>, tensor<10x1024xf32>, tensor<10x64xf32>
  }
}
