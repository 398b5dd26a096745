import { describe, expect, test } from "vitest";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { CONFLICT_MESSAGES } from "#domain/check-in/outcome.ts";
import * as codes from "#domain/failure-codes.ts";
import { IMPORT_PROBLEM_CODES, UNDO_PROBLEM_CODES } from "#domain/operations/import-problems.ts";
import { PROBLEM_CODES } from "#domain/problem-messages.ts";
import { STAFF_REFUSAL_CODES } from "#domain/refusal-codes.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { listFailureCodesInSource } from "#support/failure-codes.ts";

/** Codes that are answered before the routes of an interface run, or for any path that they don't have. */
const OUTSIDE = ["account_paused", "unknown_path", "method_not_allowed"];

/** Codes that are looked up at run time, so that no route names them. */
const LOOKED_UP = {
  resources: RESOURCES.map(({ singular }) => `${singular}_not_found`),
  signIn: ["device_revoked", "not_signed_in", "role_forbidden", "second_factor_missing"],
  thrown: [
    ...["account_moving", "account_unavailable", "internal_error", "malformed_request", "migrating"],
    ...["overloaded", "storage_full"],
  ],
  handOver: [...Object.keys(CONFLICT_MESSAGES), "more_than_due", "not_delivered", "unknown_booking"],
};

const PARTS = [
  {
    name: "office",
    list: codes.OFFICE_FAILURE_CODES,
    parts: ["office"],
    others: [...LOOKED_UP.resources, ...LOOKED_UP.handOver],
  },
  { name: "check-in", list: codes.CHECK_IN_FAILURE_CODES, parts: ["check-in"], others: [] },
  { name: "booking-engine", list: codes.ENGINE_FAILURE_CODES, parts: ["booking-engine"], others: [] },
  { name: "agencies", list: codes.AGENCY_FAILURE_CODES, parts: ["ota"], others: [] },
  { name: "OpenTravel", list: codes.OPENTRAVEL_FAILURE_CODES, parts: ["ota", "ota-xml"], others: [] },
  { name: "integration", list: codes.INTEGRATION_FAILURE_CODES, parts: ["integration"], others: [] },
  { name: "documents", list: codes.DOCUMENT_FAILURE_CODES, parts: ["documents"], others: [] },
  { name: "analytics", list: codes.ANALYTICS_FAILURE_CODES, parts: ["analytics"], others: [] },
  { name: "operations", list: codes.OPERATIONS_FAILURE_CODES, parts: ["operations"], others: LOOKED_UP.signIn },
  { name: "payments", list: codes.PAYMENT_CODES, parts: ["payments"], others: [] },
  { name: "customer-access", list: codes.ACCESS_FAILURE_CODES, parts: ["customer-access"], others: [] },
  { name: "quotes", list: codes.QUOTE_FAILURE_CODES, parts: ["quotes"], others: LOOKED_UP.thrown },
];

test.each(PARTS)("lists as refusals of $name exactly the codes in its source code", ({ list, parts, others }) => {
  const writtenCodes = listFailureCodesInSource(parts.map((part) => `worker/api/${part}`));
  expect([...list].sort()).toEqual([...new Set([...writtenCodes, ...OUTSIDE, ...others])].sort());
});

test("finds refusal codes in source code as literals, in conditions and as common failures", () => {
  const access = listFailureCodesInSource(["worker/api/customer-access"]);
  const examples = ["wrong_passkey", "weak_password", "not_signed_in", "request_timeout"];
  expect(examples.filter((code) => !access.has(code))).toEqual([]);
  expect(access.has("cart_not_found")).toBe(false);
});

test("has a text for every refusal code of the office", () => {
  const known: ReadonlySet<string> = new Set([...STAFF_REFUSAL_CODES, ...codes.RESOURCE_NOT_FOUND_CODES]);
  expect(codes.OFFICE_FAILURE_CODES.filter((code) => !known.has(code))).toEqual([]);
});

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

describe("enumerations in the OpenAPI documents", () => {
  const INTERFACES = [
    { file: "office", list: codes.OFFICE_FAILURE_CODES },
    { file: "check-in", list: codes.CHECK_IN_FAILURE_CODES },
    { file: "rental-engine", list: codes.ENGINE_FAILURE_CODES },
    { file: "transfer-engine", list: codes.ENGINE_FAILURE_CODES },
    { file: "integration", list: codes.INTEGRATION_FAILURE_CODES },
    { file: "documents", list: codes.DOCUMENT_FAILURE_CODES },
    { file: "analytics", list: codes.ANALYTICS_FAILURE_CODES },
    { file: "operations", list: codes.OPERATIONS_FAILURE_CODES },
    { file: "payments", list: codes.PAYMENT_CODES },
    { file: "customer-access", list: codes.ACCESS_FAILURE_CODES },
  ];

  const read = (file: string) => {
    const document = openApiDocuments[file]?.() as { components: { schemas: Readonly<Record<string, Schema>> } };
    const { schemas } = document.components;
    const resolve = (schema: Schema | undefined): Schema =>
      schema?.$ref ? (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : (schema ?? {});
    return { failure: schemas["Failure"]?.properties ?? {}, resolve };
  };

  test.each(INTERFACES)(
    "describes the codes of refusals and refused fields in the document $file",
    ({ file, list }) => {
      const { failure, resolve } = read(file);
      expect(resolve(failure["code"]).enum).toEqual(list);
      const fields = failure[file === "customer-access" ? "problems" : "detail"]?.items?.properties ?? {};
      const imports = file === "office" ? [...IMPORT_PROBLEM_CODES, ...UNDO_PROBLEM_CODES] : [];
      expect(resolve(fields["code"]).enum).toEqual([...new Set<string>([...PROBLEM_CODES, ...imports])]);
    },
  );
});
