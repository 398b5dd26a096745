import { expect, test } from "vitest";
import { z } from "zod";
import { toFieldProblems } from "#worker/api/input-problems.ts";
import { countryCode } from "#worker/api/primitives.ts";

const message = z.strictObject({
  name: z.string("must be text"),
  way: z.enum(["card", "cash"], "must be card or cash"),
  extra: z.union([z.number(), z.string()], "must be an id or a code").optional(),
  trips: z.array(z.object({ date: z.string("must be a date") })),
  files: z.array(z.string(), "is required: the files").optional(),
});

const listProblems = (input: unknown) => toFieldProblems(message.safeParse(input).error?.issues ?? [], input);

test("reports missing fields as required, not with the problem of an invalid value", () => {
  expect(listProblems({ trips: [{}] })).toEqual([
    { field: "name", code: "missing", message: "is required" },
    { field: "way", code: "missing", message: "is required" },
    { field: "trips.0.date", code: "missing", message: "is required" },
  ]);
});

test("describes the expected value of a present field, including null", () => {
  expect(listProblems({ name: null, way: "shells", extra: [], trips: 7, files: {}, more: 1 })).toEqual([
    { field: "name", code: "text", message: "must be text" },
    { field: "way", code: "choice", params: { choices: "card, cash" }, message: "must be card or cash" },
    { field: "extra", code: "invalid", message: "must be an id or a code" },
    { field: "trips", code: "list", message: "must be a list" },
    { field: "files", code: "list", message: "is required: the files" },
    { field: "more", code: "unknown_field", message: "is not a known field" },
  ]);
  expect(listProblems(undefined)).toEqual([{ field: "", code: "object", message: "must be an object" }]);
});

test("suggests the two-letter code for common country spellings", () => {
  const listIssues = (text: string) => countryCode.safeParse(text).error?.issues.map(({ message }) => message);
  expect(["UK", "el", "ZZ"].map(listIssues)).toEqual([
    ["must be the country code GB, not UK"],
    ["must be the country code GR, not EL"],
    ["must be a country code of two letters"],
  ]);
});
