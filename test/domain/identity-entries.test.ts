import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  findSignUpProblems,
  getSignUpProblemCode,
  normalizeSignUpForm,
  type SignUpForm,
} from "#domain/access/sign-up.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { parseResourceValues } from "#domain/catalogue/resources/parse.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import type { ProblemCode } from "#domain/problems.ts";
import { websitePhoneSchema } from "#worker/api/booking-engine/shared/customer-messages.ts";
import { parseImportCell } from "#worker/imports/values.ts";

// One table of identities as people paste them, for every entry: all request schemas of the interfaces, registrations,
// the office's resources, imported files and work at vehicles.

type Kind = "country" | "name" | "phone" | "prefix" | "email" | "document" | "code" | "search";

/** Texts by kind, with what is stored. Undefined: refused with a code. */
const CASES: Readonly<
  Record<Kind, readonly (readonly [given: string, stored: string | undefined, code?: ProblemCode])[]>
> = {
  country: [
    ["gb", "GB"],
    ["UK", undefined, "country_meant"],
    ["XX", undefined, "country"],
  ],
  name: [
    ["Jose\u0301", "José"],
    ["Ana\u00a0María", "Ana María"],
    ["Ana \u00a0 María", "Ana María"],
    ["de la Fuente", "de la Fuente"],
    ["O'Brien", "O'Brien"],
    ["Nguyễn", "Nguyễn"],
    ["Ru\u00adiz", undefined, "person_name"],
    ["Ana\u200b", undefined, "person_name"],
    ["\u202eanA", undefined, "plain"],
    ["Ana \u{1f600}", undefined, "plain"],
  ],
  phone: [
    ["\u202a+34 600 11 22\u202c", "+34 600 11 22"],
    ["+34\u00a0600\u00a011\u00a022", "+34 600 11 22"],
    ["６００１１２２", "6001122"],
    ["٦٠٠ ١١ ٢٢", "600 11 22"],
    ["600\u201111\u201122", "600-11-22"],
    ["971260101 x 5", "971260101 x 5"],
    ["600112233/600998877", undefined, "telephone"],
    ["ninguno", undefined, "telephone"],
    ["6,00112E+08", undefined, "telephone"],
  ],
  prefix: [
    ["\u202a+34\u202c", "+34"],
    ["３４", "34"],
    ["Spain", undefined, "telephone"],
  ],
  email: [
    ["\u200eana@example.com\u00a0", "ana@example.com"],
    ["ana@xn--espaa-rta.es", "ana@españa.es"],
    ["ana@example", undefined, "email"],
    ["ana..b@example.com", undefined, "email"],
    ["ana@example.com.", undefined, "email"],
  ],
  document: [
    ["\u200eC01X00T47", "C01X00T47"],
    ["ES\u200bB57204463", "B57204463"],
    ["es 12345678z", "12345678Z"],
    ["１２３４５６７８Z", "12345678Z"],
    ["99.999.999-R", "99.999.999-R"],
    ["00000000T", "00000000T"],
    ["(12345678_Z)", "12345678Z"],
    ["ав1234567", "АВ1234567"],
    ["1*23456L", "1*23456L"],
    ["-", undefined, "document"],
    ["none", undefined, "document"],
    ["0000", undefined, "document"],
    ["ABC12\u{1f600}", undefined, "plain"],
  ],
  code: [
    ["07\u200b001", "07001"],
    ["０７００１", "07001"],
    ["\u202aAB\u2011123\u202c", "AB-123"],
  ],
  search: [
    ["\u202aRu\u00adiz\u202c", "Ruiz"],
    ["Jose\u0301\u00a0Ruiz", "José Ruiz"],
  ],
};

/** Members of requests by kind. */
const MEMBERS: readonly (readonly [RegExp, Kind])[] = [
  [/(^|_)((mobile_)?phone(_number)?|(whatsapp|emergency)_number)$/, "phone"],
  [/(^|_)phone(_number)?_prefix$/, "prefix"],
  [/(^|_)email$/, "email"],
  [/(^|_)document_id$/, "document"],
  [/(^|_)(zip|plate|vin|promotion_code|driving_license_number)$/, "code"],
  [/(^|_)surname$|^(customer|driver|representative|additional_driver_\d|resource_user(_2)?)_name$/, "name"],
  [/_contact_name$|^full_name$/, "name"],
  [/(^|_)(address|origin)_country$/, "country"],
  [/^q$/, "search"],
];
const findKind = (name: string) => MEMBERS.find(([pattern]) => pattern.test(name))?.[1];

/** Requests, as opposed to answers, by the names of their schemas. */
const REQUEST = /(Body|Query|Check)$|^(quoteAcceptanceForm|checkInOperationSchema)$/;
// Identities that are cleaned below the interface: registrations (below), sign-in and the link to an own booking.
const CLEANED_LATER = /customer-access\/(own-booking-)?messages\.ts$/;
/** Check-in operations never refuse a text for its format. They clean texts that other entries refuse. */
const LENIENT = /check-in\/operation-messages\.ts$/;

const API = resolve("worker/api");
const FILES = globSync("**/*messages.ts", { cwd: API }).toSorted();
const MODULES = await Promise.all(
  FILES.map(async (file) => [file, (await import(join(API, file))) as Readonly<Record<string, unknown>>] as const),
);

interface Entry {
  readonly file: string;
  readonly path: string;
  readonly kind: Kind;
  readonly schema: z.ZodType;
}

/** Lists the members of a schema, also of nested objects, lists and unions. */
function* listMembers(schema: unknown): Generator<readonly [path: string, name: string, schema: z.ZodType]> {
  if (!(schema instanceof z.ZodType)) return;
  const {
    innerType,
    left,
    right,
    in: input,
    out,
    element,
    options,
    shape,
  } = schema.def as unknown as Readonly<Record<string, unknown>>;
  const parts = [innerType, left, right, input, out, element, ...(Array.isArray(options) ? options : [])];
  for (const part of parts) yield* listMembers(part);
  for (const [name, member] of Object.entries((shape ?? {}) as object)) {
    if (member instanceof z.ZodType) yield [name, name, member];
    for (const [path, inner, nested] of listMembers(member)) yield [`${name}.${path}`, inner, nested];
  }
}

const getKind = (schemaName: string, name: string) =>
  schemaName === "promotionCodeCheckBody" && name === "code" ? "code" : findKind(name);

const entries = MODULES.filter(([file]) => !CLEANED_LATER.test(file)).flatMap(([file, exported]) =>
  Object.entries(exported)
    .filter(([schemaName]) => REQUEST.test(schemaName))
    .flatMap(([schemaName, request]) =>
      [...listMembers(request)].flatMap(([path, name, schema]): readonly Entry[] => {
        const kind = getKind(schemaName, name);
        return kind ? [{ file, path: `${file} ${schemaName}.${path}`, kind, schema }] : [];
      }),
    ),
);

/** Returns what an entry stores, or undefined and the code of the refusal. */
function read(schema: z.ZodType, text: string): { readonly stored?: unknown; readonly codes?: readonly unknown[] } {
  const parsed = schema.safeParse(text);
  if (parsed.success) return { stored: parsed.data };
  return { codes: parsed.error.issues.map((issue) => (issue.code === "custom" ? issue.params?.["code"] : issue.code)) };
}

function isRight({ file }: Entry, result: ReturnType<typeof read>, [, stored, code]: (typeof CASES)[Kind][number]) {
  if (stored !== undefined) return result.stored === stored;
  return LENIENT.test(file) ? result.codes === undefined : result.codes?.[0] === code;
}

describe("requests", () => {
  test("covers the request fields of all interfaces that receive names, telephones, emails and documents", () => {
    const files = new Set(entries.map(({ file }) => file.split("/")[0]));
    expect([...files].toSorted()).toEqual(["booking-engine", "check-in", "office", "ota", "ota-xml", "quotes"]);
    expect(entries.length).toBeGreaterThan(300);
  });

  // Proves "conventions.md": Identities are cleaned and refused alike at every entry
  test("stores and rejects names, telephones, emails and documents alike in every request", () => {
    const faults = entries.flatMap((entry) =>
      CASES[entry.kind].flatMap((example) => {
        const result = read(entry.schema, example[0]);
        return isRight(entry, result, example) ? [] : [[entry.path, ...example, result]];
      }),
    );
    expect(faults).toEqual([]);
  });

  test("removes invisible characters and emoji from names that staff type in the check-in app", () => {
    const names = entries.filter(({ file, kind }) => kind === "name" && LENIENT.test(file));
    expect(names.length).toBeGreaterThan(10);
    for (const { schema } of names)
      expect(
        ["Ru\u00adiz", "Ana\u200b", "\u202eanA", "Ana \u{1f600}"].map((text) => read(schema, text).stored),
      ).toEqual(["Ruiz", "Ana", "anA", "Ana"]);
  });
});

interface Outcome {
  readonly stored?: unknown;
  readonly code?: unknown;
}

/** Entries that don't validate with a schema: by kind, a function that returns what is stored, or the code. */
const OTHER_ENTRIES: Readonly<Record<string, Partial<Record<Kind, (text: string) => Outcome>>>> = {
  registration: Object.fromEntries(
    (
      [
        ["name", "surname"],
        ["phone", "phone"],
        ["prefix", "phonePrefix"],
        ["email", "email"],
        ["document", "documentId"],
      ] as const
    ).map(([kind, field]) => [
      kind,
      (text: string) => {
        const signUp = normalizeSignUpForm({ ...REGISTRATION, [field]: text });
        const problem = findSignUpProblems(signUp).find((item) => typeof item === "object" && item.field === field);
        return problem ? { code: getSignUpProblemCode(problem) } : { stored: signUp[field] };
      },
    ]),
  ),
  "branch of the office": readResource("branches", {
    phone: "whatsapp_number",
    email: "email",
    document: "document_id",
    code: "address_zip",
  }),
  "user of the office": readResource("users", { name: "full_name", email: "email" }),
  "imported customer": readCells({
    name: "surname",
    phone: "phone_number",
    prefix: "phone_number_prefix",
    email: "email",
    document: "document_id",
    code: "address_zip",
  }),
  "imported contract": readCells({
    name: "customer_surname",
    phone: "customer_phone",
    email: "customer_email",
    document: "customer_document_id",
  }),
  "imported vehicle": readCells({ code: "plate" }),
};

const REGISTRATION: SignUpForm = {
  ...{ username: "ana.ruiz", email: "ana@example.com", password: "Example-pass-2030!", name: "Ana", surname: "Ruiz" },
  ...{ phonePrefix: "34", phone: "600112233", documentId: "12345678Z", language: "en" },
};

type Fields = Partial<Record<Kind, string>>;

function readEach(fields: Fields, readText: (field: string, text: string) => Outcome) {
  return Object.fromEntries(
    Object.entries(fields).map(([kind, field]) => [kind, (text: string) => readText(field, text)]),
  );
}

function readResource(name: ResourceName, fields: Fields) {
  return readEach(fields, (field, text) => {
    const only = getResource(name).fields.filter((item) => item.name === field);
    const { values, problems } = parseResourceValues({ fields: only }, { [field]: text }, { decimals: 2 });
    return problems[0] ? { code: problems[0].code } : { stored: values[field] };
  });
}

function readCells(fields: Fields) {
  const terms = { decimal: ".", dates: "day", currencyDecimals: 2, timezone: "Europe/Madrid" } as const;
  return readEach(fields, (column, text) => {
    const cell = parseImportCell(
      { column, field: column, kind: "text", isRequired: false, hasDefault: false },
      text,
      terms,
    );
    return "value" in cell ? { stored: cell.value } : { code: cell.code };
  });
}

// Registration and website have 15 characters for a telephone.
test.each([
  ["+34 600 11 22 33", "+34600112233"],
  ["+34 971 260 101 ext. 5", "+34971260101ext5"],
  ["+49 (0)170 1234567", "+491701234567"],
  ["1234567890123456", undefined],
])("stores the long telephone number %s without separators in registrations and checkouts", (given, stored) => {
  const registered = OTHER_ENTRIES["registration"]?.phone?.(given);
  expect(registered).toEqual(stored === undefined ? { code: "too_long" } : { stored });
  expect(read(websitePhoneSchema, given).stored).toBe(stored);
});

// A spreadsheet has lost digits of a number, which only an import can tell. Registrations have short telephones.
const OTHER_CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  registration: { "600112233/600998877": "too_long" },
  "imported customer": { "6,00112E+08": "number_rounded" },
  "imported contract": { "6,00112E+08": "number_rounded" },
};

describe.each(Object.entries(OTHER_ENTRIES))("the entry point %s", (entry, kinds) => {
  // Proves "conventions.md": Identities are cleaned and refused alike at every entry
  test.each(Object.entries(kinds))(
    "stores each %s, or refuses it with the same code, as the other entry points do",
    (kind, readText) => {
      const cases = CASES[kind as Kind];
      const expected = cases.map(([given, stored, code]) =>
        stored === undefined ? [given, { code: OTHER_CODES[entry]?.[given] ?? code }] : [given, { stored }],
      );
      expect(cases.map(([given]) => [given, readText(given)])).toEqual(expected);
    },
  );
});
