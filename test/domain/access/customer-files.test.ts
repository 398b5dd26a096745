import { describe, expect, test } from "vitest";
import {
  isCustomerFileSizeAllowed,
  isPdf,
  MAX_CUSTOMER_FILE_MB,
  toCustomerFileName,
} from "#domain/access/customer-files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("files of a customer's card", () => {
  test.each([
    ["%PDF-1.7\n…\n%%EOF\n", true],
    ["%PDF-2.0 …%%EOF", true],
    ["<html>%PDF-1.7 %%EOF", false],
    ["%PDF-1.7 without an end", false],
    [`%PDF-1.7 %%EOF${" ".repeat(1100)}<script>`, false],
    ["%PDF-x", false],
    ["", false],
  ])("recognizes a PDF by its content: %j", (text, is) => {
    expect(isPdf(bytes(text))).toBe(is);
  });

  test.each([
    ["Licence.PDF", "application/pdf", "Licence.PDF"],
    ["scan.jpeg", "image/jpeg", "scan.jpeg"],
    ["page.html", "application/pdf", "page.html.pdf"],
    ["photo.png", "image/jpeg", "photo.png.jpg"],
    ["C:\\Documents\\id.png", "image/png", "id.png"],
    ["../../etc/passwd", "image/png", "passwd.png"],
    ["folder/", "application/pdf", "file.pdf"],
    [`a${"𠮷".repeat(119)}`, "application/pdf", `a${"𠮷".repeat(115)}.pdf`],
    [`${"𠮷".repeat(130)}.pdf`, "application/pdf", `${"𠮷".repeat(116)}.pdf`],
    [`${"x".repeat(200)}.pdf`, "application/pdf", `${"x".repeat(116)}.pdf`],
  ] as const)("gives the file name %j the extension of the type %s", (name, type, savedFileName) => {
    expect(toCustomerFileName(name, type)).toBe(savedFileName);
  });

  test("rejects an empty file and one above the size limit", () => {
    expect(isCustomerFileSizeAllowed(new Uint8Array())).toBe(false);
    expect(isCustomerFileSizeAllowed(new Uint8Array(MAX_CUSTOMER_FILE_MB * 1_000_000))).toBe(true);
    expect(isCustomerFileSizeAllowed(new Uint8Array(MAX_CUSTOMER_FILE_MB * 1_000_000 + 1))).toBe(false);
  });
});
