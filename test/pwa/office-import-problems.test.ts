import "./page.ts";
import { describe, expect, test } from "vitest";
import { IMPORT_MESSAGES } from "#domain/operations/import-problems.ts";
import { LANGUAGES } from "#shared/i18n.ts";
import { parseMappingFile, toImportCallResult } from "../../pwa/office/src/pages/imports/import-calls.ts";
import { getFieldNames, translateFix, translateProblem } from "../../pwa/office/src/pages/imports/problem-texts.ts";
import { loadImportTexts } from "../../pwa/office/src/pages/imports/texts.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

const MESSAGES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ["importProblem", IMPORT_MESSAGES.problems],
      ["importRemedy", IMPORT_MESSAGES.remedies],
      ["undoProblem", IMPORT_MESSAGES.undoProblems],
    ] as const
  ).flatMap(([prefix, messages]) => Object.entries(messages).map(([code, message]) => [`${prefix}.${code}`, message])),
);
const listPlaceholders = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);
const removeDirectionMarks = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");

async function openPage(language: (typeof LANGUAGES)[number]) {
  Object.assign(document.documentElement, { lang: language });
  await Promise.all([loadTexts(language), loadImportTexts()]);
}

describe.each(LANGUAGES)("import problems in %s", (language) => {
  test("has one text for each import problem code, without unknown placeholders", async () => {
    const { default: texts } = await import(`../../pwa/office/src/i18n/imports/${language}.ts`);
    const entries = Object.entries<string>(texts).filter(([key]) =>
      /^(importProblem|importRemedy|undoProblem)\./.test(key),
    );
    expect(entries.map(([key]) => key).sort()).toEqual(Object.keys(MESSAGES).sort());
    for (const [key, text] of entries)
      expect(listPlaceholders(MESSAGES[key] ?? ""), key).toEqual(expect.arrayContaining(listPlaceholders(text)));
  });

  test("limits texts of import problems to 100 characters", async () => {
    const { default: texts } = await import(`../../pwa/office/src/i18n/imports/${language}.ts`);
    const long = Object.entries<string>(texts)
      .filter(([key]) => key in MESSAGES)
      .filter(([, text]) => text.replaceAll(/\{\w+\?[^|]*\|([^}]*)\}/g, "$1").length > 100);
    expect(long).toEqual([]);
  });
});

test("translates a problem and its fix by code, with tables and fields by their names", async () => {
  await openPage("de");
  expect(removeDirectionMarks(translateProblem({ code: "reference_unknown", params: { table: "seasons" } }))).toBe(
    "Dazu gibt es keinen Eintrag in Saisons.",
  );
  expect(
    removeDirectionMarks(translateProblem({ code: "combination_invalid", params: { fields: "agency_id, zzz" } })),
  ).toMatch(/^Dieser Wert passt nicht zu .+ \(agency_id\), zzz\.$/);
  expect(removeDirectionMarks(translateFix({ remedy: { code: "between", params: { min: 0, max: 100 } } }))).toBe(
    "Verwenden Sie einen Wert von 0 bis 100.",
  );
  expect(translateFix({ remedy: null })).toBe("");
});

test("shows why an import can't be undone", async () => {
  await openPage("en");
  const detail = [
    { field: "id", message: "", code: "row_changed", params: { table: "seasons", row: "1" } },
    { field: "id", message: "", code: "rows_added", params: { count: 2, table: "bookings", parent: "customers" } },
  ];
  const result = toImportCallResult({
    status: 409,
    body: { code: "import_not_undoable", detail },
  } as unknown as Parameters<typeof toImportCallResult>[0]);
  expect("refused" in result && removeDirectionMarks(result.refused)).toBe(
    "The import can't be undone because its data is in use. Seasons: entry 1 was changed after the import. 2 new entries in Contracts refer to imported Customers.",
  );
});

test("names the fields of an import problem in the user's language, with their names in files", async () => {
  await openPage("es");
  expect(getFieldNames("category_code")).toBe("Categoría (category_code)");
});

test("reads a stored mapping of the page or the command, without unrecognized names", () => {
  const mapping = {
    files: { "kunden.csv": "customers", "rest.csv": null },
    columns: { customers: { Vorname: "name", Kram: null } },
    values: { customers: { country: { Deutschland: "DE", Unbekannt: null } } },
  };
  expect(parseMappingFile(JSON.stringify(mapping))).toEqual(mapping);
  expect(parseMappingFile('{"files": {"a.csv": "?"}, "columns": {"customers": {"Wert": "?"}}}')).toEqual({
    files: {},
    columns: { customers: {} },
    values: {},
  });
  for (const text of [
    "",
    "[1]",
    "null",
    '{"name": "Ana"}',
    '{"files": {"a.csv": 1}}',
    '{"columns": {"customers": "x"}}',
  ])
    expect([text, parseMappingFile(text)]).toEqual([text, undefined]);
});
