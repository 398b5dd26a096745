import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { describeFields, listTexts } from "#scripts/openapi/describe-fields.ts";
import { fieldDescriptionsByDocument } from "#scripts/openapi/field-texts/lists.ts";
import { openApiDocuments, undescribedApiDocuments } from "#scripts/openapi-documents.ts";

const MAX_TEXT_LENGTH = 130;
const lists = [...new Set(Object.values(fieldDescriptionsByDocument).flat())];
const texts = lists.flatMap(listTexts);

const results = new Map(
  Object.entries(undescribedApiDocuments).map(([name, describe]) => [
    name,
    describeFields(describe(), fieldDescriptionsByDocument[name] ?? []),
  ]),
);

/** Returns the words of a text or name without articles and small words. */
function listWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !["a", "an", "the", "of", "its", "is", "whether"].includes(word));
}

/** Checks whether a text has no words besides those of its field. */
function repeatsName(key: string, text: string): boolean {
  const words = new Set(listWords((key.split(".").at(-1) ?? "").replaceAll("_", " ")));
  return listWords(text).every((word) => words.has(word) || words.has(word.replace(/s$/, "")));
}

test.each(Object.keys(undescribedApiDocuments))("describes each field and parameter of %s", (name) => {
  expect(results.get(name)?.undescribed, "Add a text in scripts/openapi/field-texts").toEqual([]);
});

test("uses every field description in at least one OpenAPI document", () => {
  const used = new Set([...results.values()].flatMap((result) => [...result.used]));
  expect(texts.map(([text]) => text).filter((text) => !used.has(text))).toEqual([]);
});

test("describes fields in one line, by texts that add to the field's name", () => {
  expect(repeatsName("account_name", "The name of the account")).toBe(true);
  expect(texts.filter(([, key, text]) => repeatsName(key, text)).map(([name]) => name)).toEqual([]);
  const long = texts.filter(([, , text]) => text.length > MAX_TEXT_LENGTH || /[\n;]|\.$/.test(text));
  expect(long.map(([name, , text]) => `${name}: ${text}`)).toEqual([]);
});

/** Lists the words of a text that look like names of the code. Omits product names and members in backticks. */
function listCodeNames(text: string): readonly string[] {
  const words = text.replaceAll(/`[^`]*`/g, "").match(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g) ?? [];
  return words.filter((word) => !["iCal", "iCalendar"].includes(word));
}

/** Lists the summaries and descriptions of a document, however deep. */
function listDescriptions(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === "string" && ["summary", "description"].includes(key) ? [member] : listDescriptions(member),
  );
}

test("contains no names of the code in summaries and descriptions", () => {
  expect(listCodeNames("A pageResponse with an iCal link in `dateFrom`")).toEqual(["pageResponse"]);
  const descriptions = Object.values(openApiDocuments).flatMap((describe) => listDescriptions(describe()));
  expect(descriptions.length).toBeGreaterThan(1_000);
  expect(descriptions.filter((text) => listCodeNames(text).length > 0)).toEqual([]);
});

describe("keys of field descriptions", () => {
  const field = (name: string, schema: object = { type: "string" }) => ({ properties: { [name]: schema } });
  const document = {
    components: {
      schemas: {
        Booking: field("lines", { items: field("code") }),
        BookingEntry: field("after", field("code")),
        Place: { properties: { code: { description: "Own" }, name: { $ref: "#/components/schemas/Booking" } } },
      },
    },
    paths: {
      "/bookings": {
        get: { operationId: "listBookings", parameters: [{ name: "code", in: "query", schema: {} }] },
        post: { operationId: "createBooking", requestBody: field("code") },
      },
    },
  };
  const describeWith = (fields: Readonly<Record<string, string>>, parameters: Readonly<Record<string, string>> = {}) =>
    describeFields(document, [{ name: "test", fields, parameters }]);

  test("chooses a field's description by its schema, then by the field around it, then by its name", () => {
    const keys = ["Booking.lines.code", "lines.code", "code"];
    const descriptions = keys.map((_, index) => {
      const { document } = describeWith(Object.fromEntries(keys.slice(index).map((key) => [key, key])));
      return JSON.stringify(document).match(/"lines":.*?"description":"([\w.]+)"/)?.[1];
    });
    expect(descriptions).toEqual(keys);
  });

  test("describes history entries and request bodies like their resource", () => {
    const { used } = describeWith({ "Booking.code": "of the history", "OfficeBooking.code": "of the body" });
    expect([...used]).toEqual(["test fields Booking.code", "test fields OfficeBooking.code"]);
  });

  test("keeps a field's own description, and lists fields and parameters without one", () => {
    const { document: described, undescribed } = describeWith({ code: "ours" });
    expect(described).toMatchObject({
      components: { schemas: { Place: { properties: { code: { description: "Own" } } } } },
    });
    expect(undescribed).toEqual([
      "Booking.lines",
      "BookingEntry.after",
      "Place.name",
      "parameter code of listBookings",
    ]);
  });
});

test("adds only descriptions to the OpenAPI documents of the routes", () => {
  const omitDescriptions = (document: object | undefined): object =>
    JSON.parse(
      JSON.stringify(document, (name, value) =>
        name === "description" && typeof value === "string" ? undefined : value,
      ),
    );
  const changed = Object.entries(undescribedApiDocuments).filter(
    ([name, describe]) =>
      !isDeepStrictEqual(omitDescriptions(openApiDocuments[name]?.()), omitDescriptions(describe())),
  );
  expect(changed.map(([name]) => name)).toEqual([]);
});
