/* Describe a convolution in the terms of a neural network library: a forward convolution or one of its two gradients, which
 * StableHLO expresses as convolutions with permuted dimensions. The functions only compute with the params: the plan calls them to
 * reserve scratch, kernels/fast to create primitives. */
#ifndef SR_KERNELS_CONV_DESCRIPTOR_H
#define SR_KERNELS_CONV_DESCRIPTOR_H

#include "kernels/kernel.h"

enum { SR_CONV_SPATIAL = 3, SR_CONV_DIMS = SR_CONV_SPATIAL + 3 };

/* Block sizes of the built-in convolution (kernels/fast/gemm/convolution.c): output positions, output features, and
 * (window elements x input features). The cost model computes the packed bytes from them. */
enum { SR_CONV_BLOCK_POSITIONS = 64, SR_CONV_BLOCK_FEATURES = 128, SR_CONV_BLOCK_DEPTH = 256 };

enum sr_conv_kind { SR_CONV_FORWARD, SR_CONV_BACKWARD_DATA, SR_CONV_BACKWARD_WEIGHTS };

/* A convolution's tensor in memory. Dimensions of data: batch, channel, spatial dimensions. Dimensions of weights: groups if there
 * are several, output channel and input channel of one group, spatial dimensions. */
struct sr_conv_tensor {
	int buffer;     /* number of the kernel's buffer, 0..2 */
	int rank;
	int64_t offset; /* index of the first element in the buffer; not 0 if negative padding crops the tensor */
	int64_t dims[SR_CONV_DIMS], strides[SR_CONV_DIMS];
};

struct sr_conv_descriptor {
	enum sr_conv_kind kind;
	int spatial; /* number of spatial dimensions, 1 to 3 */
	int64_t groups;
	/* tensors of the forward convolution; the kernel computes one of them from the other two */
	struct sr_conv_tensor source, weights, result;
	bool is_reversed[SR_CONV_SPATIAL]; /* for each spatial dimension: true if the weights are reversed along it */
	/* per spatial dimension: stride of the window, dilation of the weights (1: dense), padding of the source */
	int64_t stride[SR_CONV_SPATIAL], dilation[SR_CONV_SPATIAL], pad_low[SR_CONV_SPATIAL], pad_high[SR_CONV_SPATIAL];
};

/* Describe the convolution in *f. Returns false if it is neither a forward convolution nor a gradient of one, or if it is empty. */
bool sr_conv_describe(const struct sr_conv_params *p, struct sr_conv_descriptor *f);
/* Return true if the tensor is dense with channels last (NHWC), the layout that libraries prefer. */
bool sr_conv_is_channels_last(const struct sr_conv_tensor *t);
bool sr_conv_has_reversal(const struct sr_conv_descriptor *f);

/* Return true if Winograd's algorithm F(4x4, 3x3) is faster than direct convolution: f32, a dense 3x3 window of stride 1, and
 * enough channels and tiles of 4x4 results for the transforms. It takes a quarter of the multiplications. */
bool sr_conv_may_use_winograd(enum sr_dtype t, const struct sr_conv_params *p);
/* Return the maximum number of chunks with which Winograd's algorithm is faster. Each chunk transforms the weights. */
int64_t sr_conv_winograd_chunks(const struct sr_conv_descriptor *f);
/* Return true for the gradient of a depthwise convolution's weights that kernels/fast/gemm computes faster than libraries: f32, one
 * or two dimensions. sr_conv_depthwise_scratch returns the bytes of scratch that it needs. */
bool sr_conv_is_depthwise_gradient(enum sr_dtype t, const struct sr_conv_params *p);
int64_t sr_conv_depthwise_scratch(const struct sr_conv_params *p);
/* Return the elements of a row of the data with its padding. */
int64_t sr_conv_padded_row(const struct sr_conv_params *p);
/* Return the scratch bytes that a library's convolution may use besides the three buffers. */
int64_t sr_conv_scratch(enum sr_dtype t, const struct sr_conv_params *p);

#endif
