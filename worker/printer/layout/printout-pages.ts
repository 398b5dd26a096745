import type { Printout } from "#domain/printing/printout.ts";
import { getImageSize } from "./image-size.ts";
import { alignTextRight, type MeasureText, type PageMark, SMALL_FONT_SIZE } from "./marks.ts";
import { getPageSize, PAGE_MARGIN, type PageSize } from "./page-size.ts";
import { PrintoutTooLongError } from "./too-long.ts";
import { wrapText } from "./wrap.ts";

const TOP = 40;
const LOGO = { width: 150, height: 46 } as const;
const HEAD_GAP = 24;
const FOOT_LINE = 9.5;

const plain = (text: string) => ({ text, weight: "regular" as const });

/** Maximum number of pages of a printout. The contract of 40 vehicles has about 120. */
export const MAX_PAGES = 200;

/** Maximum number of marks of a page. A page of small print has about 60 lines, a code to scan about 1,000 boxes. */
const MAX_PAGE_MARKS = 5_000;

/** Maximum number of marks of a printout. Each takes about a kilobyte of the printer's memory. */
const MAX_MARKS = 40_000;

/** Pages of a printout, filled from top to bottom. */
export class PrintoutPages {
  readonly pages: PageMark[][] = [];
  /** Distance of the next block from the top of the page, in points. */
  y = 0;
  readonly page: PageSize;
  readonly #measure: MeasureText;
  readonly #printout: Printout;
  readonly #footLines: readonly string[];
  readonly bottom: number;
  #marks = 0;

  constructor(printout: Printout, measure: MeasureText) {
    this.#printout = printout;
    this.#measure = measure;
    this.page = getPageSize(printout.country);
    this.#footLines = printout.letterhead.foot
      ? wrapText(measure, printout.letterhead.foot, this.page.contentWidth - 80, SMALL_FONT_SIZE)
      : [];
    this.bottom = this.page.height - 40 - Math.max(1, this.#footLines.length) * FOOT_LINE - 12;
    this.turn();
  }

  /** Begins another page. Throws `PrintoutTooLongError` beyond the limit, so that no text can exhaust the memory. */
  turn(): void {
    if (this.pages.length === MAX_PAGES) throw new PrintoutTooLongError(`more than ${MAX_PAGES} pages`);
    this.pages.push([]);
    this.y = this.pages.length === 1 ? this.#firstHead() : this.#laterHead();
  }

  /** Adds marks to the page. Throws `PrintoutTooLongError` beyond the limits of a page and of the printout. */
  add(...marks: readonly PageMark[]): void {
    this.#marks += marks.length;
    const page = this.pages.at(-1);
    page?.push(...marks);
    if (this.#marks > MAX_MARKS || (page?.length ?? 0) > MAX_PAGE_MARKS) throw new PrintoutTooLongError("marks");
  }

  /** Whether a height in points fits on the page. */
  hasRoom(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  /** Starts a new page if a height in points doesn't fit. */
  need(height: number): void {
    if (!this.hasRoom(height)) this.turn();
  }

  /** Adds the footers, because the number of pages is only known now. */
  finish(): readonly (readonly PageMark[])[] {
    const { words, stamp } = this.#printout;
    return this.pages.map((marks, index) => {
      const count = words.page.replace("{page}", String(index + 1)).replace("{pages}", String(this.pages.length));
      const y = this.page.height - 40 - (Math.max(1, this.#footLines.length) - 1) * FOOT_LINE;
      const common = { y, size: SMALL_FONT_SIZE, weight: "regular", ink: "soft" } as const;
      const foot: PageMark[] = [
        { kind: "line", x: PAGE_MARGIN, toX: this.page.right, y: y - 13, ink: "rule", width: 0.5 },
        ...this.#footLines.map(
          (text, line): PageMark => ({ kind: "text", ...common, x: PAGE_MARGIN, y: y + line * FOOT_LINE, text }),
        ),
        alignTextRight(this.#measure, { ...common, x: this.page.right, text: count }),
      ];
      return [...(stamp ? [{ kind: "stamp", text: stamp, size: 96 } as const] : []), ...marks, ...foot];
    });
  }

  #firstHead(): number {
    const { letterhead } = this.#printout;
    const size = letterhead.logo && getImageSize(letterhead.logo);
    this.add({
      kind: "box",
      x: 0,
      y: 0,
      width: this.page.width,
      height: 6,
      radius: 0,
      fill: "brand",
      stroke: undefined,
    });
    let topY = TOP;
    if (letterhead.logo && size) {
      const scale = Math.min(LOGO.width / size.width, LOGO.height / size.height);
      const [width, height] = [size.width * scale, size.height * scale];
      this.add({ kind: "image", x: PAGE_MARGIN, y: TOP, width, height, image: letterhead.logo });
      topY += height;
    } else {
      const half = (this.page.contentWidth - HEAD_GAP) / 2;
      for (const [index, text] of wrapText(this.#measure, letterhead.name, half, 16, "strong").entries()) {
        this.add({
          kind: "text",
          x: PAGE_MARGIN,
          y: TOP + 14 + index * 20,
          size: 16,
          weight: "strong",
          ink: "brand",
          text,
        });
        topY += 20;
      }
    }
    const lines = this.#headLines(size !== undefined);
    lines.forEach(({ text, weight }, index) => {
      const ink = weight === "strong" ? "ink" : "soft";
      this.add(
        alignTextRight(this.#measure, { x: this.page.right, y: TOP + 8 + index * 11, size: 8, weight, ink, text }),
      );
    });
    return Math.max(topY, TOP + lines.length * 11) + 26;
  }

  // Returns the lines of the letterhead. The company's name is only among them next to a logo. Without a logo, it's
  // already printed large.
  #headLines(hasLogo: boolean): readonly { readonly text: string; readonly weight: "strong" | "regular" }[] {
    const { name, lines } = this.#printout.letterhead;
    const width = hasLogo ? this.page.contentWidth - LOGO.width - HEAD_GAP : (this.page.contentWidth - HEAD_GAP) / 2;
    const headerLines = [...(hasLogo ? [{ text: name, weight: "strong" as const }] : []), ...lines.map(plain)];
    return headerLines.flatMap(({ text, weight }) =>
      wrapText(this.#measure, text, width, 8, weight).map((line) => ({ text: line, weight })),
    );
  }

  #laterHead(): number {
    const { letterhead, title } = this.#printout;
    const common = { y: TOP, size: SMALL_FONT_SIZE, weight: "regular", ink: "soft" } as const;
    this.add(
      { kind: "box", x: 0, y: 0, width: this.page.width, height: 6, radius: 0, fill: "brand", stroke: undefined },
      { kind: "text", ...common, x: PAGE_MARGIN, text: this.#firstLine(letterhead.name) },
      alignTextRight(this.#measure, { ...common, x: this.page.right, text: this.#firstLine(title) }),
      { kind: "line", x: PAGE_MARGIN, toX: this.page.right, y: TOP + 7, ink: "rule", width: 0.5 },
    );
    return TOP + 26;
  }

  // Shortens a text to one line, because the running header shows the name and the title in one line.
  #firstLine(text: string): string {
    const [first = "", ...others] = wrapText(
      this.#measure,
      text,
      (this.page.contentWidth - HEAD_GAP) / 2,
      SMALL_FONT_SIZE,
    );
    return others.length > 0 ? `${first} …` : first;
  }
}
