import { PDFDocument } from "@cantoo/pdf-lib";
import { readImage } from "#domain/check-in/images.ts";
import { contractPrintout } from "#domain/printing/contracts.ts";
import { hasPrintableLength, isContractText } from "#domain/printing/read-contract.ts";
import { fontFiles } from "#support/font-files.ts";
import { aPrinting } from "#support/printouts.ts";
import { FileBudget } from "#worker/imports/file-budget.ts";
import { openFile } from "#worker/imports/open-file.ts";
import { drawPdf } from "#worker/printer/pdf/draw.ts";
import { readSafeImage } from "#worker/printer/pdf/safe-image.ts";
import { rebuildPng } from "#worker/usecases/shared/rebuild-image.ts";
import type { HostileFile } from "./hostile-files.ts";

const fonts = fontFiles();

/** Reads a file as the platform does on arrival and when it's printed. Returns whether it's accepted. */
export function readFile({ kind, bytes }: HostileFile): Promise<boolean> | boolean {
  switch (kind) {
    case "png":
    case "jpeg":
      return readSentImage(kind, bytes);
    case "text":
      return readText(bytes);
    default:
      return openFile(`customers.${kind}`, bytes, {}, new FileBudget()).every((opened) => !("code" in opened));
  }
}

// An accepted image is also decoded by the PDF library.
async function readSentImage(type: "png" | "jpeg", bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const facts = readImage(bytes);
  const isAccepted = facts !== undefined && (type === "jpeg" || (await rebuildPng(bytes)) !== undefined);
  // A hostile stream may be broken in other ways, which stop the decompression.
  const safe = await readSafeImage({ type, base64: Buffer.from(bytes).toString("base64") }).catch(() => undefined);
  if (!safe) return isAccepted;
  const pdf = await PDFDocument.create();
  await (type === "png" ? pdf.embedPng(safe) : pdf.embedJpg(safe)).catch(() => undefined);
  return isAccepted;
}

async function readText(bytes: Uint8Array): Promise<boolean> {
  const text = new TextDecoder().decode(bytes);
  const isAccepted = isContractText(text) && hasPrintableLength(text);
  const printout = contractPrintout([{ text, language: "en", signature: undefined }], aPrinting({ language: "en" }), {
    bookingId: 1,
    at: 0,
    stamp: undefined,
  });
  if (isAccepted) await drawPdf(printout, fonts);
  return isAccepted;
}
