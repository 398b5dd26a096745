import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { writeContractText } from "#domain/printing/contract-text.ts";
import { createContractPrintout } from "#domain/printing/contracts.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import type { Printout } from "#domain/printing/printout.ts";
import { createContractTextData } from "#support/contract-facts.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { createPng } from "#support/images.ts";
import { readPdfText } from "#support/pdf-text.ts";
import { createDocumentToPrint, createLetterhead, createPrintContext } from "#support/printouts.ts";
import { layOutPrintout } from "#worker/printer/layout/lay-out.ts";
import type { MeasureText, PageMark } from "#worker/printer/layout/marks.ts";
import { getPageSize, PAGE_MARGIN } from "#worker/printer/layout/page-size.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";

const files = loadPrinterFonts();

/** Approximate text width, because the layout doesn't know the font. */
const measure: MeasureText = (text, size) => text.length * size * 0.56;

const LONG = "Societat Cooperativa Catalana Limitada de Lloguer de Vehicles Sense Conductor de les Illes Balears";
const item = (concept: string, totalCents: number) => ({
  concept,
  quantity: 1,
  unitCents: totalCents,
  vat: 2100,
  totalCents,
});
const manyItems = Array.from({ length: 70 }, (_, index) =>
  item(index % 7 === 3 ? `${LONG} ${index}` : `Concept ${index}`, 100),
);
const createLongPrintout = createPrintContext({
  letterhead: createLetterhead({ name: LONG, lines: [`${LONG} 12`, LONG], foot: `${LONG} ${LONG}` }),
});
const manyDamages = Array.from({ length: 40 }, (_, index) => ({
  ...({ part: "roof", kind: "dent", severity: "light" } as const),
  ...{ x: 500, y: 500, note: LONG, isNew: index % 2 === 0 },
}));

const printContract = (changes: Parameters<typeof createContractTextData>[0]): Printout => {
  const part = {
    text: writeContractText(createContractTextData(changes)),
    language: "de" as const,
    signature: undefined,
  };
  return createContractPrintout([part], createLongPrintout, { bookingId: 1, at: 0, stamp: "draft" });
};

const long: Readonly<Record<string, Printout>> = {
  invoice: createDocumentPrintout(
    createDocumentToPrint({
      items: manyItems,
      totalCents: 7000,
      serie: "SIMPLIFICADAS-AEROPUERTO-DE-PALMA-DE-MALLORCA-2026",
      agency: `${LONG} ${LONG}`,
      customer: { name: `${LONG} ${"x".repeat(120)}`, taxId: "X".repeat(60), address: [LONG, "ES"] },
    }),
    createLongPrintout,
  ),
  contract: printContract({
    customerName: `${LONG} ${LONG}`,
    damages: manyDamages,
    terms: Array.from({ length: 40 }, (_, index) => `## ${index}. ${LONG}\n${`${LONG} `.repeat(6)}`).join("\n"),
  }),
};

const listTextMarks = (page: readonly PageMark[]) =>
  page.flatMap((mark) => (mark.kind === "text" && mark.text ? [mark] : []));

const onBothDocuments = Object.entries(long).flatMap(([name, printout]) => [
  [name, printout] as const,
  [`${name} of a company in the United States`, { ...printout, country: "US" }] as const,
]);

describe.each(onBothDocuments)("a printed %s of several pages", (_, printout) => {
  const pages = layOutPrintout(printout, measure);
  const { right, height } = getPageSize(printout.country);

  test("continues a long printout over several pages, each with its number and header", () => {
    expect(pages.length).toBeGreaterThan(1);
    pages.forEach((page, index) => {
      const texts = listTextMarks(page).map(({ text }) => text);
      expect(
        texts.some((text) =>
          text.endsWith(` ${index + 1} ${printout.language === "de" ? "von" : "de"} ${pages.length}`),
        ),
      ).toBe(true);
      if (index === 0) return;
      const top = Math.min(...listTextMarks(page).map(({ y }) => y));
      const header = listTextMarks(page).flatMap(({ y, text }) => (y === top ? [text.replace(/ …$/, "")] : []));
      expect(header).toHaveLength(2);
      expect([printout.letterhead.name, printout.title].map((text, at) => text.startsWith(header[at] ?? "-"))).toEqual([
        true,
        true,
      ]);
    });
  });

  test("prints nothing beyond the margins or over a page's footer", () => {
    for (const page of pages) {
      const rule = Math.max(...page.flatMap((mark) => (mark.kind === "line" ? [mark.y] : [])));
      for (const { text, x, y, size, weight } of listTextMarks(page)) {
        expect({ text, isWithin: x >= PAGE_MARGIN - 7 && x + measure(text, size, weight) <= right + 0.1 }).toEqual({
          text,
          isWithin: true,
        });
        expect(y).toBeLessThan(height - 20);
        // Text below the last rule is the page footer.
        if (y > rule) expect(size).toBeLessThan(8);
      }
    }
  });

  test("prints no two texts of a long printout over each other", () => {
    for (const page of pages) {
      const boxes = listTextMarks(page).map(({ text, x, y, size, weight }) => ({
        text,
        x,
        y,
        size,
        to: x + measure(text, size, weight),
      }));
      for (const [index, item] of boxes.entries()) {
        const over = boxes.slice(index + 1).filter((other) => {
          const isNextTo = other.x >= item.to - 0.1 || item.x >= other.to - 0.1;
          return !isNextTo && Math.abs(other.y - item.y) < Math.min(item.size, other.size) * 0.7;
        });
        expect(over.map(({ text }) => [item.text, text])).toEqual([]);
      }
    }
  });
});

describe("page breaks", () => {
  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Pages break, sums are carried over,
  //   nothing leaves its place
  test("carries the subtotal to the next page, and never leaves a total alone there", () => {
    for (const [count, country] of Array.from(
      { length: 118 },
      (_, at) => [1 + (at >> 1), at % 2 ? "US" : "ES"] as const,
    )) {
      const invoice = {
        ...createDocumentPrintout(createDocumentToPrint({ items: manyItems.slice(0, count) }), createPrintContext()),
        country,
      };
      const pages = layOutPrintout(invoice, measure).map((page) => listTextMarks(page).map(({ text }) => text));
      const last = pages.at(-1) ?? [];
      expect(last).toContain("Total");
      expect(last.filter((text) => text.startsWith("Concept ") || text.startsWith("Societat")).length).toBeGreaterThan(
        0,
      );
      for (const [index, page] of pages.entries()) {
        const carried = page.filter((text) => text === "Suma y sigue").length;
        expect(carried).toBe(Number(index > 0) + Number(index < pages.length - 1));
      }
    }
  });
});

describe("the PDF", () => {
  const letters =
    "ÀÉÎÕÜ ßæøœ ąćęłńóśźż čďěňřšťůž őű ăâîșț ğışçö ðþ ħġċż ķļņģ ėįųū ΑΒΓΔ άέήίόύώ ЖЩЪЫЬЭЮЯ іїєґ ђћљњџ ѝ l·l € ნინო ჯაფარიძე ՀԱՅԿ Սարգսյան և";

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Letters of all European languages
  test("prints the letters of all European languages as searchable text", async () => {
    const customer = { name: letters, taxId: "X", address: [] };
    const [page = ""] = await readPdfText(
      await renderPrintoutPdf(createDocumentPrintout(createDocumentToPrint({ customer }), createPrintContext()), files),
    );
    const pageText = page.replaceAll("\n", " ");
    for (const expectedWord of letters.split(" ")) expect(pageText).toContain(expectedWord);
    expect(pageText).toContain("Factura");
    expect(pageText).toContain("132,00");
  });

  test("prints other scripts next to the default font without gaps or overlap", async () => {
    const customer = { name: "Nino ნინო / Հայկ Hayk", taxId: "X", address: [] };
    const bytes = await renderPrintoutPdf(
      createDocumentPrintout(createDocumentToPrint({ customer }), createPrintContext()),
      files,
    );
    const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
    const { items } = await page.getTextContent();
    const all = items.flatMap((item) => ("str" in item ? [item] : []));
    const from = all.findIndex(({ str }) => str === "Nino");
    const parts = all.slice(from, from + 8);
    expect(parts.map(({ str }) => str)).toEqual(["Nino", " ", "ნინო", " ", "/", " ", "Հայկ", " "]);
    parts.slice(1).forEach((part, index) => {
      const before = parts[index];
      expect(part.transform[4]).toBeCloseTo((before?.transform[4] ?? 0) + (before?.width ?? 0), 1);
    });
  });

  test("prints an accent over its letter, even if typed as two characters", async () => {
    const print = (name: string) =>
      renderPrintoutPdf(
        createDocumentPrintout(
          createDocumentToPrint({ customer: { name, taxId: "X", address: [] } }),
          createPrintContext(),
        ),
        files,
      );
    const name = "José Núñez Łukasz Đặng Τάκης";
    expect(await print(name.normalize("NFD"))).toEqual(await print(name));
  });

  test("prints the same content and searchable text, whatever was printed with the same fonts before", async () => {
    const used = loadPrinterFonts();
    const createNote = (text: string): Printout => ({
      ...createDocumentPrintout(createDocumentToPrint(), createPrintContext()),
      title: text,
      letterhead: createLetterhead({ name: "A", lines: [], foot: "" }),
      words: { page: "{page}", carriedOver: "", tooLong: "" },
      blocks: [{ kind: "paragraph", text, isSmall: false }],
    });
    // First only accented letters, then others of the same shape.
    for (const before of ["ÀÉÎÕÚ àéîõú çñš", "\u00a0 µ ∆ Ω"]) await renderPrintoutPdf(createNote(before), used);
    const plain = createNote("AEIOU aeiou cns ú u μ Δ Ω");
    const printed = await renderPrintoutPdf(plain, used);
    expect((await readPdfText(printed))[0]?.replaceAll("\n", " ")).toContain("AEIOU aeiou cns ú u");
    expect(printed).toEqual(await renderPrintoutPdf(plain, loadPrinterFonts()));
  });

  test("embeds only the fonts of the scripts in the text", async () => {
    const printed = async (name: string) =>
      (
        await renderPrintoutPdf(
          createDocumentPrintout(
            createDocumentToPrint({ customer: { name, taxId: "X", address: [] } }),
            createPrintContext(),
          ),
          files,
        )
      ).length;
    const [plain, georgian] = [await printed("Nino"), await printed("ნინო")];
    expect(georgian).toBeGreaterThan(plain + 1000);
    expect(await printed("Anna")).toBeLessThan(plain + 1000);
  });

  test("produces the same bytes for the same document, with company and language in its metadata", async () => {
    const printout = createDocumentPrintout(createDocumentToPrint(), createPrintContext());
    const [uint8Array, other] = [await renderPrintoutPdf(printout, files), await renderPrintoutPdf(printout, files)];
    expect(uint8Array).toEqual(other);
    const pdf = await getDocumentProxy(new Uint8Array(uint8Array));
    const { info } = await pdf.getMetadata();
    expect(info).toMatchObject({
      Title: "Factura A-PMI-26/612",
      Author: "Acme Rent a Car",
      CreationDate: "D:20260703000000Z",
      Language: "es",
    });
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Letter if the company's country uses it,
  //   otherwise A4
  test.each([
    ["US", 612, 792],
    ["CA", 612, 792],
    ["MX", 612, 792],
    ["ES", 595.28, 841.89],
    ["AE", 595.28, 841.89],
    ["JP", 595.28, 841.89],
  ])("uses the page size of the company's country %s", async (country, width, height) => {
    const pdf = await getDocumentProxy(
      new Uint8Array(
        await renderPrintoutPdf(
          { ...createDocumentPrintout(createDocumentToPrint(), createPrintContext()), country },
          files,
        ),
      ),
    );
    const { view } = await pdf.getPage(1);
    expect(view).toEqual([0, 0, width, height]);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": The company's logo
  test("prints the company's logo, and omits one that is damaged after its header", async () => {
    const png = createPng({ width: 60, height: 20 });
    const createLogo = (bytes: Uint8Array) => ({ type: "png" as const, base64: Buffer.from(bytes).toString("base64") });
    const print = (bytes: Uint8Array) =>
      renderPrintoutPdf(
        createDocumentPrintout(
          createDocumentToPrint(),
          createPrintContext({ letterhead: createLetterhead({ logo: createLogo(bytes) }) }),
        ),
        files,
      );
    const countImages = (bytes: Uint8Array) =>
      (
        Buffer.from(bytes)
          .toString("latin1")
          .match(/\/Subtype\s*\/Image/g) ?? []
      ).length;
    const withDamagedLogo = await print(png.slice(0, 40));
    expect(await readPdfText(withDamagedLogo)).toHaveLength(1);
    expect([countImages(withDamagedLogo), countImages(await print(png))]).toEqual([0, 1]);
  });
});
