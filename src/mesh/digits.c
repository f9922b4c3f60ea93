/* Compute the coordinates of device positions along axes, in mixed-radix notation. */
#include "mesh/mesh.h"
#include "support/checked.h"

struct sr_digits sr_mesh_digits(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_digit *at = SR_NEW_ARRAY(arena, struct sr_digit, axes.n);
	int n = 0;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = axes.refs[i];
		if (ref.size > 1)
			at[n++] = (struct sr_digit){ref.size, sr_mesh_stride(mesh, ref)};
	}
	return (struct sr_digits){at, n};
}

int64_t sr_digits_size(struct sr_digits digits)
{
	int64_t size = 1;
	for (int i = 0; i < digits.n; i++)
		size *= digits.digits[i].size;
	return size;
}

int64_t sr_digits_coordinate(struct sr_digits digits, int64_t position)
{
	int64_t coordinate = 0;
	for (int i = 0; i < digits.n; i++)
		coordinate = coordinate * digits.digits[i].size + position / digits.digits[i].stride % digits.digits[i].size;
	return coordinate;
}

int64_t sr_digits_position(struct sr_digits digits, int64_t coordinate)
{
	int64_t position = 0;
	for (int i = digits.n - 1; i >= 0; i--) {
		position += coordinate % digits.digits[i].size * digits.digits[i].stride;
		coordinate /= digits.digits[i].size;
	}
	return position;
}

bool sr_digits_cover_all(struct sr_digits digits, int64_t n)
{
	int64_t size = 1;
	/* Find the digits by ascending stride: each digit's stride must be the product of the sizes of the digits before it. */
	for (int i = 0; i < digits.n; i++) {
		int k = 0;
		while (k < digits.n && (digits.digits[k].stride != size || digits.digits[k].size < 2))
			k++;
		if (k == digits.n || sr_mul_overflows(size, digits.digits[k].size, &size))
			return false;
	}
	return size == n;
}
