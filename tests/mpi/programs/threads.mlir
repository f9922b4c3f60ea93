// Instructions of each kind that worker threads divide, large enough for it: rows, columns, products of odd extents, sorts, gathers, copies
module @threads {
  func.func @main(%x: tensor<701x613xf32>, %w: tensor<613x1111xf32>, %i: tensor<50000xi32>, %d: tensor<40x90x50xf64>, %image: tensor<5x33x31x64xf32>, %window: tensor<3x3x64x48xf32>, %h: tensor<700x520xbf16>, %lines: tensor<330x2047xf32>, %cube: tensor<96x70x64xcomplex<f32>>, %plane: tensor<700x300xf32>) -> (tensor<701x613xf32>, tensor<701x1111xf32>, tensor<613xf32>, tensor<701x613xf32>, tensor<50000xf32>, tensor<40x90x90xf64>, tensor<613x701xf32>, tensor<5x33x31x48xf32>, tensor<700x700xbf16>, tensor<330x1024xcomplex<f32>>, tensor<96x70x64xcomplex<f32>>, tensor<700x151xcomplex<f32>>) {
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<701x613xf32>, tensor<f32>) -> tensor<701xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<701xf32>) -> tensor<701x613xf32>
    %c = stablehlo.subtract %x, %mb : tensor<701x613xf32>
    %e = stablehlo.exponential %c : tensor<701x613xf32>
    %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<701x613xf32>, tensor<f32>) -> tensor<701xf32>
    %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<701xf32>) -> tensor<701x613xf32>
    %soft = stablehlo.divide %e, %sb : tensor<701x613xf32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<701x613xf32>, tensor<613x1111xf32>) -> tensor<701x1111xf32>
    %columns = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<701x613xf32>, tensor<f32>) -> tensor<613xf32>
    %sorted = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %l = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<701x613xf32>) -> tensor<701x613xf32>
    %flat = stablehlo.reshape %soft : (tensor<701x613xf32>) -> tensor<429713xf32>
    %g = "stablehlo.gather"(%flat, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<429713xf32>, tensor<50000xi32>) -> tensor<50000xf32>
    %q = stablehlo.dot_general %d, %d, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<40x90x50xf64>, tensor<40x90x50xf64>) -> tensor<40x90x90xf64>
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<701x613xf32>) -> tensor<613x701xf32>
    %v = stablehlo.convolution(%image, %window) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x33x31x64xf32>, tensor<3x3x64x48xf32>) -> tensor<5x33x31x48xf32>
    %bb = stablehlo.dot_general %h, %h, contracting_dims = [1] x [1] : (tensor<700x520xbf16>, tensor<700x520xbf16>) -> tensor<700x700xbf16>
    %f = stablehlo.fft %lines, type = RFFT, length = [2047] : (tensor<330x2047xf32>) -> tensor<330x1024xcomplex<f32>>
    %all = stablehlo.fft %cube, type = IFFT, length = [96, 70, 64] : (tensor<96x70x64xcomplex<f32>>) -> tensor<96x70x64xcomplex<f32>>
    %both = stablehlo.fft %plane, type = RFFT, length = [700, 300] : (tensor<700x300xf32>) -> tensor<700x151xcomplex<f32>>
    return %soft, %p, %columns, %sorted, %g, %q, %t, %v, %bb, %f, %all, %both : tensor<701x613xf32>, tensor<701x1111xf32>, tensor<613xf32>, tensor<701x613xf32>, tensor<50000xf32>, tensor<40x90x90xf64>, tensor<613x701xf32>, tensor<5x33x31x48xf32>, tensor<700x700xbf16>, tensor<330x1024xcomplex<f32>>, tensor<96x70x64xcomplex<f32>>, tensor<700x151xcomplex<f32>>
  }
}
