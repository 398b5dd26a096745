import type { PrintedImage } from "#domain/printing/printout.ts";

export type FontWeight = "regular" | "strong";
/** Role of a colour on a printed page. `rule`: lines. `tint`: backgrounds. */
export type InkColor = "ink" | "soft" | "rule" | "tint" | "brand" | "page" | "alarm";

/** Mark at a position in points from the page's upper left corner. A text's `y` is its baseline. */
export type PageMark =
  | {
      readonly kind: "text";
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly weight: FontWeight;
      readonly ink: InkColor;
      readonly text: string;
    }
  | {
      readonly kind: "line";
      readonly x: number;
      readonly y: number;
      readonly toX: number;
      readonly ink: InkColor;
      readonly width: number;
    }
  | {
      readonly kind: "box";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
      readonly fill: InkColor | undefined;
      readonly stroke: InkColor | undefined;
    }
  | {
      readonly kind: "image";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly image: PrintedImage;
    }
  /** Text across the whole page. */
  | { readonly kind: "stamp"; readonly text: string; readonly size: number };

/** Measures a text's width in points. */
export type MeasureText = (text: string, size: number, weight: FontWeight) => number;

export const BODY_FONT_SIZE = 9;
export const SMALL_FONT_SIZE = 7.5;
/** Size of conditions. A consumer contract requires letters of at least 2.5 mm, 1.15 mm between lines, and contrast. */
export const SMALL_PRINT_FONT_SIZE = 8.5;
/** Line height relative to the text size. */
export const LINE_HEIGHT_FACTOR = 1.45;

/** Returns a text with its right edge at `x`. */
export function alignTextRight(
  measure: MeasureText,
  text: Omit<Extract<PageMark, { kind: "text" }>, "kind">,
): PageMark {
  return { kind: "text", ...text, x: text.x - measure(text.text, text.size, text.weight) };
}
