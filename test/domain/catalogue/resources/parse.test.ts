import { describe, expect, test } from "vitest";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import {
  getDefaultResourceValues,
  type ParsedResourceValues,
  parseResourceValues,
} from "#domain/catalogue/resources/parse.ts";
import { serializeResourceValues } from "#domain/catalogue/resources/serialize.ts";
import { err, ok } from "#domain/result.ts";

type Kind<Given> = Given extends unknown ? Omit<Given, "name" | "column"> : never;

const field = (kind: Kind<ResourceField>): ResourceField =>
  ({ name: "value", column: "value", ...kind }) as ResourceField;
const parse = (fields: readonly ResourceField[], input: Readonly<Record<string, unknown>>, present?: object) =>
  toResult(parseResourceValues({ fields }, input, { decimals: 2, ...(present && { present: { ...present } }) }));
const toResult = ({ values, problems }: ParsedResourceValues) => (problems.length > 0 ? err(problems) : ok(values));

const problems = (...list: readonly (readonly [field: string, code: string, params?: object])[]) => ({
  ok: false,
  error: list.map(([name, code, params]) => ({ field: name, code, ...(params && { params }) })),
});

const MEASURED = [
  { name: "type", column: "type", kind: "choice", options: ["amount", "percent", "days"] },
  field({ kind: "measured", by: "type", units: { amount: "money", percent: "percent", days: "whole" } }),
] as const satisfies readonly ResourceField[];

const NAMED = { kind: "text", longest: 5, required: true } as const;

describe("valid values", () => {
  test.each<readonly [string, Kind<ResourceField>, unknown, unknown]>([
    ["a text without outer spaces", { kind: "text", longest: 4 }, " Ibiz ", "Ibiz"],
    ["four letters of two code units each", { kind: "text", longest: 4 }, "𠮷𠮷𠮷𠮷", "𠮷𠮷𠮷𠮷"],
    ["several lines of a description", { kind: "text", longest: 501 }, "one\r\ntwo", "one\r\ntwo"],
    ["a code", { kind: "text", longest: 10, form: "code" }, "A-1_b.c", "A-1_b.c"],
    ["capitals", { kind: "text", longest: 10, form: "capitals" }, "ab-1", "AB-1"],
    ["an ACRISS code", { kind: "text", longest: 4, form: "acriss" }, "ecmr", "ECMR"],
    ["a known country", { kind: "text", longest: 2, form: "country" }, "ES", "ES"],
    ["a known time zone", { kind: "text", longest: 50, form: "timezone" }, "Atlantic/Canary", "Atlantic/Canary"],
    ["an address", { kind: "text", longest: 50, form: "address" }, "https://a.example/x", "https://a.example/x"],
    ["the smallest whole number", { kind: "whole", smallest: -1, largest: 9 }, -1, -1],
    ["the largest whole number as a text", { kind: "whole", smallest: -1, largest: 9 }, "9", 9],
    ["the largest coordinate", { kind: "coordinate", largest: 90 }, "-90.0", -90],
    ["an amount", { kind: "money" }, "151.05", 15_105],
    ["an amount as a number", { kind: "money" }, 12.5, 1250],
    ["a whole rate", { kind: "percent" }, "100", 10_000],
    ["a rate of two decimals", { kind: "percent" }, "7.25", 725],
    ["a flag", { kind: "flag" }, false, false],
    ["the leap day", { kind: "date" }, "2028-02-29", "2028-02-29"],
    ["the last minute of the day", { kind: "time" }, "23:59", "23:59"],
    ["a choice", { kind: "choice", options: ["a", "b"] }, "b", "b"],
    ["the first and the last weekday", { kind: "list", of: "weekday" }, [1, 7], [1, 7]],
    ["dates", { kind: "list", of: "date" }, ["2026-12-25"], ["2026-12-25"]],
    ["any origin", { kind: "list", of: "origin" }, ["*", "http://localhost:8787"], ["*", "http://localhost:8787"]],
    ["choices", { kind: "list", of: "choice", options: ["a", "b"] }, ["b", "a"], ["b", "a"]],
    ["a text of 200 letters in a list", { kind: "list", of: "text" }, ["x".repeat(200)], ["x".repeat(200)]],
    ["500 entries", { kind: "list", of: "text" }, entries(500), entries(500)],
    ["a reference of 64 letters", { kind: "reference", to: "places" }, "x".repeat(64), "x".repeat(64)],
    ["an id as a text", { kind: "reference", to: "places", isNumber: true }, "12", 12],
    ["ids", { kind: "references", to: "places", isNumber: true }, [1, "2"], [1, 2]],
    ["the shortest secret", { kind: "secret", smallest: 4 }, "abc!", "abc!"],
    ["the longest secret", { kind: "secret", smallest: 4 }, "x".repeat(200), "x".repeat(200)],
    ["a record", { kind: "record", names: ["a"], options: ["on"] }, { a: "on" }, { a: "on" }],
    ["a record of any names", { kind: "record", isOpen: true }, { any: "text" }, { any: "text" }],
    [
      "texts by language, without the empty ones",
      { kind: "texts", fields: ["name"] },
      { name: { de: " Auto ", ca: " " } },
      { name: { de: "Auto" } },
    ],
  ])("reads %s as the value of a resource's field", (_, kind, value, parsed) => {
    expect(parse([field(kind)], { value })).toEqual({ ok: true, value: { value: parsed } });
  });
});

function entries(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

describe("invalid values", () => {
  const refused: readonly (readonly [
    title: string,
    kind: Kind<ResourceField>,
    value: unknown,
    code: string,
    params?: object,
  ])[] = [
    ["a number for a text", { kind: "text", longest: 4 }, 12, "text"],
    ["a text with a line break in a single line", { kind: "text", longest: 500 }, "one\ntwo", "plain"],
    ["a control character in a description", { kind: "text", longest: 501 }, "one\u0007", "plain"],
    ["one letter too many", { kind: "text", longest: 4 }, "Ibiza", "too_long", { max: 4 }],
    ["spaces for a required text", { kind: "text", longest: 4, required: true }, "  ", "missing"],
    ["a space in a code", { kind: "text", longest: 9, form: "code" }, "A 1", "code", { max: 9 }],
    ["a short key", { kind: "text", longest: 64, form: "key" }, "ab", "code", { max: 64 }],
    ["a mail address without a domain", { kind: "text", longest: 64, form: "email" }, "ana@home", "email"],
    ["a language in capitals", { kind: "text", longest: 2, form: "language" }, "ES", "language"],
    ["an unknown country", { kind: "text", longest: 2, form: "country" }, "ZZ", "country"],
    ["an unknown time zone", { kind: "text", longest: 50, form: "timezone" }, "Europe/Atlantis", "timezone"],
    ["an address of another protocol", { kind: "text", longest: 50, form: "address" }, "ftp://a.example", "address"],
    ["less than the smallest number", { kind: "whole", smallest: 1, largest: 9 }, 0, "whole", { min: 1, max: 9 }],
    ["more than the largest number", { kind: "whole", smallest: 1, largest: 9 }, "10", "whole", { min: 1, max: 9 }],
    ["half a number", { kind: "whole", smallest: 1, largest: 9 }, 1.5, "whole", { min: 1, max: 9 }],
    ["a position beyond the pole", { kind: "coordinate", largest: 90 }, 90.1, "coordinate", { max: 90 }],
    ["an amount with three decimals", { kind: "money" }, "1.005", "money"],
    ["a negative amount", { kind: "money" }, "-1", "money"],
    ["more than the whole", { kind: "percent" }, "100.01", "percent", { min: 0, max: 100 }],
    ["a rate with three decimals", { kind: "percent" }, "7.255", "percent", { min: 0, max: 100 }],
    ["a word for a flag", { kind: "flag" }, "true", "flag"],
    ["a leap day of another year", { kind: "date" }, "2027-02-29", "date"],
    ["a time after the day", { kind: "time" }, "24:00", "time"],
    ["an unknown choice", { kind: "choice", options: ["a", "b"] }, "c", "choice", { choices: "a, b" }],
    ["a text for a list", { kind: "list", of: "text" }, "a", "list"],
    ["501 entries", { kind: "list", of: "text" }, entries(501), "list"],
    ["an entry twice", { kind: "list", of: "weekday" }, [1, 1], "twice"],
    ["weekday 0", { kind: "list", of: "weekday" }, [0], "whole", { min: 1, max: 7 }],
    ["weekday 8", { kind: "list", of: "weekday" }, [8], "whole", { min: 1, max: 7 }],
    ["a wrong date in a list", { kind: "list", of: "date" }, ["2026-02-30"], "date"],
    ["an origin with a path", { kind: "list", of: "origin" }, ["https://a.example/"], "origin"],
    ["201 letters in a list", { kind: "list", of: "text" }, ["x".repeat(201)], "text"],
    ["an unknown choice in a list", { kind: "list", of: "choice", options: ["a"] }, ["b"], "choice", { choices: "a" }],
    ["a reference of 65 letters", { kind: "reference", to: "places" }, "x".repeat(65), "not_known"],
    ["a negative id", { kind: "reference", to: "places", isNumber: true }, -1, "not_known"],
    ["a word for an id", { kind: "reference", to: "places", isNumber: true }, "one", "not_known"],
    ["a reference for a list of them", { kind: "references", to: "places" }, "A", "list"],
    ["an id twice, in two spellings", { kind: "references", to: "places", isNumber: true }, [1, "1"], "twice"],
    ["a wrong reference in a list", { kind: "references", to: "places" }, ["A", 1], "not_known"],
    ["a short secret", { kind: "secret", smallest: 4 }, "abc", "too_short", { min: 4 }],
    ["a long secret", { kind: "secret", smallest: 4 }, "x".repeat(201), "too_long", { max: 200 }],
    ["a space in a secret", { kind: "secret", smallest: 4 }, "ab cd", "text"],
    ["a number for a secret", { kind: "secret", smallest: 4 }, 12_345, "text"],
    ["a list for a record", { kind: "record" }, [], "record"],
    ["a text for translations", { kind: "texts", fields: ["name"] }, "Auto", "record"],
    ["null for a field that needs a value", { kind: "money" }, null, "missing"],
    ["an empty text for a field that needs a value", { kind: "money" }, "", "missing"],
  ];

  test.each(refused.map(([title, kind, value, ...problem]) => ({ title, kind, value, problem })))(
    "rejects a resource's field: $title",
    ({ kind, value, problem }) => {
      expect(parse([field(kind)], { value })).toEqual(problems(["value", ...problem]));
    },
  );

  test.each([
    ["an unknown name", { names: ["a"] }, { b: "on" }, ["value.b", "unknown_field"]],
    [
      "an unknown value, with the allowed values,",
      { options: ["on", "off"] },
      { a: "x" },
      ["value.a", "choice", { choices: "on, off" }],
    ],
    ["a number", {}, { a: 1 }, ["value.a", "text"]],
  ] as const)("reports %s in a key-value field at its key", (_, more, value, refused) => {
    expect(parse([field({ kind: "record", ...more })], { value })).toEqual(problems(refused));
  });

  test("names the country code that is meant by an abbreviation such as UK", () => {
    const country = field({ kind: "text", longest: 2, form: "country" });
    expect(parse([country], { value: "UK" })).toEqual(
      problems(["value", "country_meant", { country: "GB", code: "UK" }]),
    );
  });

  test.each([
    [{ model: { de: "x" } }, "model", "unknown_field"],
    [{ name: "x" }, "name", "record"],
    [{ name: { german: "x" } }, "name.german", "language"],
    [{ name: { de: 1 } }, "name.de", "text"],
    [{ name: { de: "x".repeat(4001) } }, "name.de", "text"],
    [{ name: { de: "x\u0007" } }, "name.de", "plain"],
  ])("reports the invalid translations %o at the wrong text", (value, at, code) => {
    expect(parse([field({ kind: "texts", fields: ["name"] })], { value })).toEqual(problems([`value.${at}`, code]));
  });

  test("reports unknown fields and every wrong field at once", () => {
    const fields = [field({ kind: "money" }), { name: "name", column: "name", ...NAMED }] as const;
    expect(parse(fields, { value: "x", colour: "red" })).toEqual(
      problems(["colour", "unknown_field"], ["value", "money"], ["name", "missing"]),
    );
  });
});

describe("a password", () => {
  const password: ResourceField = { kind: "secret", name: "password", column: "password", smallest: 1 };

  test.each([
    [7, false],
    [8, true],
    [128, true],
    [129, false],
  ])("decides whether a password of %i non-ASCII letters has an allowed length: %s", (length, ok) => {
    expect(parse([password], { password: "ñ".repeat(length) })).toMatchObject(
      ok ? { ok } : problems(["password", "password"]),
    );
  });
});

describe("a number with its unit in another field", () => {
  test.each([
    ["amount", "10.50", 1050],
    ["percent", "10.50", 1050],
    ["days", "3", 3],
  ])("reads the number of a resource in the unit %s that another field names", (type, value, parsed) => {
    expect(parse(MEASURED, { type, value })).toEqual({ ok: true, value: { type, value: parsed } });
  });

  test("reads a resource's number in the stored unit if the request contains no unit", () => {
    expect(parse(MEASURED, { value: "4" }, { type: "days", value: "3" })).toEqual({ ok: true, value: { value: 4 } });
    expect(parse(MEASURED, { value: "4.5" }, { type: "days", value: "3" })).toMatchObject({ ok: false });
  });

  test("requires a resource's number again if its unit changes, and only then", () => {
    const present = { type: "days", value: "3" };
    expect(parse(MEASURED, { type: "amount" }, present)).toEqual(problems(["value", "missing"]));
    expect(parse(MEASURED, { type: "days" }, present)).toEqual({ ok: true, value: { type: "days" } });
  });

  test("reports an unknown unit once, and the number next to it only if it is wrong in every unit", () => {
    const unit = ["type", "choice", { choices: "amount, percent, days" }] as const;
    expect(parse(MEASURED, { type: "miles", value: "3" })).toEqual(problems(unit));
    expect(parse(MEASURED, { type: "miles", value: "x" })).toEqual(problems(unit, ["value", "money"]));
    expect(parse(MEASURED, { type: "toString", value: "3" })).toEqual(problems(unit));
  });
});

describe("an existing resource", () => {
  const code: ResourceField = { name: "code", column: "code", kind: "text", longest: 5, fixed: true, required: true };
  const sentFlag: ResourceField = { name: "sent", column: "sent", kind: "flag", isReadOnly: true };
  const limit: ResourceField = { name: "limit", column: "limit", kind: "money", nullable: true };
  const present = { code: "A", sent: true, limit: "5.00" };

  test("keeps absent fields of an existing resource, although a new resource requires them", () => {
    expect(parse([code, sentFlag, limit], {}, present)).toEqual({ ok: true, value: {} });
    expect(parse([code, sentFlag, limit], {})).toEqual(problems(["code", "missing"]));
  });

  test("rejects a changed code of an existing resource", () => {
    expect(parse([code], { code: "A" }, present)).toEqual({ ok: true, value: { code: "A" } });
    expect(parse([code], { code: "B" }, present)).toEqual(problems(["code", "fixed"]));
  });

  test("rejects changes of a field that only the platform sets, and accepts its current value", () => {
    expect(parse([sentFlag], { sent: true }, present)).toEqual({ ok: true, value: {} });
    expect(parse([sentFlag], { sent: false }, present)).toEqual(problems(["sent", "fixed"]));
    expect(parse([sentFlag], { sent: false })).toEqual(problems(["sent", "fixed"]));
    expect(parse([sentFlag], { sent: null })).toEqual({ ok: true, value: {} });
  });

  test("clears an optional field by an empty value, and restores the default of another field", () => {
    const minutes: ResourceField = {
      name: "minutes",
      column: "m",
      kind: "whole",
      smallest: 0,
      largest: 9,
      initial: { is: 5 },
    };
    expect(parse([limit, minutes], { limit: "", minutes: null }, present)).toEqual({
      ok: true,
      value: { limit: null, minutes: 5 },
    });
  });
});

describe("rows of a resource", () => {
  const fields = [
    { name: "from", column: "from", kind: "whole", smallest: 1, largest: 9, required: true },
    { name: "price", column: "price", kind: "money", nullable: true },
    { name: "kind", column: "kind", kind: "choice", options: ["day", "all"], initial: { is: "day" } },
  ] as const satisfies readonly ResourceField[];
  const rows = field({ kind: "rows", fields });

  test("fills missing fields in a resource's rows with their defaults", () => {
    expect(getDefaultResourceValues(fields)).toEqual({ price: null, kind: "day" });
    expect(parse([rows], { value: [{ from: 1 }, { from: 2, price: "3", kind: "all" }] })).toEqual({
      ok: true,
      value: {
        value: [
          { from: 1, price: null, kind: "day" },
          { from: 2, price: 300, kind: "all" },
        ],
      },
    });
  });

  test.each([
    ["a text", "x", ["value", "rows"]],
    ["501 rows", Array.from({ length: 501 }, () => ({ from: 1 })), ["value", "rows"]],
    ["a row that isn't one", [{ from: 1 }, 2], ["value.1", "rows"]],
    ["a wrong field of a row", [{ from: 1 }, { from: 2, price: "x" }], ["value.1.price", "money"]],
    ["a row without a required field", [{}], ["value.0.from", "missing"]],
  ] as const)("rejects %s as the rows of a resource", (_, value, refused) => {
    expect(parse([rows], { value })).toEqual(problems(refused));
  });
});

test("returns amounts and rates as decimal text, and of a secret only whether it is set", () => {
  const fields: readonly ResourceField[] = [
    ...MEASURED,
    { name: "price", column: "price", kind: "money" },
    { name: "vat", column: "vat", kind: "percent" },
    { name: "rows", column: "rows", kind: "rows", fields: [{ name: "price", column: "price", kind: "money" }] },
    { name: "key", column: "key", kind: "secret", smallest: 1 },
    { name: "absent", column: "absent", kind: "flag" },
    { name: "limit", column: "limit", kind: "money" },
  ];
  const values = { type: "amount", value: 1050, price: 5, vat: 725, rows: [{ price: 100 }], key: "x", limit: null };
  const answer = { type: "amount", value: "10.50", price: "0.05", vat: "7.25", rows: [{ price: "1.00" }], limit: null };
  expect(serializeResourceValues({ fields }, values, 2)).toEqual({ ...answer, has_key: true });
  const serialize = (type: string, key: string | null | false) =>
    serializeResourceValues({ fields }, { type, value: 1050, key }, 2);
  expect(serialize("percent", null)).toEqual({ type: "percent", value: "10.50", has_key: false });
  expect(serialize("days", false)).toEqual({ type: "days", value: "1050", has_key: false });
  expect(serializeResourceValues({ fields }, {}, 2)).toEqual({ has_key: false });
});
