import { expect, inject, test } from "vitest";
import {
  hasContractTextFormat,
  hasPrintableSize,
  MAX_CONTRACT_LINES,
  parseContractBlocks,
} from "#domain/printing/contract-blocks.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import { createContractPrintout } from "#domain/printing/contracts.ts";
import { MAX_PRINTED_LABEL_LENGTH } from "#domain/printing/print-limits.ts";
import type { Printout } from "#domain/printing/printout.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { readPdfText } from "#support/pdf-text.ts";
import { createPrintContext } from "#support/printouts.ts";
import { layOutPrintout } from "#worker/printer/layout/lay-out.ts";
import type { MeasureText, PageMark } from "#worker/printer/layout/marks.ts";
import { MAX_PAGES } from "#worker/printer/layout/printout-pages.ts";
import { collectLetters, hasPrintableTexts } from "#worker/printer/layout/too-long.ts";
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
  const [page, ...others] = await readPdfText(await renderPrintoutPdf(printout, loadPrinterFonts()));
  expect(others).toEqual([]);
  for (const text of [NOTICE, "Ana Ruiz", "c0ffee"]) expect(page).toContain(text);
});

test("prints a text with as many lines as the limit", () => {
  expect(hasPrintableSize(getLines(MAX_CONTRACT_LINES))).toBe(true);
  expect(hasPrintableSize(getLines(MAX_CONTRACT_LINES + 1))).toBe(false);
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

/** Returns the printout of a stored text, as if it had been accepted before its limits existed. */
const createUncheckedPrintout = (text: string): Printout => ({
  ...createPrintout("# A\n"),
  blocks: parseContractBlocks(text, getContractTexts("en")),
});

/** Measures like `measure`, except letters without width. Throws for more letters than a linear layout measures. */
function createLimitedMeasure(maxLetters: number): MeasureText {
  let letters = 0;
  return (text, size) => {
    letters += text.length;
    if (letters > maxLetters) throw new Error(`more than ${maxLetters} letters were measured`);
    return text.replace(/[\u200b\u200e]/g, "").length * size * 0.56;
  };
}

// Proves "security.md": A41
test("draws marks within the drawing only, and at most a hundred", () => {
  const damages = ["[1]\ta\t1,1e22", "[2]\tb\t-1,1", "[3]\tc\t1,1001", "(4)\td\t0,1000"].join("\n");
  const [, vehicle] = parseContractBlocks(`# A\n${damages}\n`, getContractTexts("en"));
  expect(vehicle).toMatchObject({ marks: [{ label: "4" }], legend: ["1 a", "2 b", "3 c", "4 d"] });

  const marks = Array.from({ length: 5_000 }, () => ({ x: 1e22, y: 1e22, label: "7", isNew: true }));
  const blocks = [{ kind: "vehicle", marks, legend: ["7 a"] } as const];
  const texts = listTexts(layOutPrintout({ ...createPrintout("# A\n"), blocks }, measure));
  expect(texts.filter((text) => text === "7")).toHaveLength(101);
});

// Proves "security.md": A41
test.each([
  ["letters without width", `${"\u200e".repeat(60_000)}${"W".repeat(300)}`],
  ["words without width", `${"\u200b".repeat(70)} `.repeat(900)],
  ["one word", "a".repeat(190_000)],
  ["one joined emoji", "👩\u200d".repeat(25_000)],
])("measures each letter of a line of %s a few times only", (_, line) => {
  const text = `# A\n${line}\n`;
  expect(hasPrintableSize(text)).toBe(true);
  const pages = layOutPrintout(createPrintout(text), createLimitedMeasure(10 * text.length));
  expect(listTexts(pages)).not.toContain(NOTICE);
  for (const drawn of listTexts(pages)) expect(drawn.length).toBeLessThanOrEqual(1_000);
});

// Proves "security.md": A41
test.each([
  ["a cell of one-letter lines next to a wide number", `${"a".repeat(190_000)}\t1\t${"9".repeat(2_000)}\n`],
  ["rows of such cells", `${"a".repeat(1_000)}\t1\t${"9".repeat(1_500)}\n`.repeat(75)],
  ["thousands of sums", "=\tb\t3\n".repeat(4_990)],
  ["a letter with thousands of accents", `a${"\u0301\u0316".repeat(40_000)}\n`],
  ["a long title", `# ${"a".repeat(150_000)}\n`],
])("prints few marks for %s", (_, lines) => {
  const printout = createUncheckedPrintout(`# A\n${lines}`);
  const pages = hasPrintableTexts(printout) ? layOutPrintout(printout, measure) : [];
  expect(pages.length).toBeLessThan(100);
  for (const page of pages) expect(page.length).toBeLessThan(3_000);
});

test("accepts labels, accents and paragraphs up to the limits", () => {
  const label = "a".repeat(MAX_PRINTED_LABEL_LENGTH - 2);
  expect(hasPrintableSize(`# A\n${label}\tb\n`)).toBe(true);
  expect(hasPrintableSize(`# A\n${label}\tbc\n`)).toBe(false);
  expect(hasPrintableSize(`# ${label}\n`)).toBe(true);
  expect(hasPrintableSize(`# A${label}\n`)).toBe(false);
  expect(hasPrintableSize(`# A\n${label.repeat(20)}\n`)).toBe(true);
  expect(hasPrintableSize(`# A\na${"\u0301".repeat(30)}\n`)).toBe(true);
  expect(hasPrintableSize(`# A\na${"\u0301".repeat(31)}\n`)).toBe(false);
});

// Proves "security.md": A41
test("chooses fonts by the letters of the texts, not of the images", async () => {
  const letters = collectLetters({
    ...createPrintout("# A\n漢字\n"),
    stamp: undefined,
    letterhead: { ...createPrintout("# A\n").letterhead, logo: { type: "png", base64: "Ωß+/" } },
    invoiceXml: "§",
  });
  for (const letter of "漢字") expect(letters).toContain(letter);
  for (const letter of "Ωß§") expect(letters).not.toContain(letter);

  const ideographs = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
  const fonts = loadPrinterFonts();
  const read = () => Promise.reject(new Error("a font was read"));
  const [page] = await readPdfText(await renderPrintoutPdf(createPrintout(`# A\n${ideographs}\n`), { ...fonts, read }));
  expect(page).toContain(NOTICE);
});

// Proves "security.md": A41
test.runIf(inject("isThorough"))(
  "prints a notice instead of a text whose letters change direction thousands of times",
  async () => {
    const [page] = await readPdfText(
      await renderPrintoutPdf(createPrintout(`# A\n${"אa".repeat(30_000)}\n`), loadPrinterFonts()),
    );
    expect(page).toContain(NOTICE);
  },
);
