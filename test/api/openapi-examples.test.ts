import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NEEDS } from "#docs/build/needs.ts";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { fillWhereEmpty } from "#scripts/demo/fill.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { aTenant } from "#support/databases.ts";
import { askExample } from "#support/examples.ts";
import { Learned } from "#support/learned.ts";
import { operationsOf } from "#tools/fuzz/operations.ts";

/** Columns that reads show, as a migration would add them: not required, some tables of a kind at a time. */
const LATE_COLUMNS = {
  settings: [["settings", "base_url"]],
  catalogue: [
    ["branch_groups", "external_code"],
    ["branches", "whatsapp_number"],
    ["pickup_places", "iata"],
    ["categories", "seats"],
    ["extras", "maximum_price_cents"],
  ],
  vehicles: [
    ["vehicles", "color"],
    ["vehicle_damages", "note"],
  ],
  bookings: [
    ["bookings", "comments"],
    ["booking_units", "collection_fuel"],
  ],
  "people and papers": [
    ["customers", "address_city"],
    ["documents", "reference_detail"],
    ["document_items", "external_code"],
    ["charges", "origin"],
  ],
} as const;

beforeAll(async () => {
  await emptyDatabase(env.TENANT_ACME);
  await fillWhereEmpty("acme", env.TENANT_ACME, { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined });
  await aTenant(env).freshSnapshot();
}, 120_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Lists that tell of the asking itself, or of what is late by now: they move while they are asked. */
const GROWING = new Set(["listSecurityEvents", "exportSecurityEvents", "listWhatWaits", "listAttention"]);

const learned = new Learned();

describe.each(Object.entries(openApiDocuments))(
  "the examples of %s work with the demo account:",
  (family, describeIt) => {
    const operations = operationsOf(family, describeIt()).filter(({ name }) => NEEDS[name] === undefined);

    test.each(operations)("$name", async (operation) => {
      const answer = await askExample(operation, learned);
      const text = await answer.text();
      expect({ status: answer.status, text: answer.ok ? "" : text }).toEqual({
        status: expect.toSatisfy(isWell),
        text: "",
      });
      if (answer.headers.get("Content-Type")?.startsWith("application/json"))
        learned.learn(operation.name, JSON.parse(text));
    });
  },
);

function isWell(status: number): boolean {
  return [200, 201, 204, 303].includes(status);
}

test("the operations whose examples cannot work are there", () => {
  const names = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    operationsOf(family, describeIt()).map(({ name }) => name),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys(NEEDS)));
});

// Code goes out that works with the schema before its newest migration and after it: what the database does not have yet is an error, and no text.
describe("an account whose database does not have a column yet answers every read as before, or that it is being updated:", () => {
  const reads = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    operationsOf(family, describeIt()).filter(
      ({ method, name }) => method === "GET" && NEEDS[name] === undefined && !GROWING.has(name),
    ),
  );
  const MOVING = /"(server_date|server_time|at|now|free_access_id)":"[^"]*"/g;

  interface Read {
    readonly name: string;
    readonly status: number;
    readonly text: string;
  }

  let before: readonly Read[] = [];
  beforeAll(async () => {
    before = await readAll();
  });

  async function readAll(): Promise<readonly Read[]> {
    await env.TENANT_ACME.prepare("UPDATE catalogue_version SET version = version + 1").run();
    const answers = [];
    for (const operation of reads) {
      const answer = await askExample(operation, learned);
      answers.push({
        name: operation.name,
        status: answer.status,
        text: (await answer.text()).replace(MOVING, ""),
      });
    }
    return answers;
  }

  test.each(Object.entries(LATE_COLUMNS))("%s", async (_, columns) => {
    const rename = (to: (column: string) => readonly [string, string]) =>
      env.TENANT_ACME.batch(
        columns.map(([table, column]) => {
          const [from, into] = to(column);
          return env.TENANT_ACME.prepare(`ALTER TABLE ${table} RENAME COLUMN ${from} TO ${into}`);
        }),
      );
    await rename((column) => [column, `not_yet_${column}`]);
    try {
      const behind = await readAll();
      expect(behind.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
      for (const [index, { name, status, text }] of behind.entries()) {
        if (status === 503) expect(text).toContain("The account is being updated");
        else expect({ name, status, text }).toEqual(before[index]);
      }
      expect(behind.some(({ status }) => status === 503)).toBe(true);
    } finally {
      await rename((column) => [`not_yet_${column}`, column]);
    }
  });
});
