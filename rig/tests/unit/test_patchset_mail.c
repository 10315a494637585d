/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of patch/patchset_mail: patches as they come out of a mail box. */
#include "patch_fixture.h"

#define FROM	"From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001\n"
#define HEAD	"From: A U Thor <a@example.org>\nDate: Thu, 9 Sep 2004 10:00:00 +0200\n"
#define TAIL	"-- \n2.39.5\n\n"
#define MAIL(subject, body) FROM HEAD "Subject: " subject "\n\n" body
#define PATCHMAIL(subject)  MAIL(subject, "Why.\n---\n f | 2 +-\n\n" PATCH_5 TAIL)

/* PATCH_5 behind a line of text, in base64 and with CR LF, as some servers deliver it. */
#define BASE64                                                                                     \
	"V2h5Lg0KLS0tDQotLS0gYS9mDQorKysgYi9mDQpAQCAtNCwzICs0LDMgQEANCiA0DQotNQ0KK2Zp\n"           \
	"dmUNCiA2DQo=\n"

static void check_one(const char *name, const char *subject)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;

	add_well(&set, name);
	assert_int_equal(set.n, 1);
	assert_string_equal(set.patches[0].name, name);
	assert_string_equal(set.patches[0].subject, subject);
}

static void test_one_mail(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	static const char text[] = PATCHMAIL("[PATCH 2/3] mm: a\n long one");

	(void)state;
	/* one of a series, alone: it was chosen; it needs no decoding, so it stays what it is */
	put("m", text);
	check_one("m", "mm: a long one");
	add_well(&set, "m");
	assert_string_equal(set.patches[0].text, text);
	put("n", HEAD "Subject: =?utf-8?q?mm:_=C3=A4?=\n\n" PATCH_5);
	check_one("n", "mm: \303\244");
	put_numbers("tree/f");
	applies(text);
}

static void test_encoded(void **state)
{
	static const char *const mails[] = {
		FROM HEAD "Subject: [PATCH] x\nContent-Transfer-Encoding: base64\n"
			  "Content-Type: text/plain; charset=utf-8\n\n" BASE64,
		HEAD "Subject: [PATCH] x\nContent-Transfer-Encoding: quoted-printable\n\n"
		     "Why=2E\n---\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+fi=\nve\n 6\n",
		HEAD "Subject: [PATCH] x\nMIME-Version: 1.0\n"
		     "Content-Type: multipart/mixed; boundary=\"XX\"\n\nnone\n--XX\n"
		     "Content-Type: text/plain\n\nWhy.\n\n--XX\nContent-Type: text/x-patch\n"
		     "Content-Transfer-Encoding: base64\n\n" BASE64 "\n--XX--\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		put_numbers("tree/f");
		put("p", mails[i]);
		check_one("p", "x");
		applies(mails[i]);
		assert_string_equal(text_of("tree/f"), "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
	}
}

/* A mail that was saved with CR LF, its header too. */
static void test_crlf_mail(void **state)
{
	static const char *const mails[] = {
		PATCHMAIL("[PATCH] x"),
		HEAD "Subject: [PATCH] x\nContent-Transfer-Encoding: base64\n\n" BASE64,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		struct strbuf sb __release(strbuf) = STRBUF_INIT;

		for (const char *c = mails[i]; *c; c++)
			strbuf_addf(&sb, "%s%c", *c == '\n' ? "\r" : "", *c);
		put_numbers("tree/f");
		put("p", sb.buf);
		check_one("p", "x");
		applies(sb.buf);
	}
}

/* The cover letter and an answer that quotes are left out; the order is that of the numbers. */
static void test_series(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;

	(void)state;
	put("m", MAIL("[PATCH v2 0/2] both", " f | 2 +-\n" TAIL) PATCHMAIL("[PATCH v2 2/2] second")
	    PATCHMAIL("[RFC][PATCH v2 1/2] first")
	    MAIL("Re: [PATCH v2 1/2] first", "> --- a/f\n> +++ b/f\n> @@ -1 +1 @@\nno\n"));
	add_well(&set, "m");
	assert_int_equal(set.n, 2);
	assert_string_equal(set.patches[0].name, "m:3");
	assert_string_equal(set.patches[0].subject, "first");
	assert_string_equal(set.patches[1].name, "m:2");
	assert_string_equal(set.patches[1].subject, "second");
	/* without numbers it is that of the mbox */
	patchset_release(&set);
	put("m", PATCHMAIL("[PATCH] b") PATCHMAIL("[PATCH 1/2] a"));
	add_well(&set, "m");
	assert_string_equal(set.patches[0].subject, "b");
}

static void test_bad_mboxes(void **state)
{
	(void)state;
	put("m", PATCHMAIL("[PATCH 1/3] a") PATCHMAIL("[PATCH 3/3] c"));
	refused("m", "m: patch 2 of 3 is missing");
	put("m", PATCHMAIL("[PATCH 1/3] a") PATCHMAIL("[PATCH 2/3] b"));
	refused("m", "m: patch 3 of 3 is missing");
	put("m", PATCHMAIL("[PATCH v1 1/2] a") PATCHMAIL("[PATCH v2 1/2] a")
	    PATCHMAIL("[PATCH v2 2/2] b"));
	refused("m", "m: patch 1 of 2 is there twice");
	put("m", MAIL("[PATCH 0/2] nothing else", "words\n"));
	refused("m", "m: no message in it has a diff");
	put("m", PATCHMAIL("[PATCH] fine") MAIL("[PATCH] broken", PATCH_OF("../../f")));
	refused("m", "m:2:6: a path that leads out of the tree");
}

/* Words that look like a mail's header are none. */
static void test_no_mail(void **state)
{
	static const char text[] = "mm: fix\nFrom: me\n\nwords\n" PATCH_5;
	struct patchset set __release(patchset) = PATCHSET_INIT;

	(void)state;
	put("p", text);
	add_well(&set, "p");
	assert_string_equal(set.patches[0].subject, "mm: fix");
	assert_string_equal(set.patches[0].text, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_mail, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_encoded, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_crlf_mail, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_series, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_bad_mboxes, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_no_mail, patch_setup, patch_teardown),
	};

	return cmocka_run_group_tests_name("patch/patchset_mail", tests, NULL, NULL);
}
