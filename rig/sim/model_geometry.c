/* SPDX-License-Identifier: GPL-2.0-only */
/* Zones, seek curve and rotation of a disk. */
#include "sim/model_geometry.h"

#define NS_PER_S 1000000000LL

__extension__ typedef __int128 wide;

static int64_t scale(int64_t a, int64_t b, int64_t divisor)
{
	return (int64_t)((wide)a * b / divisor);
}

int64_t model_transfer(int64_t bytes, int64_t rate)
{
	return (int64_t)(((wide)bytes * NS_PER_S + rate - 1) / rate);
}

/* The largest r with r * r <= v. */
static uint64_t root(uint64_t v)
{
	uint64_t r = 0;

	for (uint64_t bit = 1ULL << 31; bit; bit >>= 1)
		if ((r | bit) * (r | bit) <= v)
			r |= bit;
	return r;
}

static void init_seek(struct model_geometry *g, const struct model_params *p)
{
	int64_t average = p->seek_average - p->seek_track;
	int64_t full = p->seek_full - p->seek_track;

	/* b * sqrt(1/3) + c / 3 = average and b + c = full, so b = (3 * average - full) / 0.732 */
	g->seek_track = p->seek_track;
	g->seek_sqrt = scale(3 * average - full, 1000000, 732051);
	g->seek_linear = full - g->seek_sqrt;
}

void model_geometry_init(struct model_geometry *g, const struct model_params *p, int64_t size)
{
	int64_t pass = 0;

	g->span = p->span > size ? p->span : size;
	if (g->span < MODEL_ZONES)
		g->span = MODEL_ZONES;
	g->zone_size = (g->span + MODEL_ZONES - 1) / MODEL_ZONES;
	g->revolution = p->rpm ? 60 * NS_PER_S / p->rpm : 0;
	for (int i = 0; i < MODEL_ZONES; i++) {
		g->zones[i].start = i * g->zone_size;
		g->zones[i].rate = p->rate + (p->rate_end - p->rate) * i / (MODEL_ZONES - 1);
		g->zones[i].pass = pass;
		pass += model_transfer(g->zone_size, g->zones[i].rate);
	}
	init_seek(g, p);
}

static const struct model_zone *zone_of(const struct model_geometry *g, int64_t offset)
{
	int64_t i = offset / g->zone_size;

	return &g->zones[i < MODEL_ZONES ? i : MODEL_ZONES - 1];
}

int64_t model_pass(const struct model_geometry *g, int64_t offset)
{
	const struct model_zone *z = zone_of(g, offset);

	return z->pass + model_transfer(offset - z->start, z->rate);
}

int64_t model_offset(const struct model_geometry *g, int64_t pass)
{
	int i = MODEL_ZONES - 1;

	while (i > 0 && g->zones[i].pass > pass)
		i--;
	return g->zones[i].start + scale(pass - g->zones[i].pass, g->zones[i].rate, NS_PER_S);
}

int64_t model_seek(const struct model_geometry *g, int64_t from, int64_t to)
{
	int64_t distance = from < to ? to - from : from - to;
	int64_t fraction, sqrt_fraction;

	if (!distance)
		return 0;
	if (g->revolution && distance < scale(zone_of(g, to)->rate, g->revolution, NS_PER_S))
		return 0;
	/* both in units of 2^-30 */
	fraction = scale(distance, 1 << 30, g->span);
	sqrt_fraction = (int64_t)root((uint64_t)fraction << 30);
	return g->seek_track + scale(g->seek_sqrt, sqrt_fraction, 1 << 30) +
	       scale(g->seek_linear, fraction, 1 << 30);
}

int64_t model_rotation(const struct model_geometry *g, int64_t offset, int64_t t)
{
	int64_t wait;

	if (!g->revolution)
		return 0;
	wait = (model_pass(g, offset) - t) % g->revolution;
	return wait < 0 ? wait + g->revolution : wait;
}
