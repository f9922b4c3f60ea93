// Reductions of every kind whose order shows in the last bits: rows, columns, everything; several at once; windows; norms of rows
func.func @main(%a0: tensor<37x419xf32>, %a1: tensor<37x419xbf16>, %a2: tensor<53x300xf16>, %a3: tensor<9x11x70xf64>, %a4: tensor<20x130xcomplex<f32>>, %a5: tensor<40x100xf8E4M3FN>, %a6: tensor<31x1000xi8>) -> (tensor<37xf32>, tensor<419xf32>, tensor<f32>, tensor<37xf32>, tensor<37xf32>, tensor<37xbf16>, tensor<419xbf16>, tensor<bf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<53xf16>, tensor<300xf16>, tensor<f16>, tensor<53xf16>, tensor<53xf16>, tensor<9x11xf64>, tensor<11xf64>, tensor<9x70xf64>, tensor<11x70xf64>, tensor<70xf64>, tensor<f64>, tensor<20xcomplex<f32>>, tensor<130xcomplex<f32>>, tensor<40xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<31xi8>, tensor<37xf32>, tensor<37xbf16>, tensor<37x137xf32>, tensor<37x419xf32>) {
  %v1 = stablehlo.constant dense<0.5> : tensor<f32>
  %v2 = stablehlo.reduce(%a0 init: %v1) applies stablehlo.add across dimensions = [1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<37xf32>
  %v3 = stablehlo.constant dense<0.5> : tensor<f32>
  %v4 = stablehlo.reduce(%a0 init: %v3) applies stablehlo.add across dimensions = [0] : (tensor<37x419xf32>, tensor<f32>) -> tensor<419xf32>
  %v5 = stablehlo.constant dense<0.5> : tensor<f32>
  %v6 = stablehlo.reduce(%a0 init: %v5) applies stablehlo.add across dimensions = [0, 1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<f32>
  %v7 = stablehlo.constant dense<-1.0> : tensor<f32>
  %v8 = stablehlo.reduce(%a0 init: %v7) applies stablehlo.maximum across dimensions = [1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<37xf32>
  %v9 = stablehlo.constant dense<1.5> : tensor<f32>
  %v10 = stablehlo.reduce(%a0 init: %v9) applies stablehlo.multiply across dimensions = [1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<37xf32>
  %v11 = stablehlo.constant dense<0.5> : tensor<bf16>
  %v12 = stablehlo.reduce(%a1 init: %v11) applies stablehlo.add across dimensions = [1] : (tensor<37x419xbf16>, tensor<bf16>) -> tensor<37xbf16>
  %v13 = stablehlo.constant dense<0.5> : tensor<bf16>
  %v14 = stablehlo.reduce(%a1 init: %v13) applies stablehlo.add across dimensions = [0] : (tensor<37x419xbf16>, tensor<bf16>) -> tensor<419xbf16>
  %v15 = stablehlo.constant dense<0.5> : tensor<bf16>
  %v16 = stablehlo.reduce(%a1 init: %v15) applies stablehlo.add across dimensions = [0, 1] : (tensor<37x419xbf16>, tensor<bf16>) -> tensor<bf16>
  %v17 = stablehlo.constant dense<-1.0> : tensor<bf16>
  %v18 = stablehlo.reduce(%a1 init: %v17) applies stablehlo.maximum across dimensions = [1] : (tensor<37x419xbf16>, tensor<bf16>) -> tensor<37xbf16>
  %v19 = stablehlo.constant dense<1.5> : tensor<bf16>
  %v20 = stablehlo.reduce(%a1 init: %v19) applies stablehlo.multiply across dimensions = [1] : (tensor<37x419xbf16>, tensor<bf16>) -> tensor<37xbf16>
  %v21 = stablehlo.constant dense<0.5> : tensor<f16>
  %v22 = stablehlo.reduce(%a2 init: %v21) applies stablehlo.add across dimensions = [1] : (tensor<53x300xf16>, tensor<f16>) -> tensor<53xf16>
  %v23 = stablehlo.constant dense<0.5> : tensor<f16>
  %v24 = stablehlo.reduce(%a2 init: %v23) applies stablehlo.add across dimensions = [0] : (tensor<53x300xf16>, tensor<f16>) -> tensor<300xf16>
  %v25 = stablehlo.constant dense<0.5> : tensor<f16>
  %v26 = stablehlo.reduce(%a2 init: %v25) applies stablehlo.add across dimensions = [0, 1] : (tensor<53x300xf16>, tensor<f16>) -> tensor<f16>
  %v27 = stablehlo.constant dense<-1.0> : tensor<f16>
  %v28 = stablehlo.reduce(%a2 init: %v27) applies stablehlo.maximum across dimensions = [1] : (tensor<53x300xf16>, tensor<f16>) -> tensor<53xf16>
  %v29 = stablehlo.constant dense<1.5> : tensor<f16>
  %v30 = stablehlo.reduce(%a2 init: %v29) applies stablehlo.multiply across dimensions = [1] : (tensor<53x300xf16>, tensor<f16>) -> tensor<53xf16>
  %v31 = stablehlo.constant dense<0.25> : tensor<f64>
  %v32 = stablehlo.reduce(%a3 init: %v31) applies stablehlo.add across dimensions = [2] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<9x11xf64>
  %v33 = stablehlo.constant dense<0.25> : tensor<f64>
  %v34 = stablehlo.reduce(%a3 init: %v33) applies stablehlo.add across dimensions = [0, 2] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<11xf64>
  %v35 = stablehlo.constant dense<0.25> : tensor<f64>
  %v36 = stablehlo.reduce(%a3 init: %v35) applies stablehlo.add across dimensions = [1] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<9x70xf64>
  %v37 = stablehlo.constant dense<0.25> : tensor<f64>
  %v38 = stablehlo.reduce(%a3 init: %v37) applies stablehlo.add across dimensions = [0] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<11x70xf64>
  %v39 = stablehlo.constant dense<0.25> : tensor<f64>
  %v40 = stablehlo.reduce(%a3 init: %v39) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<70xf64>
  %v41 = stablehlo.constant dense<0.25> : tensor<f64>
  %v42 = stablehlo.reduce(%a3 init: %v41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x11x70xf64>, tensor<f64>) -> tensor<f64>
  %v43 = stablehlo.constant dense<(0.5, 1.0)> : tensor<complex<f32>>
  %v44 = stablehlo.reduce(%a4 init: %v43) applies stablehlo.add across dimensions = [1] : (tensor<20x130xcomplex<f32>>, tensor<complex<f32>>) -> tensor<20xcomplex<f32>>
  %v45 = stablehlo.constant dense<(0.5, 1.0)> : tensor<complex<f32>>
  %v46 = stablehlo.reduce(%a4 init: %v45) applies stablehlo.multiply across dimensions = [0] : (tensor<20x130xcomplex<f32>>, tensor<complex<f32>>) -> tensor<130xcomplex<f32>>
  %v47 = stablehlo.constant dense<0.5> : tensor<f8E4M3FN>
  %v48 = stablehlo.reduce(%a5 init: %v47) applies stablehlo.add across dimensions = [1] : (tensor<40x100xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<40xf8E4M3FN>
  %v49 = stablehlo.constant dense<0.5> : tensor<f8E4M3FN>
  %v50 = stablehlo.reduce(%a5 init: %v49) applies stablehlo.maximum across dimensions = [0] : (tensor<40x100xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<100xf8E4M3FN>
  %v51 = stablehlo.constant dense<1> : tensor<i8>
  %v52 = stablehlo.reduce(%a6 init: %v51) applies stablehlo.add across dimensions = [1] : (tensor<31x1000xi8>, tensor<i8>) -> tensor<31xi8>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zb = stablehlo.constant dense<0.0> : tensor<bf16>
  %two:2 = stablehlo.reduce(%a0 init: %z), (%a1 init: %zb) across dimensions = [1] : (tensor<37x419xf32>, tensor<37x419xbf16>, tensor<f32>, tensor<bf16>) -> (tensor<37xf32>, tensor<37xbf16>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<bf16>, %y1: tensor<bf16>) {
      %s0 = stablehlo.add %x0, %y0 : tensor<f32>
      %s1 = stablehlo.add %x1, %y1 : tensor<bf16>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<bf16>
    }
  %w = "stablehlo.reduce_window"(%a0, %z) <{window_dimensions = array<i64: 1, 40>, window_strides = array<i64: 1, 3>, padding = dense<[[0, 0], [21, 9]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<37x419xf32>, tensor<f32>) -> tensor<37x137xf32>
  %sq = stablehlo.multiply %a0, %a0 : tensor<37x419xf32>
  %ss = stablehlo.reduce(%sq init: %z) applies stablehlo.add across dimensions = [1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<37xf32>
  %r = stablehlo.rsqrt %ss : tensor<37xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<37xf32>) -> tensor<37x419xf32>
  %nrm = stablehlo.multiply %a0, %rb : tensor<37x419xf32>
  %e = stablehlo.exponential %nrm : tensor<37x419xf32>
  %es = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<37x419xf32>, tensor<f32>) -> tensor<37xf32>
  %eb = stablehlo.broadcast_in_dim %es, dims = [0] : (tensor<37xf32>) -> tensor<37x419xf32>
  %q = stablehlo.divide %e, %eb : tensor<37x419xf32>
  return %v2, %v4, %v6, %v8, %v10, %v12, %v14, %v16, %v18, %v20, %v22, %v24, %v26, %v28, %v30, %v32, %v34, %v36, %v38, %v40, %v42, %v44, %v46, %v48, %v50, %v52, %two#0, %two#1, %w, %q : tensor<37xf32>, tensor<419xf32>, tensor<f32>, tensor<37xf32>, tensor<37xf32>, tensor<37xbf16>, tensor<419xbf16>, tensor<bf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<53xf16>, tensor<300xf16>, tensor<f16>, tensor<53xf16>, tensor<53xf16>, tensor<9x11xf64>, tensor<11xf64>, tensor<9x70xf64>, tensor<11x70xf64>, tensor<70xf64>, tensor<f64>, tensor<20xcomplex<f32>>, tensor<130xcomplex<f32>>, tensor<40xf8E4M3FN>, tensor<100xf8E4M3FN>, tensor<31xi8>, tensor<37xf32>, tensor<37xbf16>, tensor<37x137xf32>, tensor<37x419xf32>
}
