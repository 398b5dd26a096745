import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { openTestTenant } from "#support/databases.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";
import { resolveSchema } from "#tools/fuzz/schemas.ts";

// Empty values in optional members (docs/interfaces/conventions.md#empty-values).

const CONTRACTS = 50;
const learnedValues = new IdsFromResponses();

beforeAll(async () => {
  await emptyDatabase(env.TENANT_ACME);
  const options = { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined, contracts: CONTRACTS };
  await seedIfEmpty("acme", env.TENANT_ACME, options);
}, 120_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Operations that treat an empty text as missing: queries, sales and actions. Stored values are cleared with null. */
const ABSENT: Readonly<Record<string, (operation: Operation, empty: "" | null) => boolean>> = {
  ota: () => true,
  "rental-engine": () => true,
  "transfer-engine": () => true,
  documents: () => true,
  office: ({ method, name }, empty) => method === "POST" && empty === "" && !KEEPS_EMPTY.has(name),
};
/** Operations that accept empty values as a change: quotes, sessions and persons of a report. */
const KEEPS_EMPTY = new Set(["quoteReservationAction", "endStaffSession", "completeMinistryReports"]);
/** Operations that can't be repeated or that need a file. */
const NOT_HERE = /password|secondFactor|passkey|import|erase|signOut|endSession|createDriverAgeRule/i;
/** Pairs of fields of which one is required, so both can't be empty. */
const REFERENCE_FIELDS = /^(sales_channel_code|pickup_place|.*_point_id|.*_zone_id|branch_.*|.*_place_id)$/;

const operations = Object.entries(openApiDocuments)
  .flatMap(([family, describeIt]) => listOperations(family, describeIt()))
  .filter(({ body, name }) => body?.contentType === "application/json" && !NOT_HERE.test(name));

/** Lists optional members of a body that its example omits. */
function listUnsetFields({ body, schemas }: Operation): readonly string[] {
  const schema = resolveSchema(body?.schema ?? {}, schemas);
  const exampleFields = Object.keys((body?.example ?? {}) as object);
  const names = Object.keys(schema.properties ?? {});
  return names.filter(
    (name) => !schema.required?.includes(name) && !exampleFields.includes(name) && !REFERENCE_FIELDS.test(name),
  );
}

async function sendWithEmpty(operation: Operation, empty: "" | null | undefined) {
  await openTestTenant(env).freshSnapshot();
  const more = empty === undefined ? {} : Object.fromEntries(listUnsetFields(operation).map((name) => [name, empty]));
  const example = { ...((operation.body?.example ?? {}) as object), ...more };
  const answer = await sendExample({ ...operation, body: { ...operation.body, example } } as Operation, learnedValues);
  return { status: answer.status, text: await answer.text() };
}

/** Lists optional text columns that contain an empty text. */
async function findStoredEmpties(): Promise<readonly string[]> {
  const { results } = await env.TENANT_ACME.prepare(
    `SELECT m.name AS "table", p.name AS "column" FROM sqlite_master AS m, pragma_table_info(m.name) AS p
      WHERE m.type = 'table' AND p."notnull" = 0 AND p.type = 'TEXT' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  ).all<{ table: string; column: string }>();
  const emptyCounts = await env.TENANT_ACME.batch<{ count: number }>(
    results.map(({ table, column }) =>
      env.TENANT_ACME.prepare(`SELECT count(*) AS count FROM "${table}" WHERE "${column}" = ''`),
    ),
  );
  return results.filter((_, at) => emptyCounts[at]?.results[0]?.count).map(({ table, column }) => `${table}.${column}`);
}

/** Returns errors in the handling of empty members by an operation. */
async function findFaults(operation: Operation): Promise<readonly string[]> {
  const exampleFields = await sendWithEmpty(operation, undefined);
  if (exampleFields.status < 300) learnedValues.learn(operation.name, JSON.parse(exampleFields.text || "{}"));
  const faults: string[] = [];
  for (const empty of ["", null] as const) {
    const { status, text } = await sendWithEmpty(operation, empty);
    const mayRefuse = !ABSENT[operation.family]?.(operation, empty);
    const isNamed = status === 400 && listUnsetFields(operation).some((name) => text.includes(name));
    // A rejected repetition isn't an error: the unchanged example would be rejected, too.
    const isRepeated = status === 409 || (status === 400 && text === (await sendWithEmpty(operation, undefined)).text);
    const isWell = status < 300 || isRepeated || status === exampleFields.status || (isNamed && mayRefuse);
    if (!isWell) faults.push(`${operation.name} ${JSON.stringify(empty)}: ${status} ${text.slice(0, 300)}`);
  }
  return faults;
}

describe.each(Object.keys(openApiDocuments))("%s", (family) => {
  const own = operations.filter((operation) => operation.family === family && listUnsetFields(operation).length > 0);

  // Proves "rules.md: sales and payments": … for websites, in the office and at every other interface: absent or
  //   refused by name, never kept as such
  test("treats empty text as absent or rejects it by name, and never stores it", async () => {
    const faults: (readonly string[])[] = [];
    for (const operation of own) faults.push(await findFaults(operation));
    expect(faults.flat()).toEqual([]);
    expect(await findStoredEmpties()).toEqual([]);
  });
});
