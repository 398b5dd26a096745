import { isGlassPart, VEHICLE_OUTLINE_PARTS, VEHICLE_OUTLINE_WHEELS } from "#domain/check-in/vehicle-outline.ts";
import type { PrintedSignature, PrintoutBlock } from "#domain/printing/printout.ts";
import { getImageSize } from "./image-size.ts";
import { BODY_FONT_SIZE, LINE_HEIGHT_FACTOR, type MeasureText, type PageMark, SMALL_FONT_SIZE } from "./marks.ts";
import { PAGE_MARGIN } from "./page-size.ts";
import type { PrintoutPages } from "./printout-pages.ts";
import { wrapText } from "./wrap.ts";

type BlockWithKind<Kind extends PrintoutBlock["kind"]> = Extract<PrintoutBlock, { kind: Kind }>;

/** Points per drawing unit. The drawing is 500 × 1000. */
const SCALE = 0.17;
const DRAWING = { width: 500 * SCALE, height: 1000 * SCALE } as const;
const MARK_RADIUS = 6.5;
/** More marks hide the vehicle, and moving them apart takes cubic time. The legend contains all damages. */
const MAX_DRAWN_MARKS = 100;

/** Lays out the vehicle from above with numbered damages, and the legend next to it. */
export function layOutVehicleDamages(
  sheet: PrintoutPages,
  { marks, legend }: BlockWithKind<"vehicle">,
  measure: MeasureText,
): void {
  const startX = PAGE_MARGIN + DRAWING.width + 28;
  const lines = legend.flatMap((line) => legendLines(line, sheet.page.contentWidth - DRAWING.width - 28, measure));
  sheet.need(DRAWING.height + 12);
  const top = sheet.y;
  sheet.add(...outline(PAGE_MARGIN, top));
  const drawnMarks = marks.slice(0, MAX_DRAWN_MARKS);
  const places = spread(
    drawnMarks.map(({ x, y }) => ({
      x: PAGE_MARGIN + toLength(x, DRAWING.width),
      y: top + toLength(y, DRAWING.height),
    })),
  );
  drawnMarks.forEach((mark, index) => {
    const { x, y } = places[index] ?? { x: PAGE_MARGIN, y: top };
    sheet.add(...numbered(mark, x, y, measure));
  });
  let y = top + BODY_FONT_SIZE;
  for (const [index, { number, text }] of lines.entries()) {
    if (y > sheet.bottom) {
      sheet.turn();
      y = sheet.y + BODY_FONT_SIZE;
    }
    const common = { kind: "text", y, size: BODY_FONT_SIZE } as const;
    if (number) sheet.add({ ...common, x: startX, weight: "strong", ink: "soft", text: number });
    sheet.add({ ...common, x: startX + INDENT, weight: "regular", ink: "ink", text });
    if (index < lines.length - 1) y += BODY_FONT_SIZE * LINE_HEIGHT_FACTOR + 1;
  }
  sheet.y = Math.max(sheet.y === top ? top + DRAWING.height : sheet.y, y) + 12;
}

// A stored text may be older than the check of its places.
const toLength = (thousandths: number, length: number) => (Math.min(1000, Math.max(0, thousandths)) / 1000) * length;

const INDENT = 16;

// Splits `1 Scratch, …`. The number is placed separately before its lines.
function legendLines(line: string, width: number, measure: MeasureText) {
  const [, number = "", rest = line] = /^(\d+) (.*)$/u.exec(line) ?? [];
  return wrapText(measure, rest, width - INDENT, BODY_FONT_SIZE).map((text, index) => ({
    number: index === 0 ? number : "",
    text,
  }));
}

interface Place {
  readonly x: number;
  readonly y: number;
}

// Damages at the same place are moved next to each other, and below if there isn't enough space.
function spread(preferredPlaces: readonly Place[]): readonly Place[] {
  const placed: Place[] = [];
  for (const { x, y } of preferredPlaces) {
    let place = { x, y };
    while (placed.some((other) => touches(other, place))) {
      const right = place.x + MARK_RADIUS * 2;
      const isWithin = right <= PAGE_MARGIN + DRAWING.width + MARK_RADIUS;
      place = isWithin ? { x: right, y: place.y } : { x, y: place.y + MARK_RADIUS * 2 };
    }
    placed.push(place);
  }
  return placed;
}

function touches(place: Place, other: Place): boolean {
  return Math.abs(place.x - other.x) < MARK_RADIUS * 2 && Math.abs(place.y - other.y) < MARK_RADIUS * 2;
}

function numbered(
  { label, isNew }: BlockWithKind<"vehicle">["marks"][number],
  x: number,
  y: number,
  measure: MeasureText,
): PageMark[] {
  const size = 8;
  return [
    {
      kind: "box",
      x: x - MARK_RADIUS,
      y: y - MARK_RADIUS,
      width: MARK_RADIUS * 2,
      height: MARK_RADIUS * 2,
      radius: isNew ? 2 : MARK_RADIUS,
      fill: isNew ? "alarm" : "soft",
      stroke: "page",
    },
    {
      kind: "text",
      x: x - measure(label, size, "strong") / 2,
      y: y + size * 0.36,
      size,
      weight: "strong",
      ink: "page",
      text: label,
    },
  ];
}

function outline(startX: number, top: number): PageMark[] {
  const box = (x: number, y: number, width: number, height: number, radius: number, fill: "page" | "tint" | "soft") =>
    ({
      kind: "box",
      x: startX + x * SCALE,
      y: top + y * SCALE,
      width: width * SCALE,
      height: height * SCALE,
      radius: radius * SCALE,
      fill,
      stroke: fill === "soft" ? undefined : "soft",
    }) as const;
  return [
    ...VEHICLE_OUTLINE_WHEELS.map(([x, y]) => box(x, y, 26, 100, 12, "soft")),
    ...VEHICLE_OUTLINE_PARTS.map(([part, x, y, width, height]) =>
      box(x, y, width, height, 18, isGlassPart(part) ? "tint" : "page"),
    ),
  ];
}

const SIGNATURE = { height: 58, gap: 24 } as const;

/**
 * Lays out signatures, two per row: each with the drawn signature, a line below, and the signer's name with the time.
 */
export function layOutSignatures(
  sheet: PrintoutPages,
  { signatures }: BlockWithKind<"signatures">,
  measure: MeasureText,
): void {
  const width = (sheet.page.contentWidth - SIGNATURE.gap) / 2;
  for (let at = 0; at < signatures.length; at += 2) {
    const row = signatures.slice(at, at + 2);
    const texts = row.map(({ name, detail }) => ({
      name: wrapText(measure, name, width, BODY_FONT_SIZE, "strong"),
      detail: wrapText(measure, detail, width, SMALL_FONT_SIZE),
    }));
    const height =
      SIGNATURE.height + 30 + Math.max(...texts.map(({ name, detail }) => name.length * 11 + detail.length * 10));
    sheet.need(height);
    row.forEach((signature, index) => {
      laySignature(sheet, signature, {
        x: PAGE_MARGIN + index * (width + SIGNATURE.gap),
        width,
        ...(texts[index] ?? { name: [], detail: [] }),
      });
    });
    sheet.y += height;
  }
}

interface SignaturePlace {
  readonly x: number;
  readonly width: number;
  readonly name: readonly string[];
  readonly detail: readonly string[];
}

function laySignature(
  sheet: PrintoutPages,
  { role, image }: PrintedSignature,
  { x, width, name, detail }: SignaturePlace,
): void {
  const base = sheet.y + 12 + SIGNATURE.height;
  const size = image && getImageSize(image);
  sheet.add({ kind: "text", x, y: sheet.y + 8, size: SMALL_FONT_SIZE, weight: "strong", ink: "brand", text: role });
  if (image && size) {
    const scale = Math.min((width - 10) / size.width, (SIGNATURE.height - 6) / size.height);
    const [wide, high] = [size.width * scale, size.height * scale];
    sheet.add({ kind: "image", x: x + 5, y: base - high - 2, width: wide, height: high, image });
  }
  sheet.add(
    { kind: "line", x, toX: x + width, y: base, ink: "soft", width: 0.7 },
    ...name.map((text, line): PageMark => {
      return { kind: "text", x, y: base + 12 + line * 11, size: BODY_FONT_SIZE, weight: "strong", ink: "ink", text };
    }),
    ...detail.map((text, line): PageMark => {
      const y = base + 12 + name.length * 11 + line * 10;
      return { kind: "text", x, y, size: SMALL_FONT_SIZE, weight: "regular", ink: "soft", text };
    }),
  );
}
