/* What a convolution is to a library of neural networks: a forward convolution, or one of its two gradients, which arrive as
 * convolutions with exchanged dimensions. Pure arithmetic on the params: the plan asks for memory by it, kernels/fast makes
 * primitives from it. */
#ifndef SR_KERNELS_CONV_DESCRIPTOR_H
#define SR_KERNELS_CONV_DESCRIPTOR_H

#include "kernels/kernel.h"

enum { SR_CONV_SPATIAL = 3, SR_CONV_DIMS = SR_CONV_SPATIAL + 3 };
enum sr_conv_kind { SR_CONV_FORWARD, SR_CONV_BACKWARD_DATA, SR_CONV_BACKWARD_WEIGHTS };

/* A tensor where it lies. Data: batch, channel, spatial dimensions; weights: groups where there are several, output channel and
 * input channel of one, spatial dimensions. */
struct sr_conv_tensor {
	int buffer;     /* of the kernel's three */
	int rank;
	int64_t offset; /* of the first element, where its edges are cut off */
	int64_t dims[SR_CONV_DIMS], strides[SR_CONV_DIMS];
};

struct sr_conv_descriptor {
	enum sr_conv_kind kind;
	int spatial; /* 1 to 3 */
	int64_t groups;
	struct sr_conv_tensor source, weights, result; /* of the forward convolution: one of them is what this one computes */
	bool reversed[SR_CONV_SPATIAL]; /* the weights' elements along it come backwards */
	int64_t stride[SR_CONV_SPATIAL], dilation[SR_CONV_SPATIAL] /* 1: dense */, pad_low[SR_CONV_SPATIAL], pad_high[SR_CONV_SPATIAL];
};

/* False where it is none of the three, or there is nothing to compute. */
bool sr_conv_describe(const struct sr_conv_params *p, struct sr_conv_descriptor *f);
/* Dense with channels last, as libraries want data. */
bool sr_conv_is_channels_last(const struct sr_conv_tensor *t);
int64_t sr_conv_element_count(const struct sr_conv_tensor *t);
bool sr_conv_has_reversal(const struct sr_conv_descriptor *f);

/* What a library may use besides the three buffers. */
int64_t sr_conv_scratch(enum sr_dtype t, const struct sr_conv_params *p);

#endif
