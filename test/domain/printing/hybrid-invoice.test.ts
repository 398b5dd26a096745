import { inflateSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { beforeAll, describe, expect, test } from "vitest";
import { toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import { createDocumentForEInvoice as createStoredDocument } from "#support/e-invoices.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { createDocumentToPrint, createPrintContext } from "#support/printouts.ts";
import { writeEInvoice } from "#worker/authorities/e-invoices/write.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";

const xml = writeEInvoice("facturx", toEInvoice(createStoredDocument()));
const printout = { ...createDocumentPrintout(createDocumentToPrint(), createPrintContext()), invoiceXml: xml };

let bytes: Uint8Array = new Uint8Array();

beforeAll(async () => {
  bytes = await renderPrintoutPdf(printout, loadPrinterFonts());
});

/** Returns the file's text with its compressed objects unpacked. */
function unpack(file: Uint8Array): string {
  const raw = Buffer.from(file).toString("latin1");
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = ""]) => {
    try {
      return inflateSync(Buffer.from(body, "latin1")).toString("latin1");
    } catch {
      return body;
    }
  });
  return [raw, ...streams].join("\n");
}

describe("a PDF with its electronic invoice", () => {
  test("embeds the unchanged XML under the name that Factur-X prescribes", async () => {
    const pdf = await getDocumentProxy(bytes.slice());
    const attachments: ReadonlyMap<string, object> | null = await pdf.getAttachments();
    expect([...(attachments?.keys() ?? [])]).toEqual(["factur-x.xml"]);
    expect(unpack(bytes)).toContain(xml);
  });

  test("has the structure of PDF/A-3: output intent, metadata, identifier and the file's relationship", () => {
    const text = unpack(bytes);
    for (const part of [
      ...["<pdfaid:part>3</pdfaid:part>", "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>"],
      ...["/GTS_PDFA1", "/AFRelationship /Alternative", "/DestOutputProfile", "/ID ["],
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/\/AF \[|\/AF \d+ 0 R/);
    expect(text).not.toContain("/Encrypt");
  });

  test("embeds every font in a PDF with an electronic invoice", () => {
    const text = unpack(bytes);
    const fonts = text.match(/\/FontDescriptor\b/g) ?? [];
    expect(fonts.length).toBeGreaterThan(0);
    expect(text.match(/\/FontFile[23]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toMatch(/\/Subtype \/Type1\b/);
  });

  test("creates identical bytes for the same invoice, and different ones for another", async () => {
    expect(Buffer.from(await renderPrintoutPdf(printout, loadPrinterFonts())).equals(Buffer.from(bytes))).toBe(true);
    const other = await renderPrintoutPdf({ ...printout, invoiceXml: `${xml} ` }, loadPrinterFonts());
    expect(Buffer.from(other).equals(Buffer.from(bytes))).toBe(false);
  });

  test("creates an ordinary PDF without an electronic invoice", async () => {
    const plain = unpack(
      await renderPrintoutPdf(
        createDocumentPrintout(createDocumentToPrint(), createPrintContext()),
        loadPrinterFonts(),
      ),
    );
    expect(plain).not.toContain("factur-x.xml");
    expect(plain).not.toContain("pdfaid");
  });
});
