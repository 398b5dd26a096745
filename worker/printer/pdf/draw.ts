import {
  type Color,
  degrees,
  embedFacturX,
  PDFDocument,
  PDFHexString,
  type PDFImage,
  type PDFPage,
  rgb,
} from "@cantoo/pdf-lib";
import type { PrintedImage, Printout } from "#domain/printing/printout.ts";
import { layOutPrintout } from "../layout/lay-out.ts";
import type { InkColor, PageMark } from "../layout/marks.ts";
import { getPageSize } from "../layout/page-size.ts";
import { collectLetters, hasPrintableTexts, PrintoutTooLongError, replaceWithNotice } from "../layout/too-long.ts";
import { drawTextLine } from "./draw-text.ts";
import { type FontFiles, Fonts } from "./fonts.ts";
import { readSafeImage } from "./safe-image.ts";

type MarkWithKind<Kind extends PageMark["kind"]> = Extract<PageMark, { kind: Kind }>;

interface Drawing {
  readonly page: PDFPage;
  readonly fonts: Fonts;
  readonly colors: Readonly<Record<InkColor, Color>>;
  readonly images: ReadonlyMap<string, PDFImage>;
}

/** Draws a printout as PDF, or a notice if it's too long. The same printout gives the same bytes. */
export async function renderPrintoutPdf(printout: Printout, files: FontFiles): Promise<Uint8Array> {
  if (!hasPrintableTexts(printout)) return draw(replaceWithNotice(printout), files);
  try {
    return await draw(printout, files);
  } catch (error) {
    if (!(error instanceof PrintoutTooLongError)) throw error;
    return draw(replaceWithNotice(printout), files);
  }
}

async function draw(printout: Printout, files: FontFiles): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const fonts = await Fonts.embed(pdf, files, { letters: collectLetters(printout), country: printout.country });
  describe(pdf, printout);
  const pages = layOutPrintout(printout, fonts.measure);
  const images = await embedImages(pdf, pages.flat());
  const colors = createColors(printout.letterhead.color);
  const { width, height } = getPageSize(printout.country);
  for (const marks of pages) {
    const drawing = { page: pdf.addPage([width, height]), fonts, colors, images };
    for (const mark of marks) drawMark(drawing, mark);
  }
  if (printout.invoiceXml !== undefined) await embedInvoice(pdf, printout, printout.invoiceXml);
  return pdf.save();
}

// Embeds the electronic invoice as PDF/A-3 requires: output intent, XMP metadata and associated file. The file's id is
// derived from the content, because a random one would change the bytes.
async function embedInvoice(pdf: PDFDocument, printout: Printout, xml: string): Promise<void> {
  const content = new TextEncoder().encode(JSON.stringify(printout));
  const id = PDFHexString.fromBytes(new Uint8Array(await crypto.subtle.digest("SHA-256", content)).slice(0, 16));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  const moment = new Date(printout.at);
  await embedFacturX(pdf, new TextEncoder().encode(xml), { creationDate: moment, modificationDate: moment });
}

// Sets the title, author and dates of the PDF. The dates are those of the document, because the current time would
// change the bytes.
function describe(pdf: PDFDocument, { title, language, at, letterhead }: Printout): void {
  const moment = new Date(at);
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(letterhead.name);
  pdf.setLanguage(language);
  pdf.setProducer("rental-platform");
  pdf.setCreator("rental-platform");
  pdf.setCreationDate(moment);
  pdf.setModificationDate(moment);
}

async function embedImages(pdf: PDFDocument, marks: readonly PageMark[]): Promise<ReadonlyMap<string, PDFImage>> {
  const images = new Map<string, PDFImage>();
  for (const mark of marks) {
    if (mark.kind === "image" && !images.has(mark.image.base64)) {
      const embedded = await embedImage(pdf, mark.image);
      if (embedded) images.set(mark.image.base64, embedded);
    }
  }
  return images;
}

// A broken image is omitted, and the document is still printed.
async function embedImage(pdf: PDFDocument, image: PrintedImage): Promise<PDFImage | undefined> {
  try {
    const bytes = await readSafeImage(image);
    return bytes && (await (image.type === "png" ? pdf.embedPng(bytes) : pdf.embedJpg(bytes)));
  } catch {
    return undefined;
  }
}

function createColors(brand: string): Drawing["colors"] {
  return {
    ink: hex("#1b1f24"),
    soft: hex("#5f6873"),
    rule: hex("#d9dde2"),
    tint: hex("#f2f4f6"),
    page: hex("#ffffff"),
    alarm: hex("#b3261e"),
    brand: hex(brand),
  };
}

function hex(color: string): Color {
  const part = (from: number) => Number.parseInt(color.slice(from, from + 2), 16) / 255;
  return rgb(part(1), part(3), part(5));
}

function drawMark(drawing: Drawing, mark: PageMark): void {
  switch (mark.kind) {
    case "text":
      drawText(drawing, mark);
      break;
    case "line":
      drawLine(drawing, mark);
      break;
    case "box":
      drawBox(drawing, mark);
      break;
    case "image":
      drawImage(drawing, mark);
      break;
    case "stamp":
      drawStamp(drawing, mark);
      break;
  }
}

function drawText({ page, fonts, colors }: Drawing, { text, x, y, size, weight, ink }: MarkWithKind<"text">): void {
  drawTextLine(page, fonts, { text, x, y: page.getHeight() - y, size, weight, color: colors[ink] });
}

function drawLine({ page, colors }: Drawing, { x, y, toX, ink, width }: MarkWithKind<"line">): void {
  const at = page.getHeight() - y;
  page.drawLine({ start: { x, y: at }, end: { x: toX, y: at }, thickness: width, color: colors[ink] });
}

function drawBox({ page, colors }: Drawing, { x, y, width, height, radius, fill, stroke }: MarkWithKind<"box">): void {
  const r = Math.min(radius, width / 2, height / 2);
  const arc = (toX: number, toY: number) => (r > 0 ? ` a ${r} ${r} 0 0 1 ${toX} ${toY}` : "");
  const path = `M ${r} 0 h ${width - 2 * r}${arc(r, r)} v ${height - 2 * r}${arc(-r, r)} h ${2 * r - width}${arc(-r, -r)} v ${2 * r - height}${arc(r, -r)} Z`;
  page.drawSvgPath(path, {
    x,
    y: page.getHeight() - y,
    ...(fill && { color: colors[fill] }),
    ...(stroke && { borderColor: colors[stroke], borderWidth: 0.6 }),
  });
}

function drawImage({ page, images }: Drawing, { image, x, y, width, height }: MarkWithKind<"image">): void {
  const embedded = images.get(image.base64);
  if (embedded) page.drawImage(embedded, { x, y: page.getHeight() - y - height, width, height });
}

function drawStamp({ page, fonts }: Drawing, { text, size }: MarkWithKind<"stamp">): void {
  const [run] = fonts.runsOf(text, "strong");
  if (run?.kind !== "own") return;
  const width = fonts.measure(text, size, "strong");
  const scale = Math.min(1, 560 / width);
  const halfWidth = (width * scale) / 2;
  const [cos, sin] = [Math.cos(Math.PI / 4), Math.sin(Math.PI / 4)];
  page.drawText(text, {
    x: page.getWidth() / 2 - halfWidth * cos + (size * scale * sin) / 3,
    y: page.getHeight() / 2 - halfWidth * sin - (size * scale * cos) / 3,
    size: size * scale,
    font: run.font,
    color: hex("#b3261e"),
    opacity: 0.13,
    rotate: degrees(45),
  });
}
