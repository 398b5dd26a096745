import { create, type Font } from "@cantoo/fontkit";
import { describe, expect, inject, test } from "vitest";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { readPdfPieces, readPdfText } from "#support/pdf-text.ts";
import { createDocumentToPrint, createLetterhead, createPrintContext } from "#support/printouts.ts";
import { splitIntoDirectedTexts } from "#worker/printer/pdf/direction.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";
import { readFont } from "#worker/printer/pdf/read-font.ts";
import { findPageScripts, listScriptFontNames, type ScriptFontName } from "#worker/printer/pdf/scripts.ts";

const NAMES = {
  Hebrew: "יוסף כהן",
  Arabic: "محمد الفارسي",
  Persian: "گلناز پژمان",
  Chinese: "王小明",
  "Chinese of Taiwan": "陳國龍",
  Japanese: "山田さくら",
  Korean: "김민수",
  Thai: "สมชาย ใจดี",
  Hindi: "राजेश कुमार",
} as const;

// A release prints the names in all scripts, the gate only in some.
const PRINTED = Object.entries(NAMES).filter(
  ([script]) => inject("isThorough") || /Hebrew|Arabic|Taiwan|Thai/.test(script),
);

const print = (name: string, changes: Parameters<typeof createPrintContext>[0] = {}) =>
  renderPrintoutPdf(
    createDocumentPrintout(
      createDocumentToPrint({ customer: { name, taxId: "X", address: [] } }),
      createPrintContext(changes),
    ),
    loadPrinterFonts(),
  );

describe("names in other scripts", () => {
  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Names in Hebrew, Arabic, Chinese,
  //   Japanese, Korean, Thai and Hindi
  test.each(PRINTED)("prints a name in %s as searchable text", async (_, name) => {
    const bytes = await print(name);
    expect((await readPdfText(bytes)).join("").replace(/\n/g, " ")).toContain(name);
    expect(await print(name)).toEqual(bytes);
  });

  test.each(PRINTED.slice(0, 2))(
    "prints a company name in %s in the letterhead and next to Latin letters",
    async (_, name) => {
      const bytes = await print(`${name} (Dubai) S.L.`, { letterhead: createLetterhead({ name }) });
      const text = (await readPdfText(bytes)).join("").replace(/\n/g, " ");
      expect(text.split(name)).toHaveLength(3);
      expect(text).toContain("Dubai");
    },
  );
});

describe("right-to-left text", () => {
  const placesIn = async (name: string) => {
    const [page = []] = await readPdfPieces(await print(name));
    return page.flatMap(({ text, x }) =>
      /[\p{scx=Hebr}\p{scx=Arab}]|Dubai|\+971|a@b/u.test(text) ? [{ text, x }] : [],
    );
  };

  test("prints right-to-left text before the Latin letters that follow", async () => {
    const [first, ...rest] = (await placesIn("شركة النور (Dubai)")).toSorted((item, other) => item.x - other.x);
    expect(first?.text).toBe("شركة النور");
    expect(rest.map(({ text }) => text).join("")).toContain("Dubai");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Right-to-left text next to left-to-right
  //   text
  test.each([
    ["a name alone", "יוסף כהן", ["יוסף כהן<"]],
    ["a street and its number", "רחוב 12", ["12", "רחוב <"]],
    ["letters in brackets", "(כהן)", ["(כהן)<"]],
    ["a name between Latin words", "Hotel כהן 5 Palma", ["Hotel ", "5", "כהן <", " Palma"]],
    ["a name, a telephone and a mail", "כהן · +972 4 123 · a@b.c", ["כהן<", " · ", "+972 4 123", " · ", "a@b.c"]],
    ["a text with direction marks", "\u200fכהן\u200f", ["כהן<"]],
    ["a text without right-to-left letters", "José · 12", ["José · 12"]],
  ])("prints the parts of %s from left to right", (_, line, parts) => {
    const orderedParts = splitIntoDirectedTexts(line).map(
      ({ text, isRightToLeft }) => `${text}${isRightToLeft ? "<" : ""}`,
    );
    expect(orderedParts).toEqual(parts);
  });
});

describe("Chinese letters", () => {
  const first = (letter: string, document: string, country: string) =>
    listScriptFontNames(letter, findPageScripts(document), country)[0];
  test("uses Japan's glyphs on Japanese documents, Korea's on Korean ones, else China's", () => {
    const usedFonts: [string, ScriptFontName | undefined][] = [
      ["of a company in Japan", first("直", "直", "JP")],
      ["beside kana", first("直", "直さ", "ES")],
      ["of a company in Korea", first("直", "直", "KR")],
      ["in Spain", first("直", "直", "ES")],
    ];
    expect(Object.fromEntries(usedFonts)).toEqual({
      "of a company in Japan": "noto-sans-jp",
      "beside kana": "noto-sans-jp",
      "of a company in Korea": "noto-sans-kr",
      "in Spain": "noto-sans-sc",
    });
  });

  test("uses another font if the preferred one lacks the glyph", async () => {
    // A simplified Chinese character in a document of a Japanese company.
    expect((await readPdfText(await print("さ 们", { country: "JP" }))).join("")).toContain("们");
  });
});

test("places syllables of Hangul as the font's own rules do, without running them", async () => {
  const name = findHangulFont();
  const bytes = await loadPrinterFonts().read(name);
  const font = create(bytes) as Font;
  const layOut = (text: string, layout: typeof font.layout) => {
    const { glyphs, positions } = layout(text);
    return glyphs.map(({ id, codePoints }, at) => ({ id, codePoints, advance: positions?.[at]?.xAdvance }));
  };
  for (const text of ["김민수", "차량 임대차 계약서 일반 약관", "값을 닭이 없다"]) {
    const { layout } = readFont(bytes);
    expect(layOut(text, layout)).toEqual(layOut(text, font.layout.bind(font)));
  }
});

function findHangulFont(): ScriptFontName {
  const [name] = listScriptFontNames("김", findPageScripts(new Set("김민수")), "KR");
  if (!name) throw new Error("No font for Hangul");
  return name;
}
