/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the contest cases compile: one translation unit of the usual kind, which make-tree copies
 * many times with another N. It stands alone, so that no library's headers have to be brought.
 */
#include "types.h"
#include "list.h"
#include "hash.h"
#include "bits.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define UNIT(name) JOIN(name##_, N)

#define BUCKETS 64
#define NODES 256
#define TEXT 128

struct node {
	struct list list;
	u32 hash, refs;
	struct node *left, *right;
	char name[32];
};

struct table {
	struct list buckets[BUCKETS];
	struct node nodes[NODES];
	u64 used[(NODES + 63) / 64];
	struct node *root;
	u32 count, collisions;
};

static struct table table;

static u32 length(const char *s)
{
	const char *p = s;

	while (*p)
		p++;
	return p - s;
}

static int compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (u8)*a - (u8)*b;
}

static void copy(char *to, const char *from, u32 cap)
{
	u32 i;

	for (i = 0; i + 1 < cap && from[i]; i++)
		to[i] = from[i];
	to[i] = '\0';
}

static u32 print_number(char *out, u64 v, u32 base)
{
	static const char digits[] = "0123456789abcdef";
	char reversed[64];
	u32 n = 0, i;

	do {
		reversed[n++] = digits[v % base];
		v /= base;
	} while (v);
	for (i = 0; i < n; i++)
		out[i] = reversed[n - 1 - i];
	out[n] = '\0';
	return n;
}

static struct node *allocate(struct table *t)
{
	u32 i;

	for (i = 0; i < NODES; i++) {
		if (test_bit(t->used, i))
			continue;
		set_bit(t->used, i);
		return &t->nodes[i];
	}
	return 0;
}

static void release(struct table *t, struct node *node)
{
	if (--node->refs)
		return;
	list_remove(&node->list);
	clear_bit(t->used, node - t->nodes);
	t->count--;
}

static struct node **find_place(struct table *t, const char *name)
{
	struct node **at = &t->root;

	while (*at) {
		int order = compare(name, (*at)->name);

		if (!order)
			break;
		at = order < 0 ? &(*at)->left : &(*at)->right;
	}
	return at;
}

static struct node *lookup(struct table *t, const char *name)
{
	u32 hash = hash_bytes(name, length(name));
	struct list *bucket = &t->buckets[hash % BUCKETS], *p;

	for (p = bucket->next; p != bucket; p = p->next) {
		struct node *node = (struct node *)p;

		if (node->hash == hash && !compare(node->name, name)) {
			node->refs++;
			return node;
		}
		t->collisions++;
	}
	return 0;
}

static struct node *insert(struct table *t, const char *name)
{
	struct node *node = lookup(t, name), **place;

	if (node)
		return node;
	node = allocate(t);
	if (!node)
		return 0;
	copy(node->name, name, sizeof(node->name));
	node->hash = hash_bytes(name, length(name));
	node->refs = 1;
	node->left = node->right = 0;
	list_add(&t->buckets[node->hash % BUCKETS], &node->list);
	place = find_place(t, name);
	if (!*place)
		*place = node;
	t->count++;
	return node;
}

static u32 depth(const struct node *node)
{
	u32 left, right;

	if (!node)
		return 0;
	left = depth(node->left);
	right = depth(node->right);
	return 1 + (left > right ? left : right);
}

static void sort(u32 *v, int n)
{
	int gap, i, k;

	for (gap = n / 2; gap > 0; gap /= 2) {
		for (i = gap; i < n; i++) {
			u32 moved = v[i];

			for (k = i; k >= gap && v[k - gap] > moved; k -= gap)
				v[k] = v[k - gap];
			v[k] = moved;
		}
	}
}

/* Runs of equal bytes become a count and the byte. */
static u32 pack(const u8 *in, u32 len, u8 *out, u32 cap)
{
	u32 at = 0, i = 0;

	while (i < len && at + 2 <= cap) {
		u32 run = 1;

		while (i + run < len && run < 255 && in[i + run] == in[i])
			run++;
		out[at++] = run;
		out[at++] = in[i];
		i += run;
	}
	return at;
}

static u32 unpack(const u8 *in, u32 len, u8 *out, u32 cap)
{
	u32 at = 0, i;

	for (i = 0; i + 1 < len; i += 2) {
		u32 run = in[i];

		while (run-- && at < cap)
			out[at++] = in[i + 1];
	}
	return at;
}

enum token { END, NUMBER, PLUS, MINUS, TIMES, OPEN, CLOSE, OTHER };

static enum token next_token(const char **p, u64 *value)
{
	while (**p == ' ')
		(*p)++;
	if (!**p)
		return END;
	if (**p >= '0' && **p <= '9') {
		for (*value = 0; **p >= '0' && **p <= '9'; (*p)++)
			*value = *value * 10 + (**p - '0');
		return NUMBER;
	}
	switch (*(*p)++) {
	case '+':
		return PLUS;
	case '-':
		return MINUS;
	case '*':
		return TIMES;
	case '(':
		return OPEN;
	case ')':
		return CLOSE;
	}
	return OTHER;
}

static u64 evaluate(const char **p)
{
	u64 sum = 0, product = 1, value = 0;
	int negative = 0;

	for (;;) {
		enum token token = next_token(p, &value);

		if (token == OPEN)
			value = evaluate(p);
		if (token == NUMBER || token == OPEN) {
			product *= value;
			continue;
		}
		if (token == TIMES)
			continue;
		sum += negative ? -product : product;
		product = 1;
		negative = token == MINUS;
		if (token == END || token == CLOSE || token == OTHER)
			return sum;
	}
}

u64 UNIT(work)(const char *text)
{
	u8 packed[TEXT], whole[TEXT];
	u32 numbers[NODES], i, n;
	char name[TEXT];
	const char *p = text;
	u64 result = evaluate(&p);

	for (i = 0; i < BUCKETS; i++)
		list_init(&table.buckets[i]);
	for (i = 0; i < NODES; i++) {
		n = print_number(name, hash_bytes(text, length(text)) * (u64)(i + N), 16);
		numbers[i] = mix(n + i);
		insert(&table, name);
	}
	sort(numbers, NODES);
	n = pack((const u8 *)name, length(name), packed, TEXT);
	result += unpack(packed, n, whole, TEXT);
	for (i = 0; i < NODES; i++) {
		if (test_bit(table.used, i) && i % 3 == 0)
			release(&table, &table.nodes[i]);
	}
	return result + depth(table.root) + table.collisions + numbers[N % NODES];
}
