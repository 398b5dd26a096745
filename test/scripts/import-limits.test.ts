import { zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { runInSlices, runWithoutPauses } from "#domain/run-in-slices.ts";
import { IMPORT_OPTIONS, useImportTestCompany } from "#support/import-account.ts";
import { createSheetWorkbook, createWorkbook } from "#support/workbook.ts";
import { AccountChangedError } from "#worker/imports/copy.ts";
import { FileBudget } from "#worker/imports/file-budget.ts";
import { importSheets } from "#worker/imports/import.ts";
import { type OpenedSheet, openImportFile, openImportFileInSlices } from "#worker/imports/open-file.ts";
import { readSheetsAsTables } from "#worker/imports/read-files.ts";
import { createImportCheck } from "#worker/imports/uploaded-files.ts";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";

const open = (file: string, bytes: Uint8Array | string, budget = new FileBudget()): OpenedSheet => {
  const content = new Uint8Array(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  const [opened] = openImportFile(file, content, {}, budget);
  if (!opened) throw new Error("nothing was opened");
  return opened;
};
const account = useImportTestCompany();
const encode = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const MANY_KEYS = JSON.stringify(Array.from({ length: 8_000 }, (_, index) => ({ [`key${index}`]: index })));
const createFileBudget = (limits: Partial<ConstructorParameters<typeof FileBudget>[0]>) =>
  new FileBudget({ rows: 10, columns: 10, cells: 100, bytes: 100_000, ...limits });
const cell = (address: string, value = "1") => `<c r="${address}"><v>${value}</v></c>`;
const row = (line: number, cells: string) => `<row r="${line}">${cells}</row>`;

describe("small files with large content", () => {
  // Proves "security.md": A43
  test("ignores a single cell far from a workbook's table with a warning, without creating the rows between", () => {
    const bytes = createSheetWorkbook(row(1, cell("A1") + cell("B1")) + row(1_048_576, cell("XFD1048576")));
    expect(bytes.length).toBeLessThan(2_000);
    expect(open("customers.xlsx", bytes)).toMatchObject({
      rows: [{ line: 1, cells: ["1", "1"] }],
      warnings: [{ code: "cells_far", params: { count: 1, example: "XFD1048576" } }],
    });
    expect(
      openImportFile(
        "customers.xlsx",
        createSheetWorkbook(row(1_048_576, cell("XFD1048576"))),
        {},
        createFileBudget({}),
      ),
    ).toEqual([]);
  });

  test("refuses a workbook with many cells far from the table, because they may belong to it", () => {
    const far = (line: number) => row(line, cell(`ABC${line}`));
    const bytes = createSheetWorkbook(
      row(1, cell("A1")) + Array.from({ length: 101 }, (_, at) => far(at + 2)).join(""),
    );
    expect(open("customers.xlsx", bytes)).toMatchObject({ code: "columns_too_many" });
    const below = Array.from({ length: 101 }, (_, at) => row(5_000 + at, cell(`A${5_000 + at}`))).join("");
    expect(open("customers.xlsx", createSheetWorkbook(row(1, cell("A1")) + below))).toMatchObject({
      code: "rows_too_many",
    });
  });

  // Proves "security.md": A45
  test("refuses JSON with thousands of different keys", () => {
    const objects = Array.from({ length: 8_000 }, (_, at) => ({ [`key${at}`]: at }));
    expect(open("customers.json", JSON.stringify(objects))).toMatchObject({
      code: "columns_too_many",
      params: { columns: 400 },
    });
    const lines = objects.map((item) => JSON.stringify(item)).join("\n");
    expect(open("customers.jsonl", lines)).toMatchObject({ code: "columns_too_many" });
  });

  // Proves "security.md": A45
  test("refuses CSV with thousands of headings", () => {
    const headings = Array.from({ length: 60_000 }, (_, at) => `h${at}`).join(",");
    expect(open("customers.csv", `${headings}\n`)).toMatchObject({ code: "columns_too_many" });
    expect(open("customers.csv", ",".repeat(1_000_000))).toMatchObject({ code: "columns_too_many" });
    // A spreadsheet of 16,384 columns fills its rows with separators.
    const filled = `name,surname${",".repeat(16_382)}\nAna,Ruiz${",".repeat(16_382)}\n`;
    expect(open("customers.csv", filled)).toMatchObject({ rows: [{ cells: { length: 400 } }, { line: 2 }] });
  });

  // Proves "security.md": A44
  test("counts the real bytes of a workbook, whatever its directory declares", () => {
    const bytes = zipSync({ "xl/workbook.xml": new Uint8Array(2_000_000) });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const directory = view.getUint32(bytes.length - 22 + 16, true);
    expect(view.getUint32(directory + 24, true)).toBe(2_000_000);
    view.setUint32(directory + 24, 10, true);
    view.setUint32(22, 10, true);
    expect(bytes.length).toBeLessThan(3_000);
    expect(open("customers.xlsx", bytes, createFileBudget({}))).toMatchObject({ code: "workbook_too_large" });
  });

  test.each([
    ["csv", "a,b\n".repeat(12), "rows_too_many"],
    ["json", JSON.stringify(Array(12).fill({ a: 1 })), "rows_too_many"],
    ["csv", `${"a,".repeat(9)}a\n`.repeat(11), "cells_too_many"],
    [
      "json",
      JSON.stringify(Array(10).fill(Object.fromEntries("abcdefghijk".split("").map((key) => [key, 1])))),
      "columns_too_many",
    ],
    ["csv", `a${"\n".repeat(1_000)}b`, "rows_too_many"],
  ] as const)("stops reading an import file of the type %s at its limits: %#", (kind, text, code) => {
    expect(open(`customers.${kind}`, text, createFileBudget({}))).toMatchObject({ code });
  });

  describe("a workbook with an invalid archive", () => {
    const workbook = createSheetWorkbook(row(1, cell("A1")));
    const directory = (view: DataView) => view.getUint32(view.byteLength - 22 + 16, true);
    const change = (write: (view: DataView, directory: number) => void) => {
      const bytes = new Uint8Array(workbook);
      const view = new DataView(bytes.buffer);
      write(view, directory(view));
      return bytes;
    };
    const replaced = (parts: Readonly<Record<string, string>>) => createSheetWorkbook(row(1, cell("A1")), { parts });
    const relations = (target: string) =>
      replaced({
        "xl/_rels/workbook.xml.rels": `<R><Relationship Id="rId1" Type="x/worksheet" Target="${target}"/></R>`,
      });

    test.each([
      ["is encrypted by AES", change((view, at) => view.setUint16(at + 10, 99, true))],
      ["uses an unknown compression", change((view, at) => view.setUint16(at + 10, 12, true))],
      [
        "is a ZIP64 archive without 32-bit offsets",
        change((view) => view.setUint32(view.byteLength - 6, 0xffffffff, true)),
      ],
      ["has an entry behind its end", change((view, at) => view.setUint32(at + 42, 0x7fffffff, true))],
      ["has an entry inside its directory", change((view, at) => view.setUint32(at + 42, at, true))],
      ["declares more entries than it has", change((view) => view.setUint16(view.byteLength - 12, 60_000, true))],
      ["has an entry cut off", change((view, at) => view.setUint32(at + 20, 20, true))],
      ["has its end only", workbook.slice(-22)],
      ["refers to a sheet outside", relations("../../../etc/passwd")],
      ["refers to a sheet on a website", relations("https://evil.example/sheet.xml")],
      [
        "contains another archive as its sheet",
        replaced({ "xl/worksheets/sheet1.xml": String.fromCharCode(...workbook) }),
      ],
      ["names a sheet that climbs out of its folder", relations("..\\\\..\\\\windows\\\\win.ini")],
      ["contains entities", replaced({ "xl/sharedStrings.xml": '<!DOCTYPE a [<!ENTITY b "c">]><sst/>' })],
    ])("rejects a workbook whose archive %s", (_, bytes) => {
      expect(open("customers.xlsx", bytes)).toMatchObject({ code: "workbook_invalid" });
    });

    test("reads one of two entries with the same name, and rejects 70,000 entries", () => {
      const double = replaced({ "xl/worksheets/sheet2.xml": `<worksheet>${row(1, cell("A1", "2"))}</worksheet>` });
      const renamed = Uint8Array.from(double, (byte, at) =>
        byte === 0x32 && new TextDecoder("latin1").decode(double.subarray(at - 5, at)) === "sheet" ? 0x31 : byte,
      );
      expect(open("customers.xlsx", renamed)).toMatchObject({ rows: [{ line: 1 }] });
      const many = Object.fromEntries(Array.from({ length: 70_000 }, (_, at) => [`f${at}`, new Uint8Array()]));
      expect(open("customers.xlsx", zipSync(many, { level: 0 }))).toMatchObject({ code: expect.any(String) });
    });

    test("rejects a workbook that lists one sheet a hundred times, counting its bytes each time", () => {
      const sheets = Array.from({ length: 100 }, (_, at) => `<sheet name="s${at}" r:id="rId1"/>`).join("");
      const bytes = createSheetWorkbook(row(1, cell("A1", "1".repeat(2_000))), {
        parts: { "xl/workbook.xml": `<workbook><sheets>${sheets}</sheets></workbook>` },
      });
      expect(open("customers.xlsx", bytes, createFileBudget({}))).toMatchObject({ code: "workbook_too_large" });
    });
  });

  test("counts a workbook's shared text once for each cell that uses it", () => {
    const texts = `<sst><si><t>${"a b ".repeat(50_000)}</t></si></sst>`;
    const shared = (line: number) => row(line, '<c t="s"><v>0</v></c>'.repeat(10));
    const bytes = createSheetWorkbook(Array.from({ length: 2_000 }, (_, at) => shared(at + 1)).join(""), {
      parts: { "xl/sharedStrings.xml": texts },
    });
    expect(bytes.length).toBeLessThan(20_000);
    expect(open("customers.xlsx", bytes)).toMatchObject({ code: "workbook_too_large" });
  });

  // Proves "security.md": A72
  test.each([
    ["texts", (text: string) => ["", `<sst><si>${text}</si></sst>`]],
    ["cells", (text: string) => [row(1, `<c r="A1" t="inlineStr"><is>${text}</is></c>`), "<sst/>"]],
  ])("refuses a workbook with %s whose parts together exceed the longest text of an Excel cell", (_, place) => {
    const openText = (parts: number) => {
      const [cells = "", texts = ""] = place(`<t>${"_x0041_".repeat(1_000)}</t>`.repeat(parts));
      const bytes = createSheetWorkbook(cells + row(2, cell("A2", "b")), { parts: { "xl/sharedStrings.xml": texts } });
      return open("customers.xlsx", bytes);
    };
    expect(openText(42)).toMatchObject({ rows: expect.any(Array) });
    expect(openText(43)).toMatchObject({ code: "workbook_too_large" });
  });

  test("applies the size limits to all files of an import together", () => {
    const budget = createFileBudget({ rows: 3 });
    expect(open("a.csv", "a\n1\n2\n", budget)).toMatchObject({ rows: { length: 3 } });
    expect(open("b.csv", "a\n1\n2\n", budget)).toMatchObject({ code: "rows_too_many" });
  });

  test.each(["[".repeat(100_000), '{"a":'.repeat(50_000), '""'.repeat(10_000), '"'.repeat(9_999)])(
    "reads deeply nested and quoted texts without failing: %#",
    (text) => {
      for (const kind of ["csv", "json", "xlsx"]) expect(open(`customers.${kind}`, text)).toBeDefined();
    },
  );
});

describe("reading a file in slices", () => {
  const ROWS = Array.from({ length: 4_000 }, (_, at) => ({ name: `Ana ${at}`, note: `"a"\n${at}`, city: "Inca" }));
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const csv = ["name,note,city", ...ROWS.map((item) => Object.values(item).map(quote).join(","))].join("\r\n");
  const table = [["name", "note", "city"], ...ROWS.map((item) => Object.values(item))];

  test.each([
    ["csv", encode(csv)],
    ["json", encode(JSON.stringify(ROWS))],
    ["xlsx", createWorkbook({ customers: table })],
  ] as const)("pauses for other requests while it reads a large %s file", async (kind, bytes) => {
    let pauses = 0;
    const pause = async () => void pauses++;
    const opened = await runInSlices(
      openImportFileInSlices(`customers.${kind}`, new Uint8Array(bytes), {}, new FileBudget()),
      pause,
    );
    expect(pauses).toBeGreaterThan(7);
    expect(opened).toMatchObject([{ rows: table.map((cells) => ({ cells })) }]);
  });

  test("numbers the lines of a CSV file that is read in slices", () => {
    const [opened] = openImportFile("customers.csv", encode(csv), {}, new FileBudget());
    expect(opened).toMatchObject({ rows: [{ line: 1 }, ...ROWS.map((_, at) => ({ line: 2 + 2 * at }))] });
    expect(open("customers.csv", `${csv}\r\n"open\n`)).toMatchObject({ code: "csv_invalid", line: 8_002 });
  });

  test("reads a CSV cell that is longer than a slice", () => {
    const long = "a\n".repeat(60_000);
    expect(open("customers.csv", `name,note\nAna,"${long}"\nEva,b\n`)).toMatchObject({
      rows: [{ line: 1 }, { line: 2, cells: ["Ana", long.trim()] }, { line: 60_003, cells: ["Eva", "b"] }],
    });
  });
});

// Proves "security.md": A69
test("reads a cell of thousands of quotes in linear time", () => {
  const quotes = '"'.repeat(200_000);
  expect(open("customers.csv", `name,note\nAna,"${quotes}x"\n`)).toMatchObject({
    rows: [{ line: 1 }, { cells: ["Ana", `${'"'.repeat(100_000)}x`] }],
  });
});

// Proves "security.md": A69
test("reads a cell of thousands of lines with quotes in linear time", () => {
  // Counted, because time varies. Slices of a fixed size would read four times as many lines sixteen times as long.
  const countCharacters = (lines: number) => {
    const sliced = vi.spyOn(String.prototype, "slice");
    open("customers.csv", `name,note\nAna,"${'""\n'.repeat(lines)}x"\n`);
    const lengths = sliced.mock.results.map(({ value }) => String(value).length);
    vi.restoreAllMocks();
    return lengths.reduce((sum, length) => sum + length, 0);
  };
  const few = countCharacters(60_000);
  expect(few).toBeGreaterThan(180_000);
  expect(countCharacters(240_000)).toBeLessThan(8 * few);
});

describe("inputs that would slow down regular expressions", () => {
  const check = async (sheets: readonly OpenedSheet[]) => {
    const tables = await readImportExportTables(account.opened.account.db);
    return runWithoutPauses(
      readSheetsAsTables(sheets, tables, { currencyDecimals: 2, timezone: "UTC", known: {}, mapping: {} }),
    );
  };

  test("rejects a file or sheet whose name consists of very many digits without slow matching", async () => {
    const name = `${"1".repeat(190)}x`;
    const { bad } = await check([
      ...openImportFile(`${name}.csv`, encode("name\n"), {}, new FileBudget()),
      ...openImportFile(
        "a.xlsx",
        createWorkbook({ [name]: [["name"]], [`${"1_".repeat(100_000)}x`]: [["name"]] }),
        {},
        new FileBudget(),
      ),
    ]);
    expect(bad).toMatchObject(Array(3).fill({ code: "table_unknown" }));
  });

  test("rejects a number with thousands of spaces and an overlong date without slow matching", async () => {
    const [amount, date] = [`1${" ".repeat(250_000)}a`, `"${"a,1:".repeat(60_000)}\nb"`];
    const text = `amount;date;payment_type\n${amount};${date};charge\n`;
    const { bad } = await check(openImportFile("charges.csv", encode(text), {}, new FileBudget()));
    expect(bad.map(({ field, code }) => `${field} ${code}`)).toEqual(["amount amount_invalid", "date moment_invalid"]);
  });

  test("rejects a workbook's date format with thousands of brackets without slow matching", () => {
    const bytes = createSheetWorkbook(row(1, '<c r="A1" s="0"><v>45000</v></c>'), {
      parts: {
        "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="y${"[".repeat(250_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
      },
    });
    expect(open("customers.xlsx", bytes)).toMatchObject({ rows: [{ cells: ["45000"] }] });
  });
});

test("prepares a mapping of 19,000 values for 4,000 rows within the test's time limit", async () => {
  const cities = Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`Ciudad ${at}`, `City ${at}`]));
  const rows = Array.from({ length: 4_000 }, (_, at) => `Ana,x${at},Ciudad ${at}`).join("\n");
  const imported = await importSheets(account.opened.account.db, {
    ...IMPORT_OPTIONS,
    isDry: true,
    sheets: openImportFile("customers.csv", encode(`name,surname,city\n${rows}\n`), {}, new FileBudget()),
    mapping: { values: { customers: { city: cities } } },
    scratch: () => {
      throw new AccountChangedError("the copy comes after reading");
    },
  }).catch((error: unknown) => error);
  expect(imported).toBeInstanceOf(AccountChangedError);
});

test("shortens long cells and values in the result of an import check", async () => {
  const long = "a".repeat(300_000);
  const sheets = openImportFile("customers.csv", encode(`name,${long}\nAna,${long}\n`), {}, new FileBudget());
  const bad = [
    {
      file: "customers.csv",
      line: 1,
      field: long,
      value: long,
      code: "column_unknown",
      params: { table: "customers" },
    } as const,
  ];
  const check = createImportCheck(sheets, { bad, counts: new Map(), files: [] }, { files: [], mapping: {} });
  expect(JSON.stringify(check).length).toBeLessThan(3_000);
});

test("refuses JSON of a million values before it creates them", () => {
  expect(open("customers.json", `[${"{},".repeat(1_000_000)}{}]`)).toMatchObject({ code: "rows_too_many" });
  expect(open("customers.json", `[{"a":[${"{},".repeat(1_000_000)}{}]}]`)).toMatchObject({ code: "cells_too_many" });
  expect(open("customers.jsonl", "[".repeat(1_000_000))).toMatchObject({ code: "cells_too_many" });
});

test("parses JSON record by record and stops at the first one with too many fields", () => {
  const parsed = vi.spyOn(JSON, "parse");
  const records = Array.from({ length: 8_000 }, (_, at) => ({ [`key${at}`]: at }));
  const wide = JSON.stringify([Object.fromEntries(records.map((_, at) => [`key${at}`, at]))]);
  const [list, lines] = [JSON.stringify(records), records.map((record) => JSON.stringify(record)).join("\n")];
  const countParsed = (file: string, text: string) => {
    parsed.mockClear();
    expect(open(file, text)).toMatchObject({ code: "columns_too_many" });
    return { calls: parsed.mock.calls.length, longest: Math.max(0, ...parsed.mock.calls.map(([part]) => part.length)) };
  };
  expect(countParsed("customers.json", list)).toEqual({ calls: 401, longest: 14 });
  expect(countParsed("customers.jsonl", lines)).toEqual({ calls: 401, longest: 14 });
  expect(countParsed("customers.json", wide)).toEqual({ calls: 0, longest: 0 });
  parsed.mockRestore();
});

test("reads JSON of millions of characters in slices", () => {
  const long = { name: 'a,]}\\"'.repeat(200_000), list: [1, { a: 2 }] };
  for (const [file, text] of [
    ["customers.json", JSON.stringify([long])],
    ["customers.jsonl", JSON.stringify(long)],
  ] as const) {
    let slices = 0;
    const reading = openImportFileInSlices(file, encode(text), {}, new FileBudget());
    for (let step = reading.next(); ; step = reading.next(), slices++) {
      if (!step.done) continue;
      expect(step.value).toMatchObject([
        { rows: [{ cells: ["name", "list"] }, { cells: [long.name, '[1,{"a":2}]'] }] },
      ]);
      break;
    }
    expect(slices).toBeGreaterThan(15);
  }
});

test.each([
  ['[{"a":1},]', "json_invalid"],
  ['[,{"a":1}]', "json_invalid"],
  ['[{"a":1}', "json_invalid"],
  ['[{"a":1}]]', "json_invalid"],
  ['[{"a":1}}', "json_invalid"],
  ['[{"a":1]', "json_invalid"],
  ['[{"a":1}] {"a":1}', "json_invalid"],
  ['[{"a":1} {"a":1}]', "json_invalid"],
  ['["a', "json_invalid"],
  ["", "json_invalid"],
  ['{"a":1}', "json_not_list"],
  ["[[1]]", "json_not_list"],
  ["[null]", "json_not_list"],
])("refuses JSON that is no list of records: %s", (text, code) => {
  expect(open("customers.json", text)).toMatchObject({ code });
});

test("reads JSON with blanks around its records", () => {
  const rows = [{ cells: ["a", "b"] }, { cells: ["1"] }, { cells: ["", "x]"] }];
  expect(open("customers.json", ' \n[ {"a":1} ,\r\n{"b":"x]"}\n] ')).toMatchObject({ rows });
  expect(open("customers.jsonl", '{"a":1}\r\n\n{"b":"x]"}\r\n')).toMatchObject({ rows });
  expect(open("customers.json", "[ ]")).toMatchObject({ rows: [{ cells: [] }] });
});

test("reads every kind of cell of a workbook", () => {
  const cells = [
    '<c r="A1" t="s"><v>0</v></c>',
    '<c r="B1" t="s"><v>1</v></c>',
    '<c r="C1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
    '<c r="D1" t="b"><v>1</v></c>',
    '<c r="E1" s="1"><v>45000</v></c>',
    '<c r="F1" s="2"><v>45000.4375</v></c>',
    '<c r="G1" s="3"><v>45000</v></c>',
    '<c r="H1"><v>0.10</v></c>',
    '<c r="J1" t="str"><f>A1</f><v>a&amp;b_x000D_</v></c>',
    '<c r="K1" t="d"><v>2026-11-28T10:30:00Z</v></c>',
    "<c><v>7</v></c>",
  ].join("");
  const bytes = createSheetWorkbook(
    `<row>${cells}</row><row r="5"><c r="B5"/></row><row r="7">${cell("B7", "x")}</row>`,
    {
      parts: {
        "xl/sharedStrings.xml":
          "<sst><si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>read</t></rPh></si></sst>",
        "xl/styles.xml":
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm;@"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts>' +
          '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      },
    },
  );
  expect(open("customers.xlsx", bytes)).toMatchObject({
    rows: [
      {
        line: 1,
        cells: [
          ...["plain", "rich", "inline", "yes", "2023-03-15", "2023-03-15 10:30", "45000", "0.1", "", "a&b"],
          ...["2026-11-28 10:30", "7"],
        ],
      },
      { line: 7, cells: ["", "x"] },
    ],
  });
});

test("reads percentages and numbers with leading zeros of a workbook as it shows them", () => {
  const values = [0.21, 0.07, 0.155, 1234567, 42, 7.5];
  const cells = values.map((value, at) => `<c r="${"ABCDEF"[at]}1" s="${at}"><v>${value}</v></c>`);
  const formats = ["0.0%;[Red]-0.0%", "00000000", "00000", "0.0&quot;%&quot;"];
  const own = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`);
  const styles = [9, 10, 164, 165, 166, 167].map((id) => `<xf numFmtId="${id}"/>`);
  const bytes = createSheetWorkbook(row(1, cells.join("")), {
    parts: {
      "xl/styles.xml": `<styleSheet><numFmts>${own.join("")}</numFmts><cellXfs>${styles.join("")}</cellXfs></styleSheet>`,
    },
  });
  expect(open("customers.xlsx", bytes)).toMatchObject({
    rows: [{ cells: ["21%", "7%", "15.5%", "01234567", "00042", "7.5"] }],
  });
});

test("imports a workbook's percentage as the rate that it shows", async () => {
  const bytes = createSheetWorkbook(
    row(1, cell("A1", "code") + cell("B1", "name") + cell("C1", "vat_percent")) +
      row(2, `${cell("A2", "B")}${cell("B2", "Big")}<c r="C2" s="1"><v>0.21</v></c>`),
    { parts: { "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs></styleSheet>' } },
  );
  expect((await account.take({ "categories.xlsx": bytes })).bad).toEqual([]);
  expect(account.rows("SELECT vat_basis_points FROM categories WHERE code = 'B'")).toEqual([
    { vat_basis_points: 2100 },
  ]);
});

test("reads the dates of old Macintosh workbooks", () => {
  const bytes = createSheetWorkbook(row(1, '<c r="A1" s="1"><v>43538</v></c>'), {
    parts: { "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>' },
    is1904: true,
  });
  expect(open("customers.xlsx", bytes)).toMatchObject({ rows: [{ cells: ["2023-03-15"] }] });
});

test("names the sheets of a workbook and leaves out empty ones", () => {
  const bytes = createWorkbook({ Clientes: [["name"], ["Ana"]], Vacía: [], Seasons: [["name"]] });
  const names = openImportFile("all.xlsx", bytes, {}, new FileBudget()).map(
    (opened) => "name" in opened && opened.name,
  );
  expect(names).toEqual(["Clientes", "Seasons"]);
});

test("copies no account data for an import without rows", async () => {
  const sheets = [
    ...openImportFile("customers.csv", encode("name,surname\n"), {}, new FileBudget()),
    ...openImportFile("customers.json", encode(MANY_KEYS), {}, new FileBudget()),
  ];
  const scratch = () => {
    throw new Error("a copy was made");
  };
  const imported = await importSheets(account.opened.account.db, { ...IMPORT_OPTIONS, sheets, scratch });
  expect(imported.files).toMatchObject([{ file: "customers.csv", table: "customers", added: 0, changed: 0 }]);
  expect(imported.bad).toMatchObject([{ file: "customers.json", code: "columns_too_many" }]);
  const withRow = openImportFile("customers.csv", encode("name,surname\nAna,Ruiz\n"), {}, new FileBudget());
  await expect(
    importSheets(account.opened.account.db, { ...IMPORT_OPTIONS, sheets: withRow, scratch }),
  ).rejects.toThrow("copy");
});
