import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { UNRUNNABLE_EXAMPLES } from "#docs/build/unrunnable-examples.ts";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { blockWrites, countWrites } from "#support/observed-writes.ts";
import { createOfficeCallers, type OfficeCaller } from "#support/office-callers.ts";
import {
  LOWEST_ROLE_BY_RIGHT,
  STAFF_ROLES,
  STAFF_WRITES,
  type StaffRole,
  type StaffWrite,
} from "#support/office-rights.ts";
import { findUnboundTexts, listParameterTexts } from "#support/unbound-texts.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

const FAMILIES = ["office", "documents", "check-in"] as const;

/** In the gate, callers try one in this many writes, CALLERS_OF_ALL try all. In a release, all callers try all. */
const SAMPLE = inject("isThorough") ? 1 : 6;
const CALLERS_OF_ALL: ReadonlySet<OfficeCaller> = new Set(["administrator", "elsewhere"]);

/** Writes in an order in which examples find what earlier ones create. */
const writes = FAMILIES.flatMap((family) => listOperations(family, openApiDocuments[family]?.() ?? {}))
  .filter(({ method, credential }) => method !== "GET" && credential === "token")
  .toSorted((a, b) => Number(isCreation(b)) - Number(isCreation(a)));

/** Writes that respond to a vehicle of another branch as to an unknown vehicle. */
const HIDES_REFERENCE: ReadonlySet<string> = new Set(["createVehicleService"]);

/** Tables of money and of access. */
const PROTECTED_TABLES =
  /^(charges|charge_allocations|cash_closings|refund_requests|gateway_refunds|payment_\w+|agency_commissions|users|user_branches|user_sessions|password_resets|second_factors|recovery_codes|passkeys|partner_keys|engine_keys|account_secrets|webhooks|check_in_devices|calendars)$/;
/** Operations that only mark charges as changed for the accounting, or change a user's language. */
const WITHOUT_EFFECT = [
  "createBranch",
  "removeBranch",
  "createSalesChannel",
  "removeSalesChannel",
  "changeOwnSettings",
];
/** Operations with a declared second-factor rule. */
const STEP_UPS: ReadonlySet<string> = new Set(
  FAMILIES.flatMap((family) => {
    const { paths } = (openApiDocuments[family]?.() ?? { paths: {} }) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    return operations.filter((operation) => "x-step-up" in operation).map(({ operationId }) => operationId);
  }),
);
interface DeclaredOperation {
  readonly operationId: string;
}

let tokens: Awaited<ReturnType<typeof createOfficeCallers>>;
/** Number of texts in the sent examples, and those that a statement contains. */
const parameters = { texts: 0, unbound: [] as string[] };
/** Tables that the examples of an administrator would change, by operation. */
const writtenTables = new Map<string, ReadonlySet<string>>();
const learnedValues = new IdsFromResponses();
learnedValues.freeAccessId = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";

beforeAll(async () => {
  tokens = await createOfficeCallers();
}, 180_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

test("declares for every write operation of staff the permission and the branches that it requires", () => {
  expect([...STAFF_WRITES.keys()].toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
  expect(writes.length).toBeGreaterThan(230);
});

describe("write operations of staff", () => {
  /** Writes whose example an administrator could carry out, or that the database alone stopped. */
  const reached = new Set<string>();

  // Proves "security.md": A73
  test.each(writes)(
    "allows $name only to callers with the required permission, and changes nothing for others",
    async (operation) => {
      vi.spyOn(console, "log").mockImplementation(() => undefined);
      const declared = STAFF_WRITES.get(operation.name);
      if (!declared) throw new Error(`${operation.name} has no row in office-rights.ts`);
      const isSampled = writes.indexOf(operation) % SAMPLE === 0;
      for (const caller of [...tokens.keys()].filter((name) => isSampled || CALLERS_OF_ALL.has(name))) {
        const { isReached, ...response } = await sendAs(caller, operation, declared);
        expect({ caller, ...response }).toEqual({ caller, ...expectResponse(operation, caller, declared) });
        if (caller === "administrator" && isReached) reached.add(operation.name);
      }
      if (isCreation(operation) && !UNRUNNABLE_EXAMPLES[operation.name]) await create(operation);
    },
  );

  // Proves "security.md": V24
  test("passes every text of a write operation's example to SQL as a bound parameter", () => {
    expect(parameters.unbound).toEqual([]);
    expect(parameters.texts).toBeGreaterThan(inject("isThorough") ? 1_000 : 500);
  });

  // Proves "security.md": A27
  test("declares a second-factor rule for every operation that changes a table of money or access", () => {
    const undeclared = [...writtenTables].flatMap(([name, tables]) => {
      const protectedTables = [...tables].filter((table) => PROTECTED_TABLES.test(table));
      return protectedTables.length === 0 || STEP_UPS.has(name) ? [] : [name];
    });
    expect(undeclared.toSorted()).toEqual([...WITHOUT_EFFECT].toSorted());
    expect(listWrittenTables(['INSERT OR IGNORE INTO "charges" (id)', "update users SET x = 1", "SELECT 1"])).toEqual(
      new Set(["charges", "users"]),
    );
  });

  test("writes to the database with more than 180 of the write operations sent as an administrator", () => {
    expect(reached.size).toBeGreaterThan(180);
  });
});

function isCreation({ name, path, method }: Operation): boolean {
  return method === "POST" && name.startsWith("create") && !path.includes("{");
}

// Creates the resource that later examples change or remove, except the customer: theirs must have a branch.
async function create(operation: Operation): Promise<void> {
  const { bindings, count } = countWrites(env);
  const response = await sendExample(operation, learnedValues, bindings, tokens.get("administrator"));
  expect(count() > 0).toBe(response.ok);
  if (response.ok) learnedValues.learn(operation.name, await response.json());
  delete learnedValues.valuesByName["changeCustomer"];
}

function listWrittenTables(statements: Iterable<string>): ReadonlySet<string> {
  const pattern = /\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+["`]?(\w+)/gi;
  return new Set([...statements].flatMap((sql) => [...sql.matchAll(pattern)].map(([, table = ""]) => table)));
}

function isAllowed(caller: OfficeCaller, { right, reach }: StaffWrite): boolean {
  if (caller === "elsewhere") return reach !== "branch" && right !== "administer";
  const firstRole = LOWEST_ROLE_BY_RIGHT[right];
  return (
    isStaffRole(caller) && firstRole !== undefined && STAFF_ROLES.indexOf(caller) >= STAFF_ROLES.indexOf(firstRole)
  );
}

function isStaffRole(caller: OfficeCaller): caller is StaffRole {
  return STAFF_ROLES.some((role) => role === caller);
}

interface Outcome {
  readonly status: number;
  readonly code: string;
  /** Right that a refusal names. */
  readonly right: string | undefined;
  readonly changes: number;
}

/**
 * Sends an example as a caller. Writes of callers with the right are blocked, so that later callers find the same data.
 */
async function sendAs(
  caller: OfficeCaller,
  operation: Operation,
  declared: StaffWrite,
): Promise<Outcome & { isReached: boolean }> {
  const isBlocked = isAllowed(caller, declared);
  const { bindings, count, statements } = isBlocked ? blockWrites(env) : countWrites(env);
  const outcome = await send(operation, caller, bindings);
  const texts = listParameterTexts("", operation.body?.example);
  parameters.texts += texts.length;
  for (const text of findUnboundTexts(texts, statements)) parameters.unbound.push(`${operation.name}: ${text}`);
  if (caller === "administrator") writtenTables.set(operation.name, listWrittenTables(statements));
  return { ...outcome, changes: isBlocked ? 0 : count(), isReached: count() > 0 || outcome.status < 300 };
}

async function send(operation: Operation, caller: OfficeCaller, bindings: Cloudflare.Env) {
  const response = await sendExample(operation, learnedValues, bindings, tokens.get(caller));
  const text = await response.text();
  // Some responses are empty or PDF.
  const { code, results, detail } = text.startsWith("{") ? JSON.parse(text) : {};
  const [first] = Array.isArray(detail) ? detail : [];
  const right = first?.field === "right" ? first.message : undefined;
  return { status: response.status, code: String(code ?? results?.[0]?.code ?? ""), right };
}

function expectResponse(operation: Operation, caller: OfficeCaller, declared: StaffWrite): Outcome {
  if (isAllowed(caller, declared))
    return {
      status: expect.toSatisfy((status: number) => ![401, 403].includes(status)),
      code: expect.any(String),
      right: undefined,
      changes: 0,
    };
  return { right: undefined, ...expectRefusal(operation, caller, declared), changes: 0 };
}

function expectRefusal({ family, name }: Operation, caller: OfficeCaller, { right }: StaffWrite) {
  if (caller === "anonymous" || caller === "otherAccount") return { status: 401, code: "not_signed_in" };
  const code = expect.stringMatching(/^\w+$/);
  if (caller === "customer") return { status: 403, code };
  if (caller === "elsewhere" && !isAllowed("manager", { right, reach: "branch" }))
    return expectMissingRight(family, right);
  if (caller === "elsewhere" && HIDES_REFERENCE.has(name)) return { status: 400, code: "invalid_input" };
  if (caller === "elsewhere") return { status: expect.toSatisfy((status) => status === 403 || status === 404), code };
  return expectMissingRight(family, right);
}

function expectMissingRight(family: string, right: string) {
  // Check-in has roles only.
  if (family === "check-in") return { status: 403, code: "role_forbidden" };
  return { status: 403, code: "permission_denied", right };
}
