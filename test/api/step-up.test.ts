import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly "x-step-up"?: { readonly kind: string; readonly required: string; readonly reason?: string };
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const operations = Object.entries(openApiDocuments).flatMap(([, describeIt]) => {
  const { servers, paths, components } = describeIt() as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const body = described.requestBody?.content["application/json"];
      const fields = body ? listFields(body.schema, components.schemas) : new Set<string>();
      const isStaffs = (described.security ?? []).some((scheme) => Object.keys(scheme).join() === "token");
      return { ...described, method, path, fields, isStaffs, body, base: servers[0]?.url ?? "" };
    }),
  );
});
type Operation = (typeof operations)[number];

function listFields(schema: Schema, schemas: Document["components"]["schemas"]): Set<string> {
  const { $ref, properties = {}, items, allOf = [], anyOf = [] } = schema;
  const referencedSchemas = $ref === undefined ? [] : [schemas[$ref.split("/").at(-1) ?? ""] ?? {}];
  const inner = [...referencedSchemas, ...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf];
  return new Set([...Object.keys(properties), ...inner.flatMap((part) => [...listFields(part, schemas)])]);
}

const MONEY_FIELDS = ["amount", "payment_method_id", "fee", "charges", "taken_out"];
const ACCESS =
  /session|factor|passkey|user|key|device|seal|secret|logout|webhook|gateway|certificate|calendar|\/(erase|merge)$/;

/** Kind of an operation, derived from its address, its fields and what it answers. */
function deriveKinds({ isStaffs, method, path, tags, fields, responses }: Operation): string[] {
  if (!isStaffs || path.startsWith("/web-customer/")) return [];
  const writes = method !== "get" && !path.endsWith("/quote");
  const isMoney = tags.some((tag) => tag === "Money" || tag === "Charges") || MONEY_FIELDS.some((it) => fields.has(it));
  const types = Object.keys(responses["200"]?.content ?? {});
  const isTable = types.some((type) => type === "text/csv" || type.includes("spreadsheet"));
  const isExport = isTable || /\/export$|security-events/.test(path);
  return [
    ...(writes && isMoney ? ["money"] : []),
    ...(writes && ACCESS.test(path) ? ["access"] : []),
    ...(method === "get" && isExport ? ["people"] : []),
  ];
}

/** Lists the operations that move money, end access or export people's data and don't declare it. */
function listUndeclared(checked: readonly Operation[]): readonly string[] {
  return checked
    .filter((operation) => {
      const kinds = deriveKinds(operation);
      return kinds.length > 0 && !kinds.includes(operation["x-step-up"]?.kind ?? "");
    })
    .map(({ operationId }) => operationId);
}

const sensitive = operations.filter((operation) => deriveKinds(operation).length > 0);
const protectedOperations = operations.filter((operation) => operation["x-step-up"]?.required === "always");

// Proves "security.md": A27
test("declares a second-factor rule for every operation that moves money, ends access or exports people's data", () => {
  expect(sensitive.length).toBeGreaterThan(100);
  expect(listUndeclared(operations)).toEqual([]);
});

test("finds every operation whose declaration of the second factor is missing", () => {
  const names = sensitive.map(({ operationId }) => operationId);
  expect(listUndeclared(sensitive.map(({ "x-step-up": _, ...operation }) => operation))).toEqual(names);
  expect(names).toEqual(
    expect.arrayContaining(["refundReservation", "captureCardHold", "signOutEverywhere", "exportCustomersWorkbook"]),
  );
});

test("declares a reason for every operation that doesn't always require the second factor", () => {
  const declared = operations.flatMap(({ operationId, "x-step-up": stepUp }) =>
    stepUp ? [{ operationId, stepUp }] : [],
  );
  expect(declared.filter(({ stepUp }) => stepUp.required !== "always")).not.toEqual([]);
  const unexplained = declared.filter(({ stepUp }) => stepUp.required !== "always" && !stepUp.reason);
  expect(unexplained).toEqual([]);
});

interface Condition {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly refusal?: string;
  /** The document's example by default. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const RETURN_IN_CASH = { kind: "deposit_returned", amount: "300.00", payment_method_id: "cash" };
const HAND_OVER: Condition = {
  path: { id: "7" },
  body: { expected_version: 1, reference: "A-1", charges: [RETURN_IN_CASH] },
};

/** Requests under which conditional operations require the second factor. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  addPasskey: {},
  // An authenticator app must be removed first, which requires the proof.
  beginSecondFactor: { refusal: "second_factor_exists" },
  closeCash: {},
  collectVehicle: HAND_OVER,
  confirmSecondFactor: {},
  deliverVehicle: HAND_OVER,
  enterCharge: { path: { id: "7" }, body: { request_id: crypto.randomUUID(), ...RETURN_IN_CASH } },
  showReport: { path: { name: "revenue.csv" }, query: { group: "customer" } },
};

describe("with a stale second factor", () => {
  let token = "";

  beforeEach(async () => {
    await setUpCompany();
    await addTestUsers();
    token = await createToken("boss");
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        "INSERT INTO second_factors (user_id, sealed, confirmed_at, last_step) VALUES (3, 'sealed', 1, 0)",
      ),
      env.TENANT_ACME.prepare("UPDATE user_sessions SET second_factor_at = ?").bind(Date.now() - 16 * 60_000),
    ]);
  });

  // Proves "security.md": A28
  test("refuses every operation that is declared to require the second factor if the proof is stale", async () => {
    expect(protectedOperations.length).toBeGreaterThan(30);
    const accepted = [];
    for (const operation of protectedOperations) {
      const response = await send(operation);
      const answer = await response.text();
      if (response.status !== 403 || !answer.includes("second_factor_stale"))
        accepted.push([operation.operationId, response.status, answer.slice(0, 200)]);
    }
    expect(accepted).toEqual([]);
  }, 60_000);

  // Proves "security.md": A27
  test("refuses every operation that is declared to require the second factor sometimes, under its condition", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET deposit_held_cents = 30000 WHERE id = 7").run();
    const conditional = operations.filter((operation) => operation["x-step-up"]?.required === "sometimes");
    expect(conditional.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(CONDITIONS).sort());
    const accepted = [];
    for (const operation of conditional) {
      const condition = CONDITIONS[operation.operationId];
      const response = await send(operation, condition);
      const answer = await response.text();
      if (response.ok || !answer.includes(`"${condition?.refusal ?? "second_factor_stale"}"`))
        accepted.push([operation.operationId, response.status, answer.slice(0, 200)]);
    }
    expect(accepted).toEqual([]);
  });

  function send(
    { base, path, method, parameters = [], requestBody }: Operation,
    condition: Condition = {},
  ): Promise<Response> {
    const examples = new Map(
      parameters.map((it) => [it.name, (it as { example?: unknown }).example ?? it.schema.example]),
    );
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(condition.path?.[name] ?? examples.get(name) ?? 1)),
    );
    const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const isJson = contentType === "application/json";
    const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
    const query = new URLSearchParams([
      ...required.map(({ name }) => [name, String(examples.get(name) ?? "")]),
      ...(method === "delete" ? [["expected_version", "1"]] : []),
      ...Object.entries(condition.query ?? {}),
    ]);
    return requestWorker(`http://acme.localhost:8787${base}${address}?${query}`, {
      method: method.toUpperCase(),
      headers: {
        Authorization: token,
        "Idempotency-Key": `"${crypto.randomUUID()}"`,
        ...(isJson && { "Content-Type": "application/json" }),
      },
      ...(isJson && { body: JSON.stringify(condition.body ?? content?.example ?? {}) }),
    });
  }
});
