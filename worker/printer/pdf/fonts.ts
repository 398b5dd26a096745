// The fonts' library asks for it where it shapes the scripts of India, and does not bring it.
import "regenerator-runtime/runtime.js";
import type { PDFDocument, PDFFont } from "pdf-lib";
import type { Measure, Weight } from "../layout/marks.ts";
import { CONTROLS, type Directed, directedParts, turnedRound } from "./direction.ts";
import { type Font, readFont } from "./read-font.ts";
import { fontsFor, type OtherFont } from "./scripts.ts";

/** The fonts as files: the papers' own in two weights; one of another script is read where it is needed. */
export interface FontFiles extends Readonly<Record<Weight, Uint8Array>> {
  readonly read: (name: OtherFont) => Promise<Uint8Array>;
}

/** A font that lays out what it writes: letters that join, accents over them. It has one weight alone. */
interface OtherScript {
  readonly pdf: PDFFont;
  readonly font: Font;
}

/** A part of a line in one font, from left to right as it is drawn. */
export type Run =
  | { readonly kind: "own"; readonly text: string; readonly font: PDFFont }
  | { readonly kind: "other"; readonly text: string; readonly script: OtherScript };

// An accent, and what joins two letters or keeps them apart, is of the letter before it.
const GOES_WITH_LETTER = /[\p{M}\u200c\u200d]/u;

/** The fonts of a file: those of the scripts that it has letters of alone. */
export class Fonts {
  readonly #own: Readonly<Record<Weight, PDFFont>>;
  /** Of each letter that the papers' own font has not. */
  readonly #others: ReadonlyMap<string, OtherScript>;
  // A word is measured once: a contract repeats its words, and a font is slow to lay them out.
  readonly #widths = new Map<string, number>();

  private constructor(own: Readonly<Record<Weight, PDFFont>>, others: ReadonlyMap<string, OtherScript>) {
    this.#own = own;
    this.#others = others;
  }

  /** Embeds what a paper of a company in `country` is written with. */
  static async embed(
    pdf: PDFDocument,
    files: FontFiles,
    { text, country }: { readonly text: string; readonly country: string },
  ): Promise<Fonts> {
    let read: Font | undefined;
    pdf.registerFontkit({
      create: (bytes) => {
        read = readFont(bytes);
        return read;
      },
    });
    const embed = async (bytes: Uint8Array) => {
      const font = await pdf.embedFont(bytes, { subset: true });
      if (!read) throw new Error("The document did not read the font.");
      return { pdf: font, font: read };
    };
    const regular = await embed(files.regular);
    const own = { regular: regular.pdf, strong: (await embed(files.strong)).pdf };
    const embedded = new Map<OtherFont, OtherScript>();
    const others = new Map<string, OtherScript>();
    const paper = text.normalize("NFC");
    for (const letter of new Set(paper)) {
      if (has(regular.font, letter)) continue;
      for (const name of fontsFor(letter, paper, country)) {
        const script = embedded.get(name) ?? (await embed(await files.read(name)));
        embedded.set(name, script);
        if (!has(script.font, letter)) continue;
        others.set(letter, script);
        break;
      }
    }
    return new Fonts(own, others);
  }

  /** A line in the parts that a font each has the letters of, from left to right. */
  runsOf(written: string, weight: Weight): readonly Run[] {
    // A letter and its accent are one: the accent alone would stand behind its letter.
    const line = written.normalize("NFC");
    if (this.#others.size === 0) return [{ kind: "own", text: line.replace(CONTROLS, ""), font: this.#own[weight] }];
    return directedParts(line).flatMap((part) => this.#runsIn(part, weight));
  }

  #runsIn({ text, isFromRight }: Directed, weight: Weight): readonly Run[] {
    const parts: { text: string; script: OtherScript | undefined }[] = [];
    const letters = Array.from(text);
    letters.forEach((letter, at) => {
      const last = parts.at(-1);
      const script = this.#scriptAt(letters, at, last?.script);
      if (last && last.script === script) last.text += letter;
      else parts.push({ text: letter, script });
    });
    const runs = parts.map(({ text: partText, script }): Run => {
      if (script) return { kind: "other", text: partText, script };
      return { kind: "own", text: isFromRight ? turnedRound(partText) : partText, font: this.#own[weight] };
    });
    return isFromRight ? runs.reverse() : runs;
  }

  // Two words of a script are one text with the space between them: so they are searched for.
  #scriptAt(letters: readonly string[], at: number, before: OtherScript | undefined): OtherScript | undefined {
    const letter = letters[at] ?? "";
    if (before && GOES_WITH_LETTER.test(letter)) return before;
    if (before && letter === " " && this.#others.get(letters[at + 1] ?? "") === before) return before;
    return this.#others.get(letter);
  }

  readonly measure: Measure = (text, size, weight = "regular") => {
    const key = `${weight}${text}`;
    const known = this.#widths.get(key);
    const width = known ?? this.runsOf(text, weight).reduce((sum, run) => sum + measureRun(run), 0);
    if (known === undefined) this.#widths.set(key, width);
    return (width * size) / 1000;
  };
}

/** How wide a run is, in thousandths of its size. */
export function measureRun(run: Run): number {
  if (run.kind === "own") return run.font.widthOfTextAtSize(run.text, 1000);
  return layOutGlyphs(run).reduce((sum, { advance }) => sum + advance, 0);
}

/** A shape with its place, in thousandths of the size. */
export interface PlacedGlyph {
  /** From where it is written to where the next is; of an accent nothing. */
  readonly advance: number;
  /** How wide it is by itself. */
  readonly width: number;
  /** How far it stands from where it is written. */
  readonly dx: number;
  readonly dy: number;
  /** What it is searched for. */
  readonly letters: string;
}

/** The shapes of a run from left to right, as its font joins and places them. */
export function layOutGlyphs({ text, script: { font } }: Extract<Run, { kind: "other" }>): readonly PlacedGlyph[] {
  const { glyphs, positions } = font.layout(text);
  const scale = 1000 / font.unitsPerEm;
  return glyphs.map((glyph, index) => {
    const { xAdvance = glyph.advanceWidth, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    return {
      advance: xAdvance * scale,
      width: glyph.advanceWidth * scale,
      dx: xOffset * scale,
      dy: yOffset * scale,
      letters: String.fromCodePoint(...glyph.codePoints),
    };
  });
}

const has = (font: Font, letter: string): boolean => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
