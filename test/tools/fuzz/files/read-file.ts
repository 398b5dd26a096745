import { PDFDocument } from "@cantoo/pdf-lib";
import { readImageInfo } from "#domain/check-in/images.ts";
import { hasContractTextFormat, hasPrintableSize } from "#domain/printing/contract-blocks.ts";
import { createContractPrintout, MAX_SIGNATURE_BYTES } from "#domain/printing/contracts.ts";
import { runWithoutPauses } from "#domain/run-in-slices.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { createPrintContext } from "#support/printouts.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { FileBudget } from "#worker/imports/file-budget.ts";
import { openImportFile } from "#worker/imports/open-file.ts";
import { readSheetsAsTables } from "#worker/imports/read-files.ts";
import { createImportCheck } from "#worker/imports/uploaded-files.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";
import { readSafeImage } from "#worker/printer/pdf/safe-image.ts";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";
import { toPrintableImage } from "#worker/usecases/shared/printing-context.ts";
import { readStreamUpTo } from "#worker/usecases/shared/read-stream.ts";
import { MAX_IMAGE_PIXELS, rebuildImageBytes } from "#worker/usecases/shared/rebuild-image.ts";
import { installDecompressionStream } from "./decompression-stream.ts";
import type { HostileFile } from "./hostile-files.ts";

installDecompressionStream();
const fonts = loadPrinterFonts();
const tables = readImportExportTables(createSqliteD1().db);

/** Reads a file as the platform does on arrival and when it's printed. Returns whether it's accepted. */
export function readFile({ kind, bytes }: HostileFile): Promise<boolean> | boolean {
  switch (kind) {
    case "png":
    case "jpeg":
    case "webp":
    case "heic":
      return readSentImage(bytes);
    case "text":
      return readText(bytes);
    default:
      return readTable(kind, bytes);
  }
}

// The names of the tables decide how cells are read: numbers and dates of charges, texts and addresses of customers.
async function readTable(kind: "csv" | "json" | "xlsx", bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const known = await tables;
  const name = bytes.length % 2 === 0 ? "customers" : "charges";
  const sheets = openImportFile(`${name}.${kind}`, bytes, {}, new FileBudget());
  const read = runWithoutPauses(
    readSheetsAsTables(sheets, known, { currencyDecimals: 2, timezone: "UTC", known: {}, mapping: {} }),
  );
  createImportCheck(sheets, { ...read, counts: new Map(), files: [] }, { files: [], mapping: {} });
  return sheets.every((opened) => !("code" in opened));
}

// An accepted image is also read as a signature and decoded by the PDF library.
async function readSentImage(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const facts = readImageInfo(bytes);
  if (!facts || facts.width * facts.height > MAX_IMAGE_PIXELS) return false;
  const rebuilt = await rebuildImageBytes(facts.contentType, bytes);
  const signature = await readStreamUpTo(new Blob([rebuilt ?? bytes]).stream(), MAX_SIGNATURE_BYTES);
  const printable = signature && toPrintableImage(signature);
  // A hostile stream may be broken in other ways, which stop the decompression.
  const safe = printable && (await readSafeImage(printable).catch(() => undefined));
  if (!safe) return rebuilt !== undefined;
  const pdf = await PDFDocument.create();
  await (printable.type === "png" ? pdf.embedPng(safe) : pdf.embedJpg(safe)).catch(() => undefined);
  return rebuilt !== undefined;
}

async function readText(bytes: Uint8Array): Promise<boolean> {
  const text = new TextDecoder().decode(bytes);
  const isAccepted = hasContractTextFormat(text) && hasPrintableSize(text);
  const printout = createContractPrintout(
    [{ text, language: "en", signature: undefined }],
    createPrintContext({ language: "en" }),
    {
      bookingId: 1,
      at: 0,
      stamp: undefined,
    },
  );
  if (isAccepted) await renderPrintoutPdf(printout, fonts);
  return isAccepted;
}
