import type { PDFDocument, PDFFont } from "@cantoo/pdf-lib";
import type { FontWeight, MeasureText } from "../layout/marks.ts";
import { PrintoutTooLongError } from "../layout/too-long.ts";
import { DIRECTION_CONTROLS, type DirectedText, reverseRightToLeft, splitIntoDirectedTexts } from "./direction.ts";
import { type LoadedFont, readFont } from "./read-font.ts";
import { findPageScripts, listScriptFontNames, type ScriptFontName } from "./scripts.ts";

/** Font files: the document font in two weights. Fonts of other scripts are read on demand. */
export interface FontFiles extends Readonly<Record<FontWeight, Uint8Array>> {
  readonly read: (name: ScriptFontName) => Promise<Uint8Array>;
}

/** Font with complex layout: joined letters and positioned accents. Single weight. */
interface OtherScript {
  readonly pdf: PDFFont;
  readonly font: LoadedFont;
}

/** Part of a line in one font, in drawing order from left to right. */
export type FontRun =
  | { readonly kind: "own"; readonly text: string; readonly font: PDFFont }
  | { readonly kind: "other"; readonly text: string; readonly script: OtherScript };

/** Longer texts don't repeat. */
const MAX_CACHED_LENGTH = 200;
/** Limits the memory of hostile texts. */
const MAX_CACHED_WIDTHS = 20_000;
/** Each part of a line takes about a kilobyte of memory. Honest lines have one to three. */
const MAX_DRAWN_RUNS = 40_000;
/** Letters laid out in other scripts. Each takes about 10 µs, and one of Hangul 100 µs. */
const MAX_OTHER_LETTERS = 100_000;
/** Time of a part of a line with several, in letters. More parts than an honest line has take more. */
const PART_COST = 1;
const HONEST_PARTS = 8;
const SMALL_PART_COST = 25;

// Accents and joiners belong to the preceding letter.
const GOES_WITH_LETTER = /[\p{M}\u200c\u200d]/u;

/** Fonts embedded in a PDF file. Other fonts are only embedded for scripts that the text contains. */
export class Fonts {
  readonly #own: Readonly<Record<FontWeight, PDFFont>>;
  /** Font by letter, for letters missing in the document font. */
  readonly #others: ReadonlyMap<string, OtherScript>;
  // Cache of widths. A contract repeats its words, and font layout is slow.
  readonly #widths = new Map<string, number>();
  #drawnRuns = 0;
  #otherLetters = 0;

  private constructor(own: Readonly<Record<FontWeight, PDFFont>>, others: ReadonlyMap<string, OtherScript>) {
    this.#own = own;
    this.#others = others;
  }

  /** Embeds the fonts for a document of a company in `country`. */
  static async embed(
    pdf: PDFDocument,
    files: FontFiles,
    { letters, country }: { readonly letters: ReadonlySet<string>; readonly country: string },
  ): Promise<Fonts> {
    let read: LoadedFont | undefined;
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
    const embedded = new Map<ScriptFontName, OtherScript>();
    const others = new Map<string, OtherScript>();
    const page = findPageScripts(letters);
    for (const letter of letters) {
      if (has(regular.font, letter)) continue;
      for (const name of listScriptFontNames(letter, page, country)) {
        const script = embedded.get(name) ?? (await embed(await files.read(name)));
        embedded.set(name, script);
        if (!has(script.font, letter)) continue;
        others.set(letter, script);
        break;
      }
    }
    return new Fonts(own, others);
  }

  /** Splits a line into runs with a suitable font each, from left to right. */
  runsOf(text: string, weight: FontWeight): readonly FontRun[] {
    // Compose letter and accent. A separate accent would be drawn behind its letter.
    const line = text.normalize("NFC");
    if (this.#others.size === 0)
      return [{ kind: "own", text: line.replace(DIRECTION_CONTROLS, ""), font: this.#own[weight] }];
    return splitIntoDirectedTexts(line).flatMap((part) => this.#runsIn(part, weight));
  }

  #runsIn({ text, isRightToLeft }: DirectedText, weight: FontWeight): readonly FontRun[] {
    const parts: { text: string; script: OtherScript | undefined }[] = [];
    const letters = Array.from(text);
    letters.forEach((letter, at) => {
      const last = parts.at(-1);
      const script = this.#scriptAt(letters, at, last?.script);
      if (last && last.script === script) last.text += letter;
      else parts.push({ text: letter, script });
    });
    const runs = parts.map(({ text: partText, script }): FontRun => {
      if (script) return { kind: "other", text: partText, script };
      return { kind: "own", text: isRightToLeft ? reverseRightToLeft(partText) : partText, font: this.#own[weight] };
    });
    return isRightToLeft ? runs.reverse() : runs;
  }

  // Returns the font of a letter. A space between words of one script gets their font, so that search finds the words
  // as one text.
  #scriptAt(letters: readonly string[], at: number, before: OtherScript | undefined): OtherScript | undefined {
    const letter = letters[at] ?? "";
    if (before && GOES_WITH_LETTER.test(letter)) return before;
    if (before && letter === " " && this.#others.get(letters[at + 1] ?? "") === before) return before;
    return this.#others.get(letter);
  }

  /** Like `runsOf`, for a line that is drawn. Throws `PrintoutTooLongError` beyond the limit of a printout. */
  takeRuns(text: string, weight: FontWeight): readonly FontRun[] {
    const runs = this.runsOf(text, weight);
    this.#drawnRuns += runs.length;
    this.#countOtherLetters(runs);
    if (this.#drawnRuns > MAX_DRAWN_RUNS) throw new PrintoutTooLongError("drawn texts");
    return runs;
  }

  readonly measure: MeasureText = (text, size, weight = "regular") => {
    const key = `${weight}${text}`;
    const known = this.#widths.get(key);
    const width = known ?? this.#measureRuns(this.runsOf(text, weight), weight);
    if (known === undefined) this.#remember(key, width);
    return (width * size) / 1000;
  };

  #measureRuns(runs: readonly FontRun[], weight: FontWeight): number {
    this.#countOtherLetters(runs);
    return runs.reduce(
      (sum, run) => sum + (run.kind === "own" ? this.#measureOwn(run, weight) : measureFontRun(run)),
      0,
    );
  }

  #countOtherLetters(runs: readonly FontRun[]): void {
    if (runs.length > 1) this.#otherLetters += runs.length * (runs.length > HONEST_PARTS ? SMALL_PART_COST : PART_COST);
    for (const { kind, text } of runs) if (kind === "other") this.#otherLetters += text.length;
    if (this.#otherLetters > MAX_OTHER_LETTERS) throw new PrintoutTooLongError("letters of other scripts");
  }

  // The document font has no joined words, so a line's width is the sum of its words.
  #measureOwn({ text, font }: Extract<FontRun, { kind: "own" }>, weight: FontWeight): number {
    const words = text.split(" ");
    return words.reduce(
      (sum, word) => sum + this.#measureWord(word, font, weight),
      (words.length - 1) * this.#measureWord(" ", font, weight),
    );
  }

  #measureWord(word: string, font: PDFFont, weight: FontWeight): number {
    const key = `${weight}${word}`;
    const known = this.#widths.get(key);
    const width = known ?? font.widthOfTextAtSize(word, 1000);
    if (known === undefined) this.#remember(key, width);
    return width;
  }

  #remember(key: string, width: number): void {
    if (key.length <= MAX_CACHED_LENGTH && this.#widths.size < MAX_CACHED_WIDTHS) this.#widths.set(key, width);
  }
}

/** Returns a run's width in thousandths of its size. */
export function measureFontRun(run: FontRun): number {
  if (run.kind === "own") return run.font.widthOfTextAtSize(run.text, 1000);
  return layOutGlyphs(run).reduce((sum, { advance }) => sum + advance, 0);
}

/** Glyph with its position, in thousandths of the size. */
export interface PlacedGlyph {
  /** Distance to the next glyph. Zero for an accent. */
  readonly advance: number;
  /** Width of the glyph alone. */
  readonly width: number;
  /** Offset from the writing position. */
  readonly dx: number;
  readonly dy: number;
  /** Text for search. */
  readonly letters: string;
}

/** Returns the glyphs of a run from left to right, as joined and placed by its font. */
export function layOutGlyphs({ text, script: { font } }: Extract<FontRun, { kind: "other" }>): readonly PlacedGlyph[] {
  const { glyphs, positions } = font.layout(text);
  const scale = 1000 / font.unitsPerEm;
  return glyphs.map((glyph, index) => {
    const { xAdvance = glyph.advanceWidth, xOffset = 0, yOffset = 0 } = positions?.[index] ?? {};
    return {
      advance: xAdvance * scale,
      width: glyph.advanceWidth * scale,
      dx: xOffset * scale,
      dy: yOffset * scale,
      letters: String.fromCodePoint(...glyph.codePoints),
    };
  });
}

const has = (font: LoadedFont, letter: string): boolean => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
