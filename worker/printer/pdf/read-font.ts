import fontkit from "@pdf-lib/fontkit";

type Read = ReturnType<typeof fontkit.create>;

/** A font as it is read, with what its types do not tell of it. */
export type Font = Read & { _tables: object };

/** What is written of a font into a file, with what its types do not tell of it. */
type Subset = ReturnType<Read["createSubset"]> & {
  readonly loca?: { version?: number };
  _addGlyph?: (id: number) => number;
};

const tables = new WeakMap<Uint8Array, object>();

// A font's tables are read once in an isolate's life. Its glyphs are each file's own: fontkit keeps with a glyph the
// letter that it was first drawn for, none where it was a part of another (`u` of `ú`), and files say by it what they
// can be searched for.
export function readFont(bytes: Uint8Array): Font {
  const font = fontkit.create(bytes) as Font;
  const known = tables.get(bytes);
  if (known) font._tables = known;
  else tables.set(bytes, font._tables);
  const [layout, create] = [font.layout.bind(font), font.createSubset.bind(font)];
  const turned = new WeakSet<object>();
  font.layout = (...layoutArguments) => {
    const run = layout(...layoutArguments);
    if (run.direction === "rtl") reverseLigatures(run.glyphs, turned);
    return run;
  };
  font.createSubset = () => withLongPlaces(create() as Subset);
  return font;
}

// Whoever searches a file turns round what is written from the right, shape by shape: one shape of several letters has
// to say them from the left, as the shapes stand.
function reverseLigatures(glyphs: readonly { codePoints: number[] }[], turned: WeakSet<object>): void {
  for (const glyph of glyphs) {
    if (glyph.codePoints.length < 2 || turned.has(glyph)) continue;
    turned.add(glyph);
    glyph.codePoints = glyph.codePoints.toReversed();
  }
}

// A short table of places counts in twos, and fontkit does not see to it: a glyph of odd length, of which the fonts of
// East Asia have many, would put all that follow it out of their place. A long one counts in ones.
function withLongPlaces(subset: Subset): Subset {
  const add = subset._addGlyph?.bind(subset);
  if (!add) return subset;
  subset._addGlyph = (id) => {
    if (subset.loca) subset.loca.version = 1;
    return add(id);
  };
  return subset;
}
