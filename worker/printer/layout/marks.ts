import type { PrintedImage } from "#domain/printing/printout.ts";

export type Weight = "regular" | "strong";
export type Ink = "ink" | "soft" | "rule" | "tint" | "brand" | "paper" | "alarm";

/** Something at a place of a page: points from its upper left corner; a text stands on its `y`. */
export type Mark =
  | {
      readonly kind: "text";
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly weight: Weight;
      readonly ink: Ink;
      readonly text: string;
    }
  | {
      readonly kind: "line";
      readonly x: number;
      readonly y: number;
      readonly toX: number;
      readonly ink: Ink;
      readonly width: number;
    }
  | {
      readonly kind: "box";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
      readonly fill: Ink | undefined;
      readonly stroke: Ink | undefined;
    }
  | {
      readonly kind: "image";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly image: PrintedImage;
    }
  /** Across the whole page. */
  | { readonly kind: "stamp"; readonly text: string; readonly size: number };

/** How wide a text is, in points. */
export type Measure = (text: string, size: number, weight: Weight) => number;

export const BODY = 9;
export const SMALL = 7.5;
/** Conditions: a consumer's contract has letters of 2.5 mm at least, 1.15 mm between its lines, and contrast. */
export const SMALL_PRINT = 8.5;
/** From one line of text to the next. */
export const LEADING = 1.45;

/** A text whose right edge is at `x`. */
export function textToRight(measure: Measure, text: Omit<Extract<Mark, { kind: "text" }>, "kind">): Mark {
  return { kind: "text", ...text, x: text.x - measure(text.text, text.size, text.weight) };
}
