import { expect, test } from "vitest";
import { hasContractTextFormat, hasPrintableLineCount, MAX_CONTRACT_LINES } from "#domain/printing/contract-blocks.ts";
import { createContractPrintout } from "#domain/printing/contracts.ts";
import { createFontFiles } from "#support/font-files.ts";
import { readPdfText } from "#support/pdf-text.ts";
import { createPrintContext } from "#support/printouts.ts";
import { layOutPrintout } from "#worker/printer/layout/lay-out.ts";
import type { MeasureText, PageMark } from "#worker/printer/layout/marks.ts";
import { MAX_PAGES } from "#worker/printer/layout/printout-pages.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";

const measure: MeasureText = (text, size) => text.length * size * 0.56;
const NOTICE = "This text is too long to print.";

const signature = {
  method: "drawn",
  name: "Ana Ruiz",
  signedAt: "",
  image: undefined,
  hash: "c0ffee",
  isOfText: true,
  reason: undefined,
  author: "",
} as const;
const createPrintout = (...texts: readonly string[]) =>
  createContractPrintout(
    texts.map((text) => ({ text, language: "en" as const, signature })),
    createPrintContext({ language: "en" }),
    { bookingId: 1, at: 0, stamp: undefined },
  );
const getLines = (count: number) => `# A\n${"a\n".repeat(count - 1)}`;
const listTexts = (pages: readonly (readonly PageMark[])[]) =>
  pages.flat().flatMap((mark) => (mark.kind === "text" ? [mark.text] : []));

// Proves "security.md": A41
test("prints a notice with signature and hash instead of a signed text of very many one-letter lines", async () => {
  const hostile = getLines(99_000);
  expect(hasContractTextFormat(hostile)).toBe(true);
  const printout = createPrintout(hostile);
  expect(printout.blocks.length).toBeLessThan(10);
  const [page, ...others] = await readPdfText(await renderPrintoutPdf(printout, createFontFiles()));
  expect(others).toEqual([]);
  for (const text of [NOTICE, "Ana Ruiz", "c0ffee"]) expect(page).toContain(text);
});

test("prints a text with as many lines as the limit", () => {
  expect(hasPrintableLineCount(getLines(MAX_CONTRACT_LINES))).toBe(true);
  expect(hasPrintableLineCount(getLines(MAX_CONTRACT_LINES + 1))).toBe(false);
  expect(listTexts(layOutPrintout(createPrintout(getLines(MAX_CONTRACT_LINES)), measure))).not.toContain(NOTICE);
});

test("replaces a printout with too many pages by a notice", () => {
  const parts = (count: number) => Array.from({ length: count }, () => "# A\n");
  expect(layOutPrintout(createPrintout(...parts(MAX_PAGES)), measure)).toHaveLength(MAX_PAGES);
  const pages = layOutPrintout(createPrintout(...parts(MAX_PAGES + 1)), measure);
  expect(pages).toHaveLength(1);
  expect(listTexts(pages)).toContain(NOTICE);
  const long = createPrintout(...Array.from({ length: 10 }, () => getLines(MAX_CONTRACT_LINES)));
  expect(layOutPrintout(long, measure)).toHaveLength(1);
});
