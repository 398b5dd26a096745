import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { fillWhereEmpty } from "#scripts/demo/fill.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { aTenant } from "#support/databases.ts";
import { askExample } from "#support/examples.ts";
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

/** Operations whose examples show the form of a call, and why they cannot work as they stand. */
const UNWORKABLE: Readonly<Record<string, string>> = {
  notifyPayment: "only a gateway can say what became of a payment",
  showPayment: "a payment is named by an unguessable id, which only its visitor has",
  resolveOperation: "the demo account has no field work that was refused",
  keepFile: "the bytes of a photo are no text that a document could show",
  readFile: "no photo lies under the example's hash",
  changeOwnBooking: "the last booking of the examples before it is a transfer, which is not changed",
  cancelOwnBooking: "it would end the booking that the examples of payments pay",
  createGateway: "the demo account has every gateway already",
  exchangeDocument: "the first document of the demo account is no simplified invoice",
  removeDocumentSeries: "the series of the demo account have documents",
  approveRefund: "no refund of the demo account waits, and another manager than the one who asked approves",
  declineRefund: "no refund of the demo account waits",
  askGatewayAgain: "no gateway has refused a refund of the demo account",
  refundByHand: "no gateway has refused a refund of the demo account",
  dropGatewayRefund: "no gateway has refused a refund of the demo account",
  printOwnContract: "the last booking of the examples before it is a transfer, which has no contract",
  printOwnDocument: "the last booking of the examples before it has no documents yet",
  printOwnReceipt: "the last booking of the examples before it has no charges yet",
  markDamageRepaired: "the vehicle of the examples has no damage",
  confirmReservation: "a move is decided on the state and the version that were read before",
  cancelReservation: "a move is decided on the state and the version that were read before",
  declareNoShow: "a move is decided on the state and the version that were read before",
  extendReservation: "a move is decided on the state and the version that were read before",
  endReservationEarly: "a move is decided on the state and the version that were read before",
  reopenReservation: "a move is decided on the state and the version that were read before",
  assignVehicle: "a move is decided on the state and the version that were read before",
  exchangeVehicle: "a move is decided on the state and the version that were read before",
  deliverVehicle: "a move is decided on the state and the version that were read before",
  collectVehicle: "a move is decided on the state and the version that were read before",
  confirmSecondFactor: "a code is made of the secret that was just told",
  addPasskey: "a passkey is made of the challenge that was just told",
  removePasskey: "a passkey is taken away after the second factor was proved",
  eraseCustomer: "the customer of the example has contracts that are not over",
  showDocumentRecord: "the invoices of the demo are older than its records for the tax agency",
  completeCommunications: "the demo's reservation 1 is at another version than the first",
  sendCommunicationAgain: "the ministry refused nothing of the demo's",
  amendDocumentRecord: "the invoices of the demo are older than its records for the tax agency",
  annulDocumentRecord: "the invoices of the demo are older than its records for the tax agency",
  endHolds: "nobody holds anything at the demo",
};

beforeAll(async () => {
  await emptyDatabase(env.TENANT_ACME);
  await fillWhereEmpty("acme", env.TENANT_ACME, { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined });
  await aTenant(env).freshSnapshot();
}, 120_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Lists that tell of the asking itself, or of what is late by now: they move while they are asked. */
const GROWING = new Set(["listSecurityEvents", "exportSecurityEvents", "listWhatWaits", "listAttention"]);

let freeAccessId = "";
const named: Record<string, unknown> = {};

/** Keeps of an answer what the operations after it are asked of. */
function learn(operation: string, answer: unknown): void {
  const { shopping_cart, booking, reservation, free_access_id, data } = answer as {
    readonly shopping_cart?: { readonly free_access_id: string };
    readonly booking?: { readonly id?: number };
    readonly free_access_id?: string;
    readonly reservation?: { readonly id: number };
    readonly data?: readonly { readonly id: number }[];
  };
  freeAccessId = free_access_id ?? shopping_cart?.free_access_id ?? freeAccessId;
  if (operation === "readBooking" && booking) named["draftDocument"] = booking.id;
  if (operation === "readReservation") named["cancelTransfer"] = booking?.id;
  const made = operation.startsWith("create") && Object.values(answer as object).find((one) => one?.version === 1)?.id;
  if (made) for (const name of followers(operation)) named[name] = made;
  if (operation === "createReservation") named["changeReservation"] = reservation?.id;
  if (operation === "listInternalBonds") named["reportInternalBondProcessed"] = data?.[0]?.id;
}

// What was made by an example is what the examples after it are about.
function followers(operation: string): readonly string[] {
  const thing = operation.replace(/^create/, "");
  return [`show${thing}`, `show${thing}History`, `change${thing}`, `remove${thing}`];
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
  return [200, 201, 204, 303].includes(status);
}

test("the operations whose examples cannot work are there", () => {
  const names = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    operationsOf(family, describeIt()).map(({ name }) => name),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys(UNWORKABLE)));
});

// Code goes out that works with the schema before its newest migration and after it: what the database does not have yet is an error, and no text.
describe("an account whose database does not have a column yet answers every read as before, or that it is being updated:", () => {
  const reads = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    operationsOf(family, describeIt()).filter(
      ({ method, name }) => method === "GET" && UNWORKABLE[name] === undefined && !GROWING.has(name),
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
      const answer = await askExample(operation, { freeAccessId, named });
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
