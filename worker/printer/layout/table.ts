import type { PrintoutBlock, TableColumn } from "#domain/printing/printout.ts";
import { alignTextRight, BODY_FONT_SIZE, LINE_HEIGHT_FACTOR, type MeasureText, type PageMark } from "./marks.ts";
import { PAGE_MARGIN } from "./page-size.ts";
import type { PrintoutPages } from "./printout-pages.ts";
import { wrapText } from "./wrap.ts";

type Table = Extract<PrintoutBlock, { kind: "table" }>;

const PADDING = 5;
const GAP = 14;
const HEAD_SIZE = 7.5;
const HEAD_HEIGHT = 20;
const CARRY_HEIGHT = 17;

interface Placed {
  readonly column: TableColumn;
  readonly x: number;
  readonly width: number;
}

/** Label for sums carried over to the next page, and the height that must stay on the page of the table's last row. */
interface Following {
  readonly carriedOver: string;
  readonly height: number;
}

/**
 * Lays out a table over several pages. Each page repeats the header. Subtotals appear at the end of a page and at the
 * start of the next.
 */
export function layOutTable(sheet: PrintoutPages, table: Table, measure: MeasureText, following: Following): void {
  const { carriedOver } = following;
  const columns = placeColumns(table, measure, sheet.page.contentWidth);
  sheet.need(HEAD_HEIGHT + 30 + (table.rows.length === 1 ? following.height : 0));
  layHead(sheet, columns, measure);
  table.rows.forEach((row, index) => {
    const cells = columns.map(({ width }, at) => wrapText(measure, row[at] ?? "", width));
    const height =
      Math.max(...cells.map(({ length }) => length)) * BODY_FONT_SIZE * LINE_HEIGHT_FACTOR + 2 * PADDING - 2;
    const isLast = index === table.rows.length - 1;
    const carried = table.carried?.[index - 1];
    const carryHeight = table.carried ? CARRY_HEIGHT : 0;
    const below = isLast ? following.height : carryHeight;
    if (!sheet.hasRoom(height + below)) {
      if (carried !== undefined) layCarried(sheet, carriedOver, carried, measure);
      sheet.turn();
      layHead(sheet, columns, measure);
      if (carried !== undefined) layCarried(sheet, carriedOver, carried, measure);
    }
    layRow(sheet, columns, cells, measure);
    sheet.y += height;
    sheet.add({ kind: "line", x: PAGE_MARGIN, toX: sheet.page.right, y: sheet.y, ink: "rule", width: 0.5 });
  });
  sheet.y += 10;
}

// Number columns get the width of their widest value, within 70 %. The first text column gets what the other columns
// leave, at least 30 %.
function placeColumns({ columns, rows }: Table, measure: MeasureText, contentWidth: number): readonly Placed[] {
  const requiredWidths = columns.map(({ title }, at) =>
    Math.max(
      measure(title, HEAD_SIZE, "strong"),
      ...rows.map((row) => measure(row[at] ?? "", BODY_FONT_SIZE, "regular")),
    ),
  );
  const first = columns.findIndex(({ align }) => align === "left");
  const availableWidth = contentWidth - 2 * PADDING - GAP * (columns.length - 1);
  const isText = (at: number) => at !== first && columns[at]?.align === "left";
  const sumWhere = (isMeant: (at: number) => boolean) =>
    requiredWidths.reduce((sum, width, at) => sum + (isMeant(at) ? width : 0), 0);
  const otherWidth = availableWidth * 0.7;
  const requiredNumbers = sumWhere((at) => columns[at]?.align === "right");
  const numbers = Math.min(requiredNumbers, otherWidth);
  const numberScale = numbers / Math.max(1, requiredNumbers);
  const texts = sumWhere(isText);
  const scale = Math.min(1, (otherWidth - numbers) / Math.max(1, texts));
  const widths = requiredWidths.map((width, at) => {
    if (at === first) return availableWidth - numbers - texts * scale;
    return width * (isText(at) ? scale : numberScale);
  });
  let x = PAGE_MARGIN + PADDING;
  return columns.map((column, at) => {
    const placed = { column, x, width: widths[at] ?? 0 };
    x += placed.width + GAP;
    return placed;
  });
}

function layHead(sheet: PrintoutPages, columns: readonly Placed[], measure: MeasureText): void {
  sheet.add({
    kind: "box",
    x: PAGE_MARGIN,
    y: sheet.y,
    width: sheet.page.contentWidth,
    height: HEAD_HEIGHT,
    radius: 3,
    fill: "tint",
    stroke: undefined,
  });
  const y = sheet.y + 13;
  sheet.add(
    ...columns.map((placed) => cellText(placed, placed.column.title, { y, size: HEAD_SIZE, isHead: true }, measure)),
  );
  sheet.y += HEAD_HEIGHT;
}

function layRow(
  sheet: PrintoutPages,
  columns: readonly Placed[],
  cells: readonly string[][],
  measure: MeasureText,
): void {
  columns.forEach((placed, at) => {
    (cells[at] ?? []).forEach((line, index) => {
      const y = sheet.y + PADDING + BODY_FONT_SIZE - 1 + index * BODY_FONT_SIZE * LINE_HEIGHT_FACTOR;
      sheet.add(cellText(placed, line, { y, size: BODY_FONT_SIZE, isHead: false }, measure));
    });
  });
}

function cellText(
  { column, x, width }: Placed,
  text: string,
  { y, size, isHead }: { readonly y: number; readonly size: number; readonly isHead: boolean },
  measure: MeasureText,
): PageMark {
  const common = { y, size, weight: isHead ? "strong" : "regular", ink: isHead ? "soft" : "ink", text } as const;
  return column.align === "left"
    ? { kind: "text", ...common, x }
    : alignTextRight(measure, { ...common, x: x + width });
}

function layCarried(sheet: PrintoutPages, label: string, amount: string, measure: MeasureText): void {
  const y = sheet.y + 11.5;
  const common = { y, size: BODY_FONT_SIZE, weight: "strong", ink: "soft" } as const;
  sheet.add(
    { kind: "text", ...common, x: PAGE_MARGIN + PADDING, text: label },
    alignTextRight(measure, { ...common, x: sheet.page.right - PADDING, text: amount }),
  );
  sheet.y += CARRY_HEIGHT;
  sheet.add({ kind: "line", x: PAGE_MARGIN, toX: sheet.page.right, y: sheet.y, ink: "rule", width: 0.5 });
}
