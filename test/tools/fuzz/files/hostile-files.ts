import { deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { createDemoRandom, type Random } from "#scripts/demo/random.ts";
import {
  createHeic,
  createJpeg,
  createWebpCanvas,
  createWebpChunk,
  createWebpFile,
  createWebpFrame,
  joinBytes,
} from "#support/images.ts";
import {
  createAnimatedPng,
  createBlackPng,
  createPngChunk,
  createPngHeader,
  createPngWithUnterminatedText,
  PNG_SIGNATURE,
} from "#support/png-files.ts";

/** An uploaded file: an image, a signed text, or a table to import. */
export interface HostileFile {
  readonly kind: "png" | "jpeg" | "webp" | "heic" | "text" | "csv" | "json" | "xlsx";
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A body of 8 MiB contains a table in base64. Images are sent as they are. */
const MAX_TABLE_BYTES = 6_000_000;
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Creates the file of a seed and a number. The same numbers create the same file. */
export function createHostileFile(seed: string, index: number): HostileFile {
  const random = createDemoRandom(`file ${seed} ${index}`);
  const kind = random.pickKey({ png: 4, jpeg: 3, webp: 1, heic: 1, text: 3, csv: 1, json: 1, xlsx: 2 });
  const intactBytes = MAKERS[kind](random);
  const bytes = random.chance(0.3) ? damage(random, intactBytes) : intactBytes;
  const isTable = kind === "csv" || kind === "json" || kind === "xlsx";
  return { kind, bytes: bytes.slice(0, isTable ? MAX_TABLE_BYTES : MAX_IMAGE_BYTES) };
}

const MAKERS: Readonly<Record<HostileFile["kind"], (random: Random) => Uint8Array<ArrayBuffer>>> = {
  png: makePng,
  jpeg: makeJpeg,
  webp: makeWebp,
  heic: makeHeic,
  text: (random) => strToU8(makeText(random)) as Uint8Array<ArrayBuffer>,
  csv: (random) => strToU8(makeCsv(random)) as Uint8Array<ArrayBuffer>,
  json: (random) => strToU8(makeJson(random)) as Uint8Array<ArrayBuffer>,
  xlsx: makeWorkbook,
};

// Cuts a file off, changes or repeats some of its bytes, or adds to it.
function damage(random: Random, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(bytes);
  const at = random.between(0, Math.max(0, bytes.length - 1));
  switch (random.pick(["cut", "bytes", "repeat", "append"] as const)) {
    case "cut":
      return changed.slice(0, at);
    case "bytes":
      for (let count = random.between(1, 8); count > 0; count--)
        changed[random.between(0, Math.max(0, bytes.length - 1))] = random.pick([0, 1, 0x7f, 0x80, 0xd9, 0xff]);
      return changed;
    case "repeat":
      return joinBytes(changed.subarray(0, at), ...Array(random.between(1, 50)).fill(changed.subarray(at, at + 64)));
    default:
      return joinBytes(changed, changed.subarray(at));
  }
}

const SIDES = [0, 1, 2, 7, 8, 9, 100, 1_000, 2_000, 2_001, 3_000, 20_000, 65_535, 0x7fff_ffff, 0xffff_ffff];
const OPTIONAL_CHUNKS = ["iTXt", "zTXt", "tEXt", "iCCP", "eXIf", "sPLT", "hIST", "gAMA", "acTL", "fcTL", "fdAT"];
const OTHER_CHUNKS = ["IDAT", "PLTE", "tRNS", "IHDR", "IEND", "XXXX", "xxxx", "\0\0\0\0"];

function makePng(random: Random): Uint8Array<ArrayBuffer> {
  const small = { width: random.between(1, 300), height: random.between(1, 300) };
  const seeds = [
    () => createPngWithUnterminatedText(),
    () =>
      createAnimatedPng(small, { width: random.between(1, 600), height: random.between(1, 600) }, random.between(1, 4)),
    () => createBlackPng(small, ...makeChunks(random)),
    () => createHostilePng(random, small),
  ];
  return random.pick(seeds)();
}

// A header and pixel data that needn't fit.
function createHostilePng(random: Random, small: { readonly width: number; readonly height: number }) {
  const header = createPngHeader({
    width: random.chance(0.5) ? small.width : random.pick(SIDES),
    height: random.chance(0.5) ? small.height : random.pick(SIDES),
    bitDepth: random.pick([0, 1, 2, 4, 8, 16, 255]),
    colorType: random.pick([0, 1, 2, 3, 4, 5, 6, 7]),
    interlace: random.pick([0, 0, 1, 2]),
  });
  const pixels = new Uint8Array(random.pick([0, 1, small.width * small.height, 400_000, 30_000_000]));
  const packed = random.chance(0.9) ? new Uint8Array(deflateSync(pixels)) : makeBytes(random, 500);
  const cut = random.between(0, packed.length);
  const data = random.chance(0.5)
    ? [createPngChunk("IDAT", packed)]
    : [createPngChunk("IDAT", packed.subarray(0, cut)), createPngChunk("IDAT", packed.subarray(cut))];
  const parts = [header, ...makeChunks(random), ...data, ...makeChunks(random)];
  return joinBytes(PNG_SIGNATURE, ...parts, createPngChunk("IEND"));
}

function makeChunks(random: Random): readonly Uint8Array[] {
  return Array.from({ length: random.pick([0, 0, 1, 2, 5, 50]) }, () =>
    createPngChunk(
      random.pick(random.chance(0.8) ? OPTIONAL_CHUNKS : OTHER_CHUNKS),
      makeBytes(random, random.pick([0, 1, 60, 768])),
    ),
  );
}

function makeBytes(random: Random, length: number): Uint8Array {
  const isText = random.chance(0.5);
  return Uint8Array.from({ length }, () => (isText ? 0x41 : random.between(0, 255)));
}

const SEGMENTS = [
  0xc0, 0xc1, 0xc2, 0xc4, 0xc8, 0xcc, 0xd0, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xe0, 0xe1, 0xee, 0xfe, 0,
];

function makeJpeg(random: Random): Uint8Array<ArrayBuffer> {
  const size = { width: random.pick(SIDES) & 0xffff, height: random.pick(SIDES) & 0xffff };
  const small = createJpeg({ ...size, seed: random.between(1, 99), bytes: random.between(0, 2_000) });
  // The signature of 10 MB that ended the front Worker, rarely.
  const plain = random.chance(0.02)
    ? joinBytes(small.subarray(0, -2), new Uint8Array(9_900_000).fill(0x55), small.subarray(-2))
    : small;
  const segments = Array.from({ length: random.pick([0, 1, 3, 300]) }, () => {
    const content = makeBytes(random, random.pick([0, 1, 9, 200]));
    const length = random.chance(0.9) ? content.length + 2 : random.pick([0, 1, 2, 0xffff]);
    return joinBytes(Uint8Array.of(0xff, random.pick(SEGMENTS), length >> 8, length & 0xff), content);
  });
  const at = random.chance(0.7) ? 2 : random.between(2, plain.length);
  return joinBytes(plain.subarray(0, at), ...segments, plain.subarray(at));
}

const WEBP_CHUNKS = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "EXIF", "XMP ", "ICCP", "abcd"];

function makeWebp(random: Random): Uint8Array<ArrayBuffer> {
  const size = { width: random.between(0, 16_383), height: random.between(0, 16_383) };
  const chunks = Array.from({ length: random.pick([0, 1, 3, 2_000]) }, () =>
    createWebpChunk(random.pick(WEBP_CHUNKS), makeBytes(random, random.pick([0, 1, 10, 200]))),
  );
  const canvas = random.chance(0.5) ? [createWebpCanvas(size, random.between(0, 255))] : [];
  return createWebpFile(...canvas, ...(random.chance(0.5) ? chunks : []), createWebpFrame(size));
}

const HEIC_BOXES = ["ftyp", "meta", "iprp", "ipco", "ispe", "iinf", "iloc", "mdat", "Exif", "uuid", "\0\0\0\0"];

// Boxes of any length, also within each other, around an intact image.
function makeHeic(random: Random): Uint8Array<ArrayBuffer> {
  const plain = createHeic({ width: random.pick(SIDES), height: random.pick(SIDES) });
  const makeBox = (content: Uint8Array) => {
    const length = random.chance(0.8) ? content.length + 8 : random.pick([0, 1, 7, 0x7fff_ffff, 0xffff_ffff]);
    const head = new Uint8Array(8);
    new DataView(head.buffer).setUint32(0, length);
    head.set(strToU8(random.pick(HEIC_BOXES)), 4);
    return joinBytes(head, content);
  };
  const boxes = Array.from({ length: random.pick([0, 1, 5, 2_000]) }, () =>
    makeBox(random.chance(0.5) ? makeBox(makeBytes(random, 8)) : makeBytes(random, random.pick([0, 1, 200]))),
  );
  const at = random.chance(0.7) ? plain.length : random.between(0, plain.length);
  return joinBytes(plain.subarray(0, at), ...boxes, plain.subarray(at));
}

const LETTERS = [
  "a",
  " ",
  "\t",
  "é",
  "ß",
  "漢",
  "ب",
  "א",
  "\u0301",
  "\u202e",
  "👩‍👩‍👧",
  "ﷺ",
  "<b>",
  "=1+1",
  "&amp;",
  "\u0007",
  "%",
];
const LINES = [
  "",
  "a",
  "# A",
  "## B",
  "a\tb",
  "=\tTotal\t9.00",
  "(1)\tscratch\t1,2",
  "[2]\tdent\t-9,1e9",
  "x\t1\t2",
  "\t\t",
];

function makeText(random: Random): string {
  const repeated = (text: string) => text.repeat(random.pick([1, 3, 50, 400]));
  const lines = Array.from({ length: random.pick([1, 10, 100, 400]) }, () => {
    if (random.chance(0.6)) return random.pick(LINES);
    return random.chance(0.5)
      ? repeated(random.pick(LETTERS))
      : Array.from({ length: 30 }, () => random.pick(LETTERS)).join("");
  });
  // The text that ended the printer, up to the limit of lines and beyond it.
  if (random.chance(0.02)) return `# A\n${"a\n".repeat(random.pick([4_999, 5_000, 99_000]))}`;
  if (random.chance(0.3)) return `# A\n${makeLongLines(random)}`;
  return `# A\n${lines.join("\n")}\n`;
}

const MARK_NUMBERS = ["0", "1", "1000", "1001", "-1", "1e22", "1e308", "0.5", "", "x"];

/** Lines that once kept the printer busy: marks at one place, long cells, letters without width or all different. */
function makeLongLines(random: Random): string {
  const count = random.pick([9, 300, 4_990]);
  const marks = () => {
    const place = `${random.pick(MARK_NUMBERS)},${random.pick(MARK_NUMBERS)}`;
    return `${random.pick(["[1]", "(2)", "[99999999]"])}\ta\t${place}\n`.repeat(count);
  };
  const letter = () =>
    random.pick(["a", "W", "fi", "\u200b", "\u200e", "\u202e", "\u2067", "\u0301\u0316", "ب", "אa", "한"]);
  const word = () => letter().repeat(random.pick([300, 2_000, 60_000]));
  const distinct = () =>
    String.fromCodePoint(...Array.from({ length: random.pick([100, 5_000, 20_000]) }, (_, at) => 0x4e00 + at));
  const cells = () => `${word()}\t1\t${"9".repeat(random.pick([1, 300, 2_000]))}\n`;
  const words = () => `${letter().repeat(random.pick([1, 70]))} `.repeat(random.pick([300, 900]));
  return random.pick([marks, () => `${word()}${word()}\n`, () => `${distinct()}\n`, cells, () => `${words()}\n`])();
}

/** Cells and names that a pattern may read for minutes. */
function makeLongCell(random: Random): string {
  const letter = random.pick(['""', " ", "1", "1,", "[", ".", "-", "_", "a,1:", "é", "€", "T", "(", "="]);
  return `${random.pick(["1", "a", ""])}${letter.repeat(random.pick([30, 3_000, 100_000]))}${random.pick(["x", "", "€"])}`;
}

function makeCsv(random: Random): string {
  if (random.chance(0.3)) {
    const headings = ["amount", "date", "email", "birthdate", makeLongCell(random)];
    const row = () => headings.map(() => `"${makeLongCell(random)}"`).join(";");
    return `${headings.map((heading) => `"${heading}"`).join(";")}\n${Array.from({ length: random.pick([1, 10]) }, row).join("\n")}\n`;
  }
  const cell = () => random.pick(["name", "Ana", "", '"', '""', '"a""b"', '"a\nb"', "1,5", "=1+1", "é", "\u0000"]);
  const separator = random.pick([",", ";", "\t", "|"]);
  const columns = random.pick([1, 5, 100, 401, 30_000]);
  const rows = random.pick([1, 3, columns > 1_000 ? 2 : 6_000]);
  const row = Array.from({ length: columns }, cell).join(separator);
  return `${row}${random.pick(["\n", "\r\n", "\r"])}`.repeat(rows);
}

function makeJson(random: Random): string {
  if (random.chance(0.2)) return random.pick(["[", '{"a":', "[{},"]).repeat(random.pick([10, 1_000, 100_000]));
  const keys = random.pick([1, 10, 401, 8_000]);
  const objects = Array.from({ length: random.pick([1, 100, 5_001]) }, (_, at) => ({
    [`k${at % keys}`]: random.pick([1, "a", null, {}, []]),
  }));
  return random.chance(0.5) ? JSON.stringify(objects) : objects.map((item) => JSON.stringify(item)).join("\n");
}

const ADDRESSES = [
  "A1",
  "B1",
  "A2",
  "C9",
  "Z99",
  "OJ400",
  "OK1",
  "XFD1",
  "A1048576",
  "XFD1048576",
  "ZZZ9",
  "",
  "1",
  "a0",
];
const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function makeWorkbook(random: Random): Uint8Array<ArrayBuffer> {
  const cell = () =>
    `<c r="${random.pick(ADDRESSES)}"${random.pick(["", ' t="s"', ' t="inlineStr"', ' t="b"', ' s="1"', ' t="d"'])}>${random.pick(
      [
        "<v>0</v>",
        "<v>1e308</v>",
        "<v>-45000.5</v>",
        "<is><t>a</t></is>",
        "<v/>",
        "<v>&amp;&#x41;&bad;</v>",
        "<!-- a -->",
        "<![CDATA[1]]>",
      ],
    )}</c>`;
  const row = () =>
    `<row${random.pick(["", ' r="1"', ' r="9"', ' r="1048576"', ' r="x"'])}>${Array.from({ length: random.pick([1, 3, 30]) }, cell).join("")}</row>`;
  const rows = Array.from({ length: random.pick([1, 3, 500]) }, row).join("");
  const bomb = random.chance(0.05) ? " ".repeat(40_000_000) : "";
  const doctype = random.chance(0.1) ? '<!DOCTYPE a [<!ENTITY b "c">]>' : "";
  const bytes = zipSync({
    "xl/workbook.xml": strToU8(
      `${doctype}<workbook xmlns:r="${RELATION}"><sheets><sheet name="${random.chance(0.2) ? `${"1".repeat(random.pick([30, 100_000]))}x` : "S"}" r:id="r1"/></sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `<Relationships><Relationship Id="r1" Type="${RELATION}/worksheet" Target="s.xml"/></Relationships>`,
    ),
    "xl/s.xml": strToU8(`<worksheet>${bomb}<sheetData>${rows}</sheetData></worksheet>`),
    "xl/styles.xml": strToU8(
      `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${random.pick(["y", "[", "\\", ".", " "]).repeat(random.pick([1, 100_000]))}"/></numFmts><cellXfs><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ),
    "xl/sharedStrings.xml": strToU8(`<sst>${"<si><t>a</t></si>".repeat(random.pick([0, 1, 5_000]))}</sst>`),
  });
  return Uint8Array.from(bytes);
}
