import fontkit from "@pdf-lib/fontkit";
import type { PDFDocument, PDFFont } from "pdf-lib";
import type { Measure, Weight } from "../layout/marks.ts";

/** Scripts that the font of the papers has no letters of. */
const SCRIPTS = {
  georgian: /\p{Script=Georgian}/u,
  armenian: /\p{Script=Armenian}/u,
} as const;
type Script = keyof typeof SCRIPTS;
const OTHER = /([\p{Script=Georgian}\p{Script=Armenian}]+)/u;
const NAMES = Object.keys(SCRIPTS) as readonly Script[];

/** The fonts as files: the papers' own in two weights, and one of each other script. */
export type FontFiles = Readonly<Record<Weight | Script, Uint8Array>>;

/** A part of a text in one font. */
interface Run {
  readonly text: string;
  readonly font: PDFFont;
  /** It has one weight alone: where it is to be strong, its outlines are drawn as well. */
  readonly isOther: boolean;
}

/** The fonts of a file: those of the scripts that it has letters of alone. */
export class Fonts {
  readonly #own: Readonly<Record<Weight, PDFFont>>;
  readonly #others: ReadonlyMap<Script, PDFFont>;
  // A word is measured once: a contract repeats its words, and a font is slow to lay them out.
  readonly #widths = new Map<string, number>();

  private constructor(own: Readonly<Record<Weight, PDFFont>>, others: ReadonlyMap<Script, PDFFont>) {
    this.#own = own;
    this.#others = others;
  }

  /** Embeds what a text is written with. */
  static async embed(pdf: PDFDocument, files: FontFiles, text: string): Promise<Fonts> {
    pdf.registerFontkit({ create: readFont });
    const embed = (bytes: Uint8Array) => pdf.embedFont(bytes, { subset: true });
    const own = { regular: await embed(files.regular), strong: await embed(files.strong) };
    const others = new Map<Script, PDFFont>();
    for (const script of NAMES) if (SCRIPTS[script].test(text)) others.set(script, await embed(files[script]));
    return new Fonts(own, others);
  }

  /** A text in the parts that a font each has the letters of. */
  runsOf(written: string, weight: Weight): readonly Run[] {
    // A letter and its accent are one: the accent alone would stand behind its letter.
    const text = written.normalize("NFC");
    if (this.#others.size === 0) return [{ text, font: this.#own[weight], isOther: false }];
    return text.split(OTHER).flatMap((part) => {
      if (part === "") return [];
      const script = NAMES.find((name) => SCRIPTS[name].test(part));
      const other = script && this.#others.get(script);
      return [{ text: part, font: other ?? this.#own[weight], isOther: other !== undefined }];
    });
  }

  readonly measure: Measure = (text, size, weight = "regular") => {
    const key = `${weight}${text}`;
    const known = this.#widths.get(key);
    const width =
      known ?? this.runsOf(text, weight).reduce((sum, run) => sum + run.font.widthOfTextAtSize(run.text, 1000), 0);
    if (known === undefined) this.#widths.set(key, width);
    return (width * size) / 1000;
  };
}

// What fontkit keeps of a font, which its types do not tell.
type Font = ReturnType<typeof fontkit.create> & { _tables: object };
const tables = new WeakMap<Uint8Array, object>();

// A font's tables are read once in an isolate's life. Its glyphs are each file's own: fontkit keeps with a glyph the
// letter that it was first drawn for, none where it was a part of another (`u` of `ú`), and files say by it what they
// can be searched for.
function readFont(bytes: Uint8Array): Font {
  const font = fontkit.create(bytes) as Font;
  const known = tables.get(bytes);
  if (known) font._tables = known;
  else tables.set(bytes, font._tables);
  return font;
}
