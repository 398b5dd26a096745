import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { setUpCompany } from "#support/company.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

const ADDRESS = "203.0.113.9";
const DOCUMENT = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";

/** Public writes without a limit by network, with the reason. */
const UNLIMITED: ReadonlyMap<string, string> = new Map([
  [
    "notifyPayment",
    "Gateways send many notifications from few addresses. Only forged ones count (visitor-limits.test.ts)",
  ],
  ["readReservationByPost", "Reads a reservation, as its GET does. Its id can't be guessed"],
]);

/** Operations of partners are limited by key (test/api/integration/rate-limit.test.ts). */
const operations = Object.entries(openApiDocuments)
  .flatMap(([family, describe]) => listOperations(family, describe()))
  .filter(({ credential }) => credential !== "signature");
const isLimited = ({ answers, family }: Operation) => answers.has("429") && !family.endsWith("analytics");

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

/** Returns bindings whose limits refuse every request, with the keys that they counted. */
function closeLimits() {
  const keys: string[] = [];
  const closed = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) < 1 }) } as RateLimit;
  return { bindings: { ...env, IP_RATE_LIMITER: closed, VISITOR_RATE_LIMITER: closed }, keys };
}

const QUOTE_PAGES = [
  ["GET", `/quote/${DOCUMENT}`],
  ["GET", `/quote/${DOCUMENT}/quote.pdf`],
  ["POST", `/quote/${DOCUMENT}/accept`],
  ["POST", `/quote/${DOCUMENT}/decline`],
] as const;

// Proves "security.md": A77
test("declares a limit by network for every public write, except those listed with a reason", () => {
  const writes = operations.filter(({ method, credential }) => method !== "GET" && credential === "none");
  expect(writes.length).toBeGreaterThan(25);
  const unlimited = writes.filter((operation) => !isLimited(operation) || operation.name === "notifyPayment");
  expect(unlimited.map(({ name }) => name).toSorted()).toEqual([...UNLIMITED.keys()].toSorted());
});

// Proves "security.md": A77
test("answers 429 to each operation with a limit by network once it is exceeded, counted by account and network", async () => {
  const token = await createToken("boss");
  const values = new IdsFromResponses();
  values.freeAccessId = DOCUMENT;
  const limited = operations.filter((operation) => isLimited(operation) && !UNLIMITED.has(operation.name));
  expect(limited.length).toBeGreaterThan(40);
  const failures = [];
  for (const operation of limited) {
    const { bindings, keys } = closeLimits();
    const authorization = operation.credential === "token" ? token : null;
    const headers = { "CF-Connecting-IP": ADDRESS };
    const response = await sendExample(operation, values, bindings, authorization, headers);
    const isCounted = keys.length === 1 && /^acme\/\w+\/203\.0\.113\.9$/.test(keys[0] ?? "");
    if (response.status !== 429 || !isCounted) failures.push([operation.name, response.status, keys]);
  }
  expect(failures).toEqual([]);
});

// Proves "security.md": A77
test.each(QUOTE_PAGES)("limits %s %s by network", async (method, path) => {
  const { bindings, keys } = closeLimits();
  const init = { method, headers: { "CF-Connecting-IP": ADDRESS } };
  expect((await requestWorker(`http://acme.localhost:8787${path}`, init, bindings)).status).toBe(429);
  expect(keys).toEqual([`acme/own_booking/${ADDRESS}`]);
});
