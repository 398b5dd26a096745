import { create, type Font as FontkitFont, type Subset as FontkitSubset } from "@cantoo/fontkit";

/** fontkit's font, with members missing in its types. */
export type LoadedFont = FontkitFont & { _tables: object };

/** fontkit's font subset, with members missing in its types. */
type Subset = FontkitSubset & {
  readonly loca?: { version?: number };
  _addGlyph?: (id: number) => number;
};

// Syllables of Hangul have one glyph each, and the space between them has its own. Checking the font's rules for them
// takes ten times as long as for other letters.
const ONLY_HANGUL_WORDS = /^[\uac00-\ud7a3]+(?: [\uac00-\ud7a3]+)*$/;
const SPACE_BETWEEN_SYLLABLES = "가 가";

type GlyphRun = ReturnType<FontkitFont["layout"]>;

const tables = new WeakMap<Uint8Array, object>();

// Reads a font's tables once per isolate. Glyphs are created per file, because fontkit stores the letter that a glyph
// was first drawn for, or none for a component (`u` of `ú`). Files use that letter for search.
export function readFont(bytes: Uint8Array): LoadedFont {
  const font = create(bytes) as LoadedFont;
  const known = tables.get(bytes);
  if (known) font._tables = known;
  else tables.set(bytes, font._tables);
  const [layout, createSubset] = [font.layout.bind(font), font.createSubset.bind(font)];
  const turned = new WeakSet<object>();
  // A text is laid out to place its glyphs, and again by the PDF library to encode them.
  let last: { readonly of: Parameters<typeof layout>; readonly run: ReturnType<typeof layout> } | undefined;
  font.layout = (...layoutArguments) => {
    if (last?.of.every((argument, at) => argument === layoutArguments[at]) && last.of.length >= layoutArguments.length)
      return last.run;
    const [text] = layoutArguments;
    const isHangul = typeof text === "string" && text !== SPACE_BETWEEN_SYLLABLES && ONLY_HANGUL_WORDS.test(text);
    const run = isHangul ? placeHangul(font, text) : layout(...layoutArguments);
    if (run.direction === "rtl") reverseLigatures(run.glyphs, turned);
    last = { of: layoutArguments, run };
    return run;
  };
  font.createSubset = () => withLongPlaces(createSubset());
  return font;
}

function placeHangul(font: FontkitFont, text: string): GlyphRun {
  const between = text.includes(" ") ? font.layout(SPACE_BETWEEN_SYLLABLES) : undefined;
  const space = between?.glyphs[1];
  const glyphs = font.glyphsForString(text).map((glyph, at) => (text[at] === " " && space ? space : glyph));
  const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
  return { glyphs, positions, script: "hang", language: null, direction: "ltr" } as unknown as GlyphRun;
}

// Search in PDF files reverses right-to-left text glyph by glyph. The letters of a ligature must therefore be stored
// from left to right.
function reverseLigatures(glyphs: readonly { codePoints: number[] }[], turned: WeakSet<object>): void {
  for (const glyph of glyphs) {
    if (glyph.codePoints.length < 2 || turned.has(glyph)) continue;
    turned.add(glyph);
    glyph.codePoints = glyph.codePoints.toReversed();
  }
}

// A short glyph offset table counts in units of two, which fontkit ignores. A glyph of odd length, common in East Asian
// fonts, would shift all following ones. A long table counts in single bytes.
function withLongPlaces(subset: Subset): Subset {
  const add = subset._addGlyph?.bind(subset);
  if (!add) return subset;
  subset._addGlyph = (id) => {
    if (subset.loca) subset.loca.version = 1;
    return add(id);
  };
  return subset;
}
