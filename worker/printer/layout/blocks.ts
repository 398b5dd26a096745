import type { PrintoutBlock, PrintoutLabelledValue } from "#domain/printing/printout.ts";
import {
  alignTextRight,
  BODY_FONT_SIZE,
  type FontWeight,
  LINE_HEIGHT_FACTOR,
  type MeasureText,
  type PageMark,
  SMALL_PRINT_FONT_SIZE,
} from "./marks.ts";
import { PAGE_MARGIN } from "./page-size.ts";
import type { PrintoutPages } from "./printout-pages.ts";
import { createQrCodeMarks } from "./qr-code.ts";
import { wrapText } from "./wrap.ts";

type BlockWithKind<Kind extends PrintoutBlock["kind"]> = Extract<PrintoutBlock, { kind: Kind }>;

const TITLE_SIZE = 18;
const LABEL_SIZE = 7.5;
const FACT_LINE = 12;

/** Lays out the document's name, with its identifying facts next to it. */
export function layOutTitle(sheet: PrintoutPages, { text, facts }: BlockWithKind<"title">, measure: MeasureText): void {
  const half = (sheet.page.contentWidth - 24) / 2;
  const lines = wrapText(measure, text, half, TITLE_SIZE, "strong");
  const wide = Math.max(0, ...facts.map(({ label }) => measure(label, BODY_FONT_SIZE, "regular")));
  sheet.need(Math.max(lines.length * 24, facts.length * FACT_LINE) + 20);
  lines.forEach((line, index) => {
    sheet.add({
      kind: "text",
      x: PAGE_MARGIN,
      y: sheet.y + 15 + index * 23,
      size: TITLE_SIZE,
      weight: "strong",
      ink: "ink",
      text: line,
    });
  });
  const startX = PAGE_MARGIN + half + 24;
  let y = sheet.y + 9;
  for (const { label, value } of facts) {
    sheet.add({ kind: "text", x: startX, y, size: BODY_FONT_SIZE, weight: "regular", ink: "soft", text: label });
    for (const line of wrapText(measure, value, sheet.page.right - startX - wide - 10, BODY_FONT_SIZE, "strong")) {
      sheet.add(
        alignTextRight(measure, {
          x: sheet.page.right,
          y,
          size: BODY_FONT_SIZE,
          weight: "strong",
          ink: "ink",
          text: line,
        }),
      );
      y += FACT_LINE;
    }
  }
  sheet.y = Math.max(sheet.y + lines.length * 23, y - FACT_LINE) + 18;
}

/** Lays out a heading above a line. A small one is close to its paragraph. */
export function layOutHeading(
  sheet: PrintoutPages,
  { text, isSmall }: BlockWithKind<"heading">,
  measure: MeasureText,
): void {
  if (isSmall) {
    layLines(sheet, wrapText(measure, text, sheet.page.contentWidth, SMALL_PRINT_FONT_SIZE, "strong"), {
      size: SMALL_PRINT_FONT_SIZE,
      weight: "strong",
      ink: "ink",
    });
    sheet.y += 1;
    return;
  }
  sheet.y += 8;
  const lines = wrapText(measure, text, sheet.page.contentWidth, 10.5, "strong");
  for (const line of lines) {
    sheet.add({ kind: "text", x: PAGE_MARGIN, y: sheet.y + 9, size: 10.5, weight: "strong", ink: "brand", text: line });
    sheet.y += 14;
  }
  sheet.add({ kind: "line", x: PAGE_MARGIN, toX: sheet.page.right, y: sheet.y, ink: "rule", width: 0.5 });
  sheet.y += 9;
}

/** Lays out a paragraph, which may span pages. */
export function layOutParagraph(
  sheet: PrintoutPages,
  { text, isSmall }: BlockWithKind<"paragraph">,
  measure: MeasureText,
): void {
  const size = isSmall ? SMALL_PRINT_FONT_SIZE : BODY_FONT_SIZE;
  layLines(sheet, wrapText(measure, text, sheet.page.contentWidth, size), { size, weight: "regular", ink: "ink" });
  sheet.y += 5;
}

function layLines(
  sheet: PrintoutPages,
  lines: readonly string[],
  { size, weight, ink }: { readonly size: number; readonly weight: FontWeight; readonly ink: "soft" | "ink" },
): void {
  for (const text of lines) {
    sheet.need(size * LINE_HEIGHT_FACTOR);
    sheet.add({ kind: "text", x: PAGE_MARGIN, y: sheet.y + size, size, weight, ink, text });
    sheet.y += size * LINE_HEIGHT_FACTOR;
  }
}

/** Lays out the parties side by side. */
export function layOutParties(sheet: PrintoutPages, { parties }: BlockWithKind<"parties">, measure: MeasureText): void {
  const width = (sheet.page.contentWidth - 24 * (parties.length - 1)) / Math.max(1, parties.length);
  const columns = parties.map(({ title, lines }, at) => {
    const x = PAGE_MARGIN + at * (width + 24);
    let y = 8;
    const marks: PageMark[] = [{ kind: "text", x, y, size: LABEL_SIZE, weight: "strong", ink: "brand", text: title }];
    lines.forEach((line, index) => {
      const weight: FontWeight = index === 0 ? "strong" : "regular";
      for (const part of wrapText(measure, line, width, BODY_FONT_SIZE + 0.5, weight)) {
        y += 13;
        marks.push({ kind: "text", x, y, size: BODY_FONT_SIZE + 0.5, weight, ink: "ink", text: part });
      }
    });
    return { marks, height: y };
  });
  const height = Math.max(0, ...columns.map((column) => column.height));
  sheet.need(height + 20);
  const at = sheet.y;
  for (const { marks } of columns)
    sheet.add(...marks.map((mark) => ("y" in mark ? { ...mark, y: mark.y + at } : mark)));
  sheet.y += height + 20;
}

/** Lays out labels and values, two per row if they are short. */
export function layOutLabelledValues(
  sheet: PrintoutPages,
  { facts }: BlockWithKind<"facts">,
  measure: MeasureText,
): void {
  const half = (sheet.page.contentWidth - 24) / 2;
  const labels = Math.min(
    half * 0.48,
    Math.max(0, ...facts.map(({ label }) => measure(label, BODY_FONT_SIZE, "regular"))) + 10,
  );
  const isShort = ({ value }: PrintoutLabelledValue) => measure(value, BODY_FONT_SIZE, "strong") <= half - labels;
  for (let at = 0; at < facts.length; ) {
    const [fact, other] = [facts[at], facts[at + 1]];
    if (!fact) break;
    const pair = other && isShort(fact) && isShort(other) ? [fact, other] : [fact];
    const width = pair.length === 2 ? half : sheet.page.contentWidth;
    const cells = pair.map((fact) => ({
      label: wrapText(measure, fact.label, labels - 8, BODY_FONT_SIZE),
      value: wrapText(measure, fact.value, width - labels, BODY_FONT_SIZE, "strong"),
    }));
    const height = Math.max(...cells.flatMap(({ label, value }) => [label.length, value.length])) * FACT_LINE + 3;
    sheet.need(height);
    cells.forEach(({ label, value }, index) => {
      const x = PAGE_MARGIN + index * (half + 24);
      const y = sheet.y + BODY_FONT_SIZE;
      const marks = (lines: readonly string[], startX: number, weight: FontWeight, ink: "soft" | "ink"): PageMark[] =>
        lines.map((text, line) => ({
          kind: "text",
          x: startX,
          y: y + line * FACT_LINE,
          size: BODY_FONT_SIZE,
          weight,
          ink,
          text,
        }));
      sheet.add(...marks(label, x, "regular", "soft"), ...marks(value, x + labels, "strong", "ink"));
    });
    sheet.y += height;
    at += pair.length;
  }
  sheet.y += 7;
}

const getRowHeight = (isStrong: boolean) => (isStrong ? 21 : 14);

/** Returns the height of sums in points. */
export function getSumsHeight({ sums }: BlockWithKind<"sums">): number {
  return sums.reduce((height, { isStrong }) => height + getRowHeight(isStrong), 10);
}

/** Lays out the sums on the right. Strong ones have a line above. */
export function layOutSums(sheet: PrintoutPages, block: BlockWithKind<"sums">, measure: MeasureText): void {
  const { sums } = block;
  const width = 250;
  const startX = sheet.page.right - width;
  sheet.need(getSumsHeight(block));
  for (const { label, value, isStrong } of sums) {
    const weight = isStrong ? "strong" : "regular";
    const size = isStrong ? 11 : BODY_FONT_SIZE;
    if (isStrong) sheet.add({ kind: "line", x: startX, toX: sheet.page.right, y: sheet.y + 2, ink: "brand", width: 1 });
    const y = sheet.y + (isStrong ? 16 : 10);
    const right = sheet.page.right - 5;
    const remainingWidth = width - 20 - measure(value, size, weight);
    const [text = ""] = wrapText(measure, label, remainingWidth, size, weight);
    sheet.add(
      { kind: "text", x: startX + 5, y, size, weight, ink: isStrong ? "ink" : "soft", text },
      alignTextRight(measure, { x: right, y, size, weight, ink: "ink", text: value }),
    );
    sheet.y += getRowHeight(isStrong);
  }
  sheet.y += 12;
}

/** 34 mm, between the required 30 and 40 for scanning. */
const RECORD_SIDE = 96;

/** Lays out a legally required code with the texts above and below. */
export function layOutTaxQrCode(
  sheet: PrintoutPages,
  { address, above, below }: BlockWithKind<"record">,
  measure: MeasureText,
): void {
  const text = { size: BODY_FONT_SIZE, weight: "regular", ink: "ink" } as const;
  sheet.need(RECORD_SIDE + 52);
  layLines(sheet, wrapText(measure, above, sheet.page.contentWidth, BODY_FONT_SIZE), text);
  sheet.add(...createQrCodeMarks(address, { x: PAGE_MARGIN, y: sheet.y + 8, side: RECORD_SIDE }));
  sheet.y += RECORD_SIDE + 16;
  layLines(sheet, wrapText(measure, below, sheet.page.contentWidth, BODY_FONT_SIZE), text);
  sheet.y += 10;
}
