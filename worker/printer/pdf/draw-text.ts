import {
  beginText,
  type Color,
  endText,
  PDFHexString,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  setFillingColor,
  setFontAndSize,
  setLineWidth,
  setStrokingColor,
  setTextMatrix,
  setTextRenderingMode,
  setTextRise,
  TextRenderingMode,
} from "@cantoo/pdf-lib";
import { isRightToLeft } from "#domain/text-direction.ts";
import type { FontWeight } from "../layout/marks.ts";
import { type FontRun, type Fonts, layOutGlyphs, measureFontRun, type PlacedGlyph } from "./fonts.ts";

/** Line of text with its left end on the page, measured from the bottom. */
export interface PdfTextLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly weight: FontWeight;
  readonly color: Color;
}

/** Outline width of a bold letter relative to its size. Matches the weight of the document font. */
const STRONG_OUTLINE = 0.03;

/** Draws a line, each part in a font that contains its letters. */
export function drawTextLine(page: PDFPage, fonts: Fonts, line: PdfTextLine): void {
  const { y, size, color } = line;
  let { x } = line;
  const runs = fonts.takeRuns(line.text, line.weight);
  for (const [index, run] of runs.entries()) {
    if (run.kind === "other") drawShaped(page, run, { ...line, x });
    else if (run.text) page.drawText(run.text, { x, y, size, font: run.font, color });
    if (index < runs.length - 1) x += (measureFontRun(run) * size) / 1000;
  }
}

// Fonts of other scripts have a single weight. Bold text also draws the outlines.
function drawShaped(page: PDFPage, run: Extract<FontRun, { kind: "other" }>, line: PdfTextLine): void {
  const { size, weight, color } = line;
  const glyphs = layOutGlyphs(run);
  const font = page.node.newFontDictionary(run.script.pdf.name, run.script.pdf.ref);
  const codes = run.script.pdf.encodeText(run.text).asString();
  const needsActualText = glyphs.map(({ letters }) => letters).join("") !== run.text && !isRightToLeft(run.text);
  page.pushOperators(
    pushGraphicsState(),
    ...(needsActualText ? [beginActualText(run.text)] : []),
    beginText(),
    setFillingColor(color),
    ...(weight === "strong"
      ? [
          setStrokingColor(color),
          setLineWidth(size * STRONG_OUTLINE),
          setTextRenderingMode(TextRenderingMode.FillAndOutline),
        ]
      : []),
    setFontAndSize(font, size),
    setTextMatrix(1, 0, 0, 1, line.x, line.y),
    ...showGlyphs(glyphs, codes, size),
    endText(),
    ...(needsActualText ? [PDFOperator.of(PDFOperatorNames.EndMarkedContent)] : []),
    popGraphicsState(),
  );
}

// Draws a run as one text object, so that search in the file finds it. Adds the gaps between glyphs and raises glyphs
// where needed.
function showGlyphs(glyphs: readonly PlacedGlyph[], codes: string, size: number): readonly PDFOperator[] {
  const texts: { dy: number; operatorText: string }[] = [];
  let gap = 0;
  glyphs.forEach(({ advance, width, dx, dy }, index) => {
    const code = codes.slice(index * 4, index * 4 + 4);
    const before = round(gap + dx);
    const glyphOperator = `${before === 0 ? "" : -before}<${code}>`;
    const last = texts.at(-1);
    if (last?.dy === dy) last.operatorText += glyphOperator;
    else texts.push({ dy, operatorText: glyphOperator });
    gap = advance - width - dx;
  });
  const isLevel = texts.every(({ dy }) => dy === 0);
  return texts.flatMap(({ dy, operatorText }) => [
    ...(isLevel ? [] : [setTextRise(round((dy * size) / 1000))]),
    PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [`[${operatorText.replaceAll("><", "")}]`]),
  ]);
}

const round = (number: number) => Math.round(number * 1000) / 1000;

// Marks drawn glyphs with the typed text (ActualText), because a font may split or reorder a letter's glyphs.
function beginActualText(text: string): PDFOperator {
  const properties = `<</ActualText ${PDFHexString.fromText(text).toString()}>>`;
  return PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, ["/Span", properties]);
}
