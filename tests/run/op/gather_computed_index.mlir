// gathers at computed indices: negative ones, ones outside that give NaN, index arithmetic on positions, and a table of bytes
// RUN: shardrun --interpret %s --input="6x8xf32=6 -8 -6 -5 -6 6 7 2 -9 -8 -3 -1 2 0 -4 -6 4 4 -9 -7 -1 -2 7 0 -2 -1 3 2 -6 5 5 9 5 -4 -3 3 3 4 7 -4 8 -9 -8 9 8 -4 -7 -4" --input="6x8xi32=-11 9 3 2 -7 -1 -8 6 -1 -12 -6 4 0 -4 -6 -10 2 3 0 10 10 -8 2 3 -7 -5 -1 5 -5 5 3 -7 -3 7 8 3 -12 4 -7 7 9 -2 10 6 -5 9 -3 -10" --input="4x6xui8=151 217 168 100 230 122 98 37 54 178 204 74 160 223 37 70 134 143 101 102 33 156 238 50" --input="256xui8=204 46 11 191 46 192 84 145 240 235 121 52 64 217 150 43 226 246 248 159 249 155 128 248 154 201 86 202 249 13 137 94 13 21 68 49 183 54 160 219 126 32 17 75 105 126 78 217 145 247 239 181 7 54 191 139 241 180 209 13 75 174 162 94 40 150 22 171 205 171 16 133 77 142 174 50 9 126 158 32 236 123 247 137 186 198 127 100 170 5 158 135 38 52 8 189 175 99 244 97 78 232 21 100 6 89 185 89 126 123 15 23 76 139 18 235 218 144 187 190 2 242 12 215 213 190 34 208 245 209 177 64 141 123 222 87 104 67 125 146 117 81 140 158 42 149 180 26 158 113 238 99 80 180 222 22 27 43 87 131 145 103 225 170 42 85 50 50 216 238 110 62 213 37 35 71 93 86 71 57 160 137 168 239 239 32 202 106 209 171 14 226 237 255 15 36 161 137 24 225 60 13 220 150 6 44 225 196 221 240 76 137 94 2 60 16 30 106 234 216 164 60 32 171 188 103 34 67 252 180 144 78 220 95 114 195 106 126 7 200 72 132 140 40 61 113 25 223 88 144 37 246 120 0 88 87" --expected-output="6x8xf32=nan nan -5 -6 -8 2 6 7 -6 nan -3 2 -9 2 -3 nan -9 -7 4 nan nan 4 -9 -7 -1 2 9 5 2 5 2 -1 4 -4 nan 3 nan 3 -4 -4 nan -7 nan -7 9 nan -4 nan" --expected-output="6x8xf32=12 0 -9 -12 5 10 13 -4 -2 9 15 6 -3 -1 0 4 -16 -3 -14 -6 3 8 -3 -10 8 14 6 -2 2 -16 -7 -2 9 2 3 -10 12 8 3 -9 -8 2 5 4 -2 -1 15 8" --expected-output="4x6xui8=99 106 216 78 144 12 244 54 191 71 6 174 145 171 54 16 222 158 232 21 21 27 7 239" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg2: tensor<4x6xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: tensor<256xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<4x6xui8>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_0 = stablehlo.constant dense<8> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<6x8xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<6x8xi1>, tensor<6x8xi32>
  %5 = stablehlo.reshape %4 : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
  %c_1 = stablehlo.constant dense<7> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x8x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x8x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<6x8x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x8x1xi1>, tensor<i1>) -> tensor<6x8xi1>
  %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x8x1xi32>) -> tensor<6x8xf32>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
  %15 = stablehlo.select %12, %13, %14 : tensor<6x8xi1>, tensor<6x8xf32>
  %16 = stablehlo.iota dim = 0 : tensor<6xi32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %18 = stablehlo.multiply %17, %16 : tensor<6xi32>
  %c_5 = stablehlo.constant dense<0> : tensor<i32>
  %19 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %20 = stablehlo.add %19, %18 : tensor<6xi32>
  %21 = stablehlo.iota dim = 0 : tensor<8xi32>
  %c_6 = stablehlo.constant dense<1> : tensor<i32>
  %22 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %23 = stablehlo.multiply %22, %21 : tensor<8xi32>
  %c_7 = stablehlo.constant dense<0> : tensor<i32>
  %24 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %25 = stablehlo.add %24, %23 : tensor<8xi32>
  %26 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<6xi32>) -> tensor<6x8xi32>
  %27 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<8xi32>) -> tensor<6x8xi32>
  %28 = stablehlo.broadcast_in_dim %26, dims = [1, 2] : (tensor<6x8xi32>) -> tensor<1x6x8xi32>
  %29 = stablehlo.broadcast_in_dim %27, dims = [1, 2] : (tensor<6x8xi32>) -> tensor<1x6x8xi32>
  %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<1x6x8xi32>, tensor<1x6x8xi32>) -> tensor<2x6x8xi32>
  %31 = stablehlo.slice %30 [0:1, 0:6, 0:8] : (tensor<2x6x8xi32>) -> tensor<1x6x8xi32>
  %32 = stablehlo.reshape %31 : (tensor<1x6x8xi32>) -> tensor<6x8xi32>
  %33 = stablehlo.slice %30 [1:2, 0:6, 0:8] : (tensor<2x6x8xi32>) -> tensor<1x6x8xi32>
  %34 = stablehlo.reshape %33 : (tensor<1x6x8xi32>) -> tensor<6x8xi32>
  %c_8 = stablehlo.constant dense<2> : tensor<i32>
  %35 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %36 = stablehlo.multiply %35, %34 : tensor<6x8xi32>
  %37 = stablehlo.add %32, %36 : tensor<6x8xi32>
  %c_9 = stablehlo.constant dense<6> : tensor<i32>
  %38 = stablehlo.convert %c_9 : tensor<i32>
  %c_10 = stablehlo.constant dense<0> : tensor<i32>
  %39 = stablehlo.compare EQ, %38, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_11 = stablehlo.constant dense<1> : tensor<i32>
  %40 = stablehlo.select %39, %c_11, %38 : tensor<i1>, tensor<i32>
  %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %42 = stablehlo.remainder %37, %41 : tensor<6x8xi32>
  %c_12 = stablehlo.constant dense<0> : tensor<i32>
  %43 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %44 = stablehlo.compare NE, %42, %43, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_13 = stablehlo.constant dense<0> : tensor<i32>
  %45 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %46 = stablehlo.compare LT, %42, %45, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_14 = stablehlo.constant dense<0> : tensor<i32>
  %47 = stablehlo.compare LT, %40, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<i1>) -> tensor<6x8xi1>
  %49 = stablehlo.compare NE, %46, %48, UNSIGNED : (tensor<6x8xi1>, tensor<6x8xi1>) -> tensor<6x8xi1>
  %50 = stablehlo.and %49, %44 : tensor<6x8xi1>
  %51 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %52 = stablehlo.add %42, %51 : tensor<6x8xi32>
  %53 = stablehlo.select %50, %52, %42 : tensor<6x8xi1>, tensor<6x8xi32>
  %54 = stablehlo.add %34, %32 : tensor<6x8xi32>
  %c_15 = stablehlo.constant dense<8> : tensor<i32>
  %55 = stablehlo.convert %c_15 : tensor<i32>
  %c_16 = stablehlo.constant dense<0> : tensor<i32>
  %56 = stablehlo.compare EQ, %55, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_17 = stablehlo.constant dense<1> : tensor<i32>
  %57 = stablehlo.select %56, %c_17, %55 : tensor<i1>, tensor<i32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %59 = stablehlo.remainder %54, %58 : tensor<6x8xi32>
  %c_18 = stablehlo.constant dense<0> : tensor<i32>
  %60 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %61 = stablehlo.compare NE, %59, %60, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_19 = stablehlo.constant dense<0> : tensor<i32>
  %62 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %63 = stablehlo.compare LT, %59, %62, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_20 = stablehlo.constant dense<0> : tensor<i32>
  %64 = stablehlo.compare LT, %57, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<i1>) -> tensor<6x8xi1>
  %66 = stablehlo.compare NE, %63, %65, UNSIGNED : (tensor<6x8xi1>, tensor<6x8xi1>) -> tensor<6x8xi1>
  %67 = stablehlo.and %66, %61 : tensor<6x8xi1>
  %68 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %69 = stablehlo.add %59, %68 : tensor<6x8xi32>
  %70 = stablehlo.select %67, %69, %59 : tensor<6x8xi1>, tensor<6x8xi32>
  %c_21 = stablehlo.constant dense<0> : tensor<i32>
  %71 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %72 = stablehlo.compare LT, %53, %71, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_22 = stablehlo.constant dense<6> : tensor<i32>
  %73 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %74 = stablehlo.add %53, %73 : tensor<6x8xi32>
  %75 = stablehlo.select %72, %74, %53 : tensor<6x8xi1>, tensor<6x8xi32>
  %c_23 = stablehlo.constant dense<0> : tensor<i32>
  %76 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %77 = stablehlo.compare LT, %70, %76, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_24 = stablehlo.constant dense<8> : tensor<i32>
  %78 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %79 = stablehlo.add %70, %78 : tensor<6x8xi32>
  %80 = stablehlo.select %77, %79, %70 : tensor<6x8xi1>, tensor<6x8xi32>
  %81 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
  %82 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
  %83 = stablehlo.concatenate %81, %82, dim = 2 : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x2xi32>
  %84 = "stablehlo.gather"(%arg0, %83) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x8x2xi32>) -> tensor<6x8xf32>
  %c_25 = stablehlo.constant dense<0> : tensor<i32>
  %c_26 = stablehlo.constant dense<5> : tensor<i32>
  %85 = stablehlo.convert %c_25 : tensor<i32>
  %86 = stablehlo.broadcast_in_dim %85, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %87 = stablehlo.maximum %86, %arg1 : tensor<6x8xi32>
  %88 = stablehlo.convert %c_26 : tensor<i32>
  %89 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %90 = stablehlo.minimum %89, %87 : tensor<6x8xi32>
  %c_27 = stablehlo.constant dense<1> : tensor<i32>
  %91 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %92 = stablehlo.add %arg1, %91 : tensor<6x8xi32>
  %c_28 = stablehlo.constant dense<0> : tensor<i32>
  %c_29 = stablehlo.constant dense<7> : tensor<i32>
  %93 = stablehlo.convert %c_28 : tensor<i32>
  %94 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %95 = stablehlo.maximum %94, %92 : tensor<6x8xi32>
  %96 = stablehlo.convert %c_29 : tensor<i32>
  %97 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %98 = stablehlo.minimum %97, %95 : tensor<6x8xi32>
  %c_30 = stablehlo.constant dense<0> : tensor<i32>
  %99 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %100 = stablehlo.compare LT, %90, %99, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_31 = stablehlo.constant dense<6> : tensor<i32>
  %101 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %102 = stablehlo.add %90, %101 : tensor<6x8xi32>
  %103 = stablehlo.select %100, %102, %90 : tensor<6x8xi1>, tensor<6x8xi32>
  %c_32 = stablehlo.constant dense<0> : tensor<i32>
  %104 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %105 = stablehlo.compare LT, %98, %104, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
  %c_33 = stablehlo.constant dense<8> : tensor<i32>
  %106 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
  %107 = stablehlo.add %98, %106 : tensor<6x8xi32>
  %108 = stablehlo.select %105, %107, %98 : tensor<6x8xi1>, tensor<6x8xi32>
  %109 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
  %110 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
  %111 = stablehlo.concatenate %109, %110, dim = 2 : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x2xi32>
  %112 = "stablehlo.gather"(%arg0, %111) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x8x2xi32>) -> tensor<6x8xf32>
  %113 = stablehlo.add %84, %112 : tensor<6x8xf32>
  %114 = stablehlo.convert %arg2 : (tensor<4x6xui8>) -> tensor<4x6xi32>
  %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
  %116 = "stablehlo.gather"(%arg3, %115) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<256xui8>, tensor<4x6x1xi32>) -> tensor<4x6xui8>
  return %15, %113, %116 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<4x6xui8>
}
