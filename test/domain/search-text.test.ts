import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  COMMON_ACCENTED_LETTERS,
  foldText,
  getSearchPositionStart,
  listSearchTextVariants,
  RARE_LETTERS,
  SEARCHABLE_LISTS,
} from "#domain/search-text.ts";

describe("a searched text", () => {
  test.each([
    ["ÀÉÎÕÜ ñÇß", "aeiou ncss"],
    ["Łukasz Żółkiewski", "lukasz zolkiewski"],
    ["Nguyễn Thị Ánh", "nguyen thi anh"],
    ["Þór Ægir ŒUVRE Ŋ", "thor aegir oeuvre n"],
    // An accent as a separate character.
    ["Cafe\u0301", "cafe"],
    ["ＡＢＣ１２", "abc12"],
    ["ﾄﾖﾀ", "トヨタ"],
    ["Ελένη ΠΑΠΑΣ παπάς", "ελενη παπασ παπασ"],
    ["ПЁТР Йозеф Їжак", "петр иозеф іжак"],
    ["東京", "東京"],
    ["O’Brien d´Arc L`Hôte ʻAnae", "o'brien d'arc l'hote ʻanae"],
    ["Anne‑Marie – Durand", "anne-marie - durand"],
    ["Mª José, 2º", "ma jose, 2o"],
    ['say "x*y\\z"', "say 'x_y_z'"],
  ])("normalizes the text %s for the search to %s", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test("keeps a normalized search text unchanged if it's normalized again, and leaves no plain capitals", () => {
    const letters = fc.constantFrom(
      ...[...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS].map(([letter]) => letter),
      "A",
      "z",
      " ",
      "7",
    );
    fc.assert(
      fc.property(fc.array(letters), (list) => {
        const folded = foldText(list.join(""));
        expect(foldText(folded)).toBe(folded);
        expect(folded).not.toMatch(/[A-Z*"\\]/);
      }),
    );
  });

  test("normalizes each letter for search in one way only", () => {
    const letters = [...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS].map(([letter]) => letter);
    expect(new Set(letters).size).toBe(letters.length);
  });
});

describe("the forms of a search", () => {
  test.each<readonly [string, readonly string[]]>([
    ["Ibiza", ["ibiza"]],
    [" 1234-KLM ", ["1234-klm", "1234klm"]],
    ["B.57/12 34", ["b.57/12 34", "b571234"]],
    ["+34 600 700 800", ["+34 600 700 800", "+34600700800", "4600700800", "600700800", "00700800"]],
    ["0034600", ["0034600"]],
    ["00346007", ["00346007", "46007"]],
    ["+3460070", ["+3460070", "460070", "60070"]],
    ["-", ["-"]],
    ["Ana  Ruiz", ["ana  ruiz", "ana ruiz", "anaruiz"]],
    ["ESB57204463", ["esb57204463", "b57204463"]],
    ["\u0666\u0660\u0660\u201111", ["\u0666\u0660\u0660-11", "\u0666\u0660\u066011", "600-11", "60011"]],
    ["  ", [""]],
    ["", [""]],
  ])("searches the text %j in the spellings %j", (text, forms) => {
    expect(listSearchTextVariants(text)).toEqual(forms);
  });
});

test("assigns each searched list its own range of ids", () => {
  expect(SEARCHABLE_LISTS.map(getSearchPositionStart)).toEqual(
    SEARCHABLE_LISTS.map((_, index) => (index + 1) * 2 ** 40),
  );
});
