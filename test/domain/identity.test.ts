import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanPastedText,
  normalizeDocumentId,
  normalizeEmail,
  normalizePhone,
  toComparableDocumentId,
  wasRoundedBySpreadsheet,
} from "#domain/identity.ts";
import { isVisibleTextWithoutLinks } from "#domain/plain-text.ts";

describe("pasted texts", () => {
  test.each([
    ["\u202a+34 600 11 22 33\u202c", "+34 600 11 22 33"],
    ["+34\u00a0600\u00a011\u00a022\u00a033", "+34 600 11 22 33"],
    ["＋３４６００１１２２３３", "+34600112233"],
    ["٠١٢٣٤٥٦٧٨٩", "0123456789"],
    ["۶۰۰", "600"],
    ["SUMMER\u200b", "SUMMER"],
    ["12345678\u2011Z", "12345678-Z"],
    ["\ufeff\u2068 1234\u2069\tABC ", "1234 ABC"],
    ["O\u2019Brien", "O'Brien"],
  ])("removes invisible characters from %j", (text, expected) => {
    expect(cleanPastedText(text)).toBe(expected);
  });

  test("leaves a cleaned pasted text unchanged when it is cleaned again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanPastedText(cleanPastedText(text))).toBe(cleanPastedText(text));
      }),
    );
  });
});

describe("telephones", () => {
  test.each(["+34 600 11 22 33", "600112233", "(0034) 971-26.01/01", "971 26 01 01 ext. 5", "112"])(
    "accepts the telephone number %s",
    (text) => {
      expect(normalizePhone(text)).toBe(text);
    },
  );

  test.each(["ninguno", "", "+", "12", "6,00112E+08", "600 11 22 33 (Ana)", "++34600"])(
    "rejects the telephone number %s",
    (text) => {
      expect(normalizePhone(text)).toBeUndefined();
    },
  );
});

describe("e-mail addresses", () => {
  test.each(["ana@example.com", "ana.o'hara+x@sub.example.co", "josé@españa.es", `${"a".repeat(64)}@b.cd`])(
    "accepts the e-mail address %s",
    (text) => {
      expect(normalizeEmail(`\u200e ${text}\u00a0`)).toBe(text);
    },
  );

  test.each([
    ["ana@xn--espaa-rta.es", "ana@españa.es"],
    ["Ana@XN--ESPAA-RTA.ES", "Ana@españa.es"],
    ["ana@ESPAÑA.es", "ana@españa.es"],
    ["ana@mail.xn--mnchen-3ya.de", "ana@mail.münchen.de"],
    ["ana@xn--r8jz45g.xn--zckzah", "ana@例え.テスト"],
    ["JOSÉ@Example.com", "josé@Example.com"],
    ["ana@xn--i-7iq.ws", "ana@xn--i-7iq.ws"],
    ["ana@xn--99999999999999.es", "ana@xn--99999999999999.es"],
  ])("%s is stored as %s, in one form of its domain", (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected);
    expect(normalizeEmail(expected)).toBe(expected);
  });

  test.each([
    "ana",
    "ana@",
    "@example.com",
    "ana@example",
    "ana@example.com.",
    "ana@.example.com",
    "ana..b@example.com",
    ".ana@example.com",
    "ana.@example.com",
    "ana@@example.com",
    "ana b@example.com",
    "ana@exa mple.com",
    "ana@-example.com",
    "ana@127.0.0.1",
    "ana@example.com, eva@example.com",
    "<ana@example.com>",
    `${"a".repeat(65)}@b.cd`,
  ])("rejects the e-mail address %s", (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });
});

describe("document numbers", () => {
  test.each([
    ["ESB57204463", "B57204463"],
    ["ES-B57204463", "B57204463"],
    ["es 12345678z", "12345678Z"],
    ["ESB57000129", "B57000129"],
    ["ESA123456", "ESA123456"],
    ["00000000-T", "00000000-T"],
    ["ES1234567", "ES1234567"],
    ["\u200eC01X00T47", "C01X00T47"],
  ])("stores the document number %j as %j", (text, expected) => {
    expect(normalizeDocumentId(text)).toBe(expected);
  });

  test.each([
    ["99.999.999-r", "99999999R"],
    ["ES B57204463", "B57204463"],
    ["c01x 00t47", "C01X00T47"],
  ])("compares the document number %j as %j", (text, expected) => {
    expect(toComparableDocumentId(text)).toBe(expected);
  });
});

test("recognizes a long number that a spreadsheet rounded", () => {
  expect(["6,00112E+08", "3.46E+11", "1e9", "1,23457E+07"].map(wasRoundedBySpreadsheet)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["600112233", "1234E", "12E3X", "E+08"].map(wasRoundedBySpreadsheet)).toEqual([false, false, false, false]);
});

test("removes invisible characters from names, except joiners between letters", () => {
  expect(["Ru\u00adiz", "Ana\u200b", "\ufeffAna", "\u202eanA"].map(isVisibleTextWithoutLinks)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(["Nguyễn", "O'Brien", "می\u200cخواهم"].map(isVisibleTextWithoutLinks)).toEqual([true, true, true]);
});

// Proves "security.md": A17
test.each([
  "ana@example.com\r\nBcc: thief@example.com",
  "ana@example.com, thief@example.com",
  "ana@example.com;thief@example.com",
  "<ana@example.com>",
  '"ana@example.com" <thief@example.com>',
  '"ana\r\nBcc: thief"@example.com',
  "ana(thief@example.com)@example.com",
  "ana@example.com@thief.example.com",
  "ana@example.com%0aBcc:thief@example.com",
  "ana@[127.0.0.1]",
  "=?utf-8?q?thief=40evil.example=3e=20?=@example.com",
  "ana.=?utf-8?b?YQ==?=@example.com",
  "ana\\@example.com",
  `${"a".repeat(300)}@example.com`,
])("accepts no email address that mail programs could read as another or several: %j", (text) => {
  expect(normalizeEmail(text)).toBeUndefined();
});
