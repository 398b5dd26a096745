import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import type { CivilDate } from "#domain/dates.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import { createQrUrl } from "#domain/tax-records/qr.ts";
import { createDocumentToPrint, createPrintContext } from "#support/printouts.ts";
import { layOutPrintout } from "#worker/printer/layout/lay-out.ts";
import type { MeasureText, PageMark } from "#worker/printer/layout/marks.ts";
import { getPageSize } from "#worker/printer/layout/page-size.ts";

const POINTS_A_MILLIMETRE = 72 / 25.4;
const SCALE = 3;
const measure: MeasureText = (text, size) => text.length * size * 0.56;
const invoice = { issuer: "B07123458", number: "A-PMI-26/17", date: "2026-11-21" as CivilDate };
const address = createQrUrl("production", invoice, "1234.56");
const legalRecord = { address, above: "QR tributario:", below: "VERI*FACTU" };

type Box = Extract<PageMark, { kind: "box" }>;

/** Rasterizes a page for a scanner: dark boxes on white. */
function picture(boxes: readonly Box[]) {
  const [width, height] = [Math.ceil(getPageSize("ES").width * SCALE), Math.ceil(getPageSize("ES").height * SCALE)];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const box of boxes) {
    for (let y = Math.round(box.y * SCALE); y < Math.round((box.y + box.height) * SCALE); y++) {
      for (let x = Math.round(box.x * SCALE); x < Math.round((box.x + box.width) * SCALE); x++) {
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
      }
    }
  }
  return { data, width, height, colorSpace: "srgb" } as const;
}

function codeOn(pages: readonly (readonly PageMark[])[]): readonly Box[] {
  return (pages[0] ?? []).filter((mark): mark is Box => mark.kind === "box" && mark.fill === "ink");
}

// Proves "security, privacy and operation": An invoice bears its code
test("prints a readable QR code of 30 to 40 mm with a quiet zone on an invoice's first page", async () => {
  const wasm = readFileSync("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm");
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
  const pages = layOutPrintout(
    createDocumentPrintout(createDocumentToPrint({ legalRecord }), createPrintContext()),
    measure,
  );
  const boxes = codeOn(pages);
  const [read, ...others] = await readBarcodes(picture(boxes), { formats: ["QRCode"] });
  expect(others).toEqual([]);
  expect(read?.text).toBe(address);
  expect(read?.ecLevel).toBe("M");
  const [left, right] = [Math.min(...boxes.map(({ x }) => x)), Math.max(...boxes.map(({ x, width }) => x + width))];
  const [top, bottom] = [Math.min(...boxes.map(({ y }) => y)), Math.max(...boxes.map(({ y, height }) => y + height))];
  for (const side of [right - left, bottom - top]) {
    expect(side / POINTS_A_MILLIMETRE).toBeGreaterThanOrEqual(30);
    expect(side / POINTS_A_MILLIMETRE).toBeLessThanOrEqual(40);
  }
  const texts = (pages[0] ?? []).filter((mark) => mark.kind === "text");
  const above = texts.find(({ text }) => text === "QR tributario:");
  const below = texts.find(({ text }) => text === "VERI*FACTU");
  expect(top - (above?.y ?? top)).toBeGreaterThanOrEqual(2 * POINTS_A_MILLIMETRE);
  expect((below?.y ?? bottom) - (below?.size ?? 0) - bottom).toBeGreaterThanOrEqual(2 * POINTS_A_MILLIMETRE);
});

test("prints no QR code and legend on a document without a tax record", () => {
  const pages = layOutPrintout(createDocumentPrintout(createDocumentToPrint(), createPrintContext()), measure);
  expect(pages.flat().filter((mark) => mark.kind === "text" && /QR|VERI/.test(mark.text))).toEqual([]);
  expect(codeOn(pages)).toEqual([]);
});
