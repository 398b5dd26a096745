import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { callOffice } from "#support/office.ts";
import { createOfficeCallers, type OfficeCaller } from "#support/office-callers.ts";
import {
  COMPANY_WIDE_READS,
  getReadRight,
  LOWEST_ROLE_BY_RIGHT,
  RIGHT_BY_RESTRICTED_READ,
  STAFF_ROLES,
  type StaffRole,
} from "#support/office-rights.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

const FAMILIES = ["office", "documents", "check-in", "staff-analytics"] as const;
/** In the gate, callers without any right try one in this many reads, in a release all. */
const SAMPLE = inject("isThorough") ? 1 : 6;

const reads = FAMILIES.flatMap((family) => listOperations(family, openApiDocuments[family]?.() ?? {})).filter(
  ({ method, credential }) => method === "GET" && credential === "token",
);

let tokens: Awaited<ReturnType<typeof createOfficeCallers>>;
const learnedValues = new IdsFromResponses();

beforeAll(async () => {
  tokens = await createOfficeCallers();
  await learnIds();
}, 180_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Learns the first id of each list, because the examples of some resources name others. */
async function learnIds(): Promise<void> {
  const token = tokens.get("administrator") ?? "";
  for (const { path, family } of reads) {
    const list = path.replace("/api/v1/office", "");
    const singles = reads.filter((read) => read.path.startsWith(`${path}/{`));
    if (family !== "office" || list.includes("{") || list.includes(".") || singles.length === 0) continue;
    const answer = await callOffice("GET", list, { token });
    if (!answer.ok) continue;
    const { data } = await answer.json<{ data?: readonly Readonly<Record<string, unknown>>[] }>();
    const item = data?.find(({ id }) => id !== "FAR");
    for (const { name, path: single } of singles.filter(({ path: single }) => single.split("{").length === 2))
      learnedValues.valuesByName[name] = item?.[single.includes("{reference}") ? "reference" : "id"];
  }
}

async function send(operation: Operation, caller: OfficeCaller) {
  const response = await sendExample(operation, learnedValues, env, tokens.get(caller));
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const { code, detail } = text.startsWith("{") ? JSON.parse(text) : {};
  const [first] = Array.isArray(detail) ? detail : [];
  const right = first?.field === "right" ? String(first.message) : undefined;
  return { status: response.status, ...(code && { code }), ...(right && { right }) };
}

function mayRead(role: StaffRole, { name }: Operation): boolean {
  const firstRole = LOWEST_ROLE_BY_RIGHT[getReadRight(name)] ?? "administrator";
  return STAFF_ROLES.indexOf(role) >= STAFF_ROLES.indexOf(firstRole);
}

/** Returns the strongest role that may not read and the weakest that may. In a release, all roles. */
function listTriedRoles(operation: Operation): readonly StaffRole[] {
  if (inject("isThorough")) return STAFF_ROLES;
  const first = STAFF_ROLES.findIndex((role) => mayRead(role, operation));
  return STAFF_ROLES.slice(Math.max(0, first - 1), first + 1);
}

test("declares read permissions and branch limits only for existing read operations", () => {
  const names = new Set(reads.map(({ name }) => name));
  expect([...RIGHT_BY_RESTRICTED_READ.keys(), ...COMPANY_WIDE_READS].filter((name) => !names.has(name))).toEqual([]);
  expect(reads.length).toBeGreaterThan(230);
});

/** Returns the refusal of a role without the right that a read needs. */
function expectRefusal({ family, name }: Operation) {
  // Check-in has roles only.
  if (family === "check-in") return { status: 403, code: "role_forbidden" };
  return { status: 403, code: "permission_denied", right: getReadRight(name) };
}

/** Returns the status for a manager of another branch. */
function expectElsewhere(operation: Operation): number {
  if (!mayRead("manager", operation)) return 403;
  return COMPANY_WIDE_READS.has(operation.name) ? 200 : 404;
}

describe("reads of staff", () => {
  // Proves "security.md": A73
  test.each(reads)("allows $name only to staff of the account with the required permission", async (operation) => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    if (reads.indexOf(operation) % SAMPLE === 0) {
      for (const caller of ["anonymous", "otherAccount"] as const)
        expect([caller, await send(operation, caller)]).toEqual([caller, { status: 401, code: "not_signed_in" }]);
      expect(await send(operation, "customer")).toMatchObject({ status: 403 });
    }
    for (const role of listTriedRoles(operation)) {
      const answer = await send(operation, role);
      if (mayRead(role, operation)) expect([role, answer.status]).toEqual([role, expect.toSatisfy(isAnswered)]);
      else expect([role, answer]).toEqual([role, expectRefusal(operation)]);
    }
  });

  // Proves "security.md": A73
  test.each(reads.filter(({ path }) => path.includes("{id}") || path.includes("{reference}")))(
    "hides the record of $name from users of other branches, unless it belongs to the whole company",
    async (operation) => {
      expect((await send(operation, "elsewhere")).status).toBe(expectElsewhere(operation));
    },
  );

  test("answers most reads of single records by an administrator with 200", async () => {
    const single = reads.filter(({ path }) => path.includes("{"));
    const statuses = await Promise.all(single.map(async (read) => (await send(read, "administrator")).status));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(single.length - 15);
  });
});

const isAnswered = (status: number) => ![401, 403].includes(status) && status < 500;

describe("lists and reports for a user of another branch", () => {
  /** Values that only records of other branches contain. */
  let foreign: ReadonlySet<string>;

  beforeAll(async () => {
    const list = async (sql: string) => (await env.TENANT_ACME.prepare(sql).raw<[string]>()).map(([text]) => text);
    foreign = new Set([
      ...(await list("SELECT email FROM customers WHERE email IS NOT NULL")),
      ...(await list("SELECT document_id FROM customers WHERE length(document_id) > 5")),
      ...(await list("SELECT reference FROM vehicles WHERE length(reference) > 4")),
      ...(await list("SELECT customer_email FROM bookings WHERE customer_email IS NOT NULL")),
    ]);
    expect(foreign.size).toBeGreaterThan(300);
  });

  const lists = reads.filter(({ path }, index) => !path.includes("{") && index % SAMPLE === 0);

  /** Reads a list with its required parameters only, so that no filter hides rows. */
  async function findForeignValues(operation: Operation, caller: OfficeCaller): Promise<readonly string[]> {
    const query = operation.parameters
      .filter(({ in: place, required }) => place === "query" && required)
      .map(({ name, example, schema }) => [name, String(WIDE_QUERY[name] ?? example ?? schema.example)]);
    const url = `http://acme.localhost:8787${operation.path}?${new URLSearchParams(query)}`;
    const response = await requestWorker(url, { headers: { Authorization: tokens.get(caller) ?? "" } });
    const text = new TextDecoder().decode(await response.arrayBuffer());
    return text.match(/[\w.+-]+@[\w.-]+|[A-Z0-9-]{5,}/g)?.filter((value) => foreign.has(value)) ?? [];
  }

  // Proves "security.md": A73
  test("lists no customer, document or vehicle of other branches, except to an administrator", async () => {
    const showing = { elsewhere: [] as string[], administrator: [] as string[] };
    for (const operation of lists)
      for (const caller of ["elsewhere", "administrator"] as const)
        if ((await findForeignValues(operation, caller)).length > 0) showing[caller].push(operation.name);
    expect(showing.elsewhere).toEqual([]);
    expect(showing.administrator.length).toBeGreaterThan(inject("isThorough") ? 15 : 2);
  });
});

/** Values of required parameters that select many rows. */
const WIDE_QUERY: Readonly<Record<string, string>> = { q: "a", from: "2020-01-01", date_from: "2020-01-01" };
