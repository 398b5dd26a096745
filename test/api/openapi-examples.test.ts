import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { fillWhereEmpty } from "#scripts/demo/fill.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { aTenant } from "#support/databases.ts";
import { askExample } from "#support/examples.ts";
import { operationsOf } from "#tools/fuzz/operations.ts";

/** Operations whose examples show the form of a call, and why they cannot work as they stand. */
const UNWORKABLE: Readonly<Record<string, string>> = {
  notifyPayment: "only a gateway can say what became of a payment",
  showPayment: "a payment is named by an unguessable id, which only its visitor has",
  resolveOperation: "the demo account has no field work that was refused",
  keepFile: "the bytes of a photo are no text that a document could show",
  readFile: "no photo lies under the example's hash",
};

beforeAll(async () => {
  await emptyDatabase(env.TENANT_ACME);
  await fillWhereEmpty("acme", env.TENANT_ACME, { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined });
  await aTenant(env).freshSnapshot();
}, 120_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

let freeAccessId = "";
const named: Record<string, unknown> = {};

/** Keeps of an answer what the operations after it are asked of. */
function learn(operation: string, answer: unknown): void {
  const { shopping_cart, booking, free_access_id, data } = answer as {
    readonly shopping_cart?: { readonly free_access_id: string };
    readonly booking?: { readonly id?: number };
    readonly free_access_id?: string;
    readonly data?: readonly { readonly id: number }[];
  };
  freeAccessId = free_access_id ?? shopping_cart?.free_access_id ?? freeAccessId;
  if (operation === "readBooking" && booking) named["draftDocument"] = booking.id;
  if (operation === "readReservation") named["cancelTransfer"] = booking?.id;
  if (operation === "listInternalBonds") named["reportInternalBondProcessed"] = data?.[0]?.id;
}

describe.each(Object.entries(openApiDocuments))(
  "the examples of %s work with the demo account:",
  (family, describeIt) => {
    const operations = operationsOf(family, describeIt()).filter(({ name }) => UNWORKABLE[name] === undefined);

    test.each(operations)("$name", async (operation) => {
      const answer = await askExample(operation, { freeAccessId, named });
      const text = await answer.text();
      expect({ status: answer.status, text: answer.ok ? "" : text }).toEqual({
        status: expect.toSatisfy(isWell),
        text: "",
      });
      if (answer.headers.get("Content-Type")?.startsWith("application/json")) learn(operation.name, JSON.parse(text));
    });
  },
);

function isWell(status: number): boolean {
  return status === 200 || status === 303;
}

test("the operations whose examples cannot work are there", () => {
  const names = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    operationsOf(family, describeIt()).map(({ name }) => name),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys(UNWORKABLE)));
});
