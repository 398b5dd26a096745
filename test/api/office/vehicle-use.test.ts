import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import {
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  [boss, desk] = await Promise.all([createToken("boss"), createToken("desk")]);
});

interface Use {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const ask = (reference: string, at?: string, token = boss) =>
  callOffice("GET", `/vehicles/${reference}/use${at === undefined ? "" : `?at=${at}`}`, { token });
const whoHad = async (reference: string, at?: string) => {
  const { data } = await (await ask(reference, at)).json<Use>();
  return data.map((use) => use["reservation_id"]);
};

// Proves "office.md": Users of a vehicle at a time, exchanged ones for their own time, only in the user's branches
test("returns the contract and driver of a vehicle at any time between hand-over and return", async () => {
  await insertCheckInRental();
  await env.TENANT_ACME.prepare(
    `UPDATE bookings SET contract_data = '{"driver_name":"Eva","driver_surname":"Sanz"}' WHERE id = 7`,
  ).run();
  await sendCheckInOperation(desk, createDeliveryMessage());
  expect(await whoHad("A-1")).toEqual([7]);
  await sendCheckInOperation(desk, createCollectionMessage());
  const { data } = await (await ask("A-1", "2024-05-04T12:00")).json<Use>();
  expect(data).toEqual([
    {
      ...{ reservation_id: 7, rental_location_code: "AIR", customer_fullname: "Ana Ruiz", driver_fullname: "Eva Sanz" },
      ...{ out: "2024-05-03 10:05:00.000+02:00", back: "2024-05-05 10:00:00.000+02:00" },
    },
  ]);
  const moments = ["2024-05-03T10:04", "2024-05-03T10:05", "2024-05-05T09:59", "2024-05-05T10:00"];
  expect(await Promise.all(moments.map((at) => whoHad("A-1", at)))).toEqual([[], [7], [7], []]);
  expect(await whoHad("A-1")).toEqual([]);
});

test("returns a contract for the exchanged vehicle until the exchange, and for the replacement afterwards", async () => {
  await insertCheckInRental();
  await sendCheckInOperation(desk, createDeliveryMessage());
  const exchange = createCollectionMessage({
    ...{ op_id: createOpId(), kind: "exchange", vehicle_reference: "A-1", recorded_at: "2024-05-04T08:00:00.000Z" },
    exchange: { vehicle_reference: "A-2", kilometres: 500, fuel_eighths: 8 },
  });
  expect((await sendCheckInOperation(desk, exchange)).result.state).toBe("applied");
  const moments = ["2024-05-04T09:59", "2024-05-04T10:00"];
  expect(await Promise.all(moments.map((at) => whoHad("A-1", at)))).toEqual([[7], []]);
  expect(await Promise.all(moments.map((at) => whoHad("A-2", at)))).toEqual([[], [7]]);
});

test("hides other branches' contracts and vehicles, and rejects an invalid time by name", async () => {
  await insertCheckInRental();
  await sendCheckInOperation(desk, createDeliveryMessage());
  await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'AIR' WHERE reference = 'A-1'").run();
  await env.TENANT_ACME.prepare("UPDATE bookings SET branch_code = 'ISLE', return_branch_code = 'ISLE'").run();
  expect(await (await ask("A-1", undefined, desk)).json()).toEqual({ data: [] });
  await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'ISLE' WHERE reference = 'A-1'").run();
  expect((await ask("A-1", undefined, desk)).status).toBe(404);
  expect((await ask("NONE")).status).toBe(404);
  const response = await ask("A-1", "2024-02-30T10:00");
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('"at"')]);
});

test("finds the driver of a vehicle with one database call", async () => {
  await insertCheckInRental();
  await sendCheckInOperation(desk, createDeliveryMessage());
  expect(getRequestCost(await ask("A-1")).calls).toBe(1);
});
