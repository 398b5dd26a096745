import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { createOfficeCallers } from "#support/office-callers.ts";
import { COMPANY_WIDE_READS, STAFF_WRITES } from "#support/office-rights.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

const FAMILIES = ["office", "documents", "check-in"] as const;
const writes = FAMILIES.flatMap((family) => listOperations(family, openApiDocuments[family]?.() ?? {})).filter(
  ({ name }) => STAFF_WRITES.get(name)?.reach === "branch",
);

/** The gate repeats one in this many writes, a release all. */
const SAMPLE = inject("isThorough") ? 1 : 3;
const repeatedWrites = writes.filter((_, index) => index % SAMPLE === 0);

/** Status that a reservation needs for an operation. All other operations need a confirmed reservation. */
const STATUSES: Readonly<Record<string, string>> = { confirmReservation: "pending_confirmation" };

const learnedValues = new IdsFromResponses();
let token: string | null = null;
/** Operations whose example the manager could carry out. */
const completed = new Set<string>();

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  token = (await createOfficeCallers()).get("manager") ?? null;
}, 180_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Returns the operation with the current version of a reservation that allows it. */
async function chooseReservation(operation: Operation): Promise<Operation> {
  const { name, path, body } = operation;
  if (!path.includes("/reservations/{id}")) return operation;
  const reservation = await env.TENANT_ACME.prepare(
    `SELECT id, version FROM bookings WHERE status = ? AND id NOT IN (SELECT booking_id FROM transfer_bookings)
      ORDER BY date_from DESC LIMIT 1`,
  )
    .bind(STATUSES[name] ?? "confirmed")
    .first<{ id: number; version: number }>();
  learnedValues.valuesByName[name] = reservation?.id;
  const example = { ...(body?.example as object) };
  if (!body || !("expected_version" in example)) return operation;
  return { ...operation, body: { ...body, example: { ...example, expected_version: reservation?.version } } };
}

const runForManager = (...statements: readonly string[]) =>
  env.TENANT_ACME.batch(statements.map((sql) => env.TENANT_ACME.prepare(sql)));
const moveAway = () =>
  runForManager(
    "UPDATE users SET all_branches = 0 WHERE username = 'manager'",
    "INSERT INTO user_branches SELECT id, 'FAR' FROM users WHERE username = 'manager'",
  );
const moveBack = () =>
  runForManager(
    "DELETE FROM user_branches WHERE user_id = (SELECT id FROM users WHERE username = 'manager')",
    "UPDATE users SET all_branches = 1 WHERE username = 'manager'",
  );

/** Whether users of all branches may read the resource of a write. */
const isReadByAll = (name: string) => COMPANY_WIDE_READS.has(name.replace(/^(create|change)/, "show"));

describe("a user who moved to another branch", () => {
  // Proves "security.md": A71
  test.each(repeatedWrites)(
    "returns no earlier answer to a repeated $name after the user moved to another branch",
    async (example) => {
      const operation = await chooseReservation(example);
      const headers = { "idempotency-key": crypto.randomUUID() };
      const send = () => sendExample(operation, learnedValues, env, token, headers);
      const first = await send();
      const text = await first.text();
      if (!first.ok) return expect(first.status).toBeLessThan(500);
      completed.add(operation.name);
      const again = await send();
      expect([again.status, await again.text()]).toEqual([first.status, text]);
      await moveAway();
      const repeated = await send();
      const answer = await repeated.text();
      await moveBack();
      // A removed resource has no branch any more.
      if (operation.method === "DELETE" && repeated.status === 204) return expect(answer).toBe("");
      if (!isReadByAll(operation.name)) expect([400, 403, 404]).toContain(repeated.status);
    },
  );

  test("completes more than half of the write operations that are repeated after the user moved to another branch", () => {
    expect(writes.length).toBeGreaterThan(100);
    expect(completed.size).toBeGreaterThan(repeatedWrites.length / 2);
  });
});
