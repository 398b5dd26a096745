import { expect, test } from "vitest";
import { z } from "zod";
import { toFieldProblems } from "#worker/api/input-problems.ts";
import { notACountry } from "#worker/api/primitives.ts";

const message = z.strictObject({
  name: z.string("must be text"),
  way: z.enum(["card", "cash"], "must be card or cash"),
  extra: z.union([z.number(), z.string()], "must be an id or a code").optional(),
  trips: z.array(z.object({ date: z.string("must be a date") })),
  files: z.array(z.string(), "is required: the files").optional(),
});

const listProblems = (input: unknown) => toFieldProblems(message.safeParse(input).error?.issues ?? [], input);

test("what is missing is required, whatever else it must be", () => {
  expect(listProblems({ trips: [{}] })).toEqual([
    { field: "name", message: "is required" },
    { field: "way", message: "is required" },
    { field: "trips.0.date", message: "is required" },
  ]);
});

test("what is there is said what it must be, null too", () => {
  expect(listProblems({ name: null, way: "shells", extra: [], trips: 7, files: {}, more: 1 })).toEqual([
    { field: "name", message: "must be text" },
    { field: "way", message: "must be card or cash" },
    { field: "extra", message: "must be an id or a code" },
    { field: "trips", message: "must be an array" },
    { field: "files", message: "is required: the files" },
    { field: "more", message: "is no field of it" },
  ]);
  expect(listProblems(undefined)).toEqual([{ field: "", message: "must be an object" }]);
});

test("whoever writes a country as people do is told its letters", () => {
  expect(["UK", "el", "ZZ"].map(notACountry)).toEqual([
    "must be a country code of two letters: GB, not UK",
    "must be a country code of two letters: GR, not el",
    "must be a country code of two letters",
  ]);
});
