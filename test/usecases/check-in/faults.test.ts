import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import {
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  readFirstRow,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkInOperationSchema } from "#worker/api/check-in/operation-messages.ts";
import { toCheckInOperation } from "#worker/api/check-in/request-messages.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";

let authorization: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await insertCheckInRental();
  authorization = await createToken("boss");
});

function read(message: unknown) {
  const operation = toCheckInOperation(checkInOperationSchema.parse(message), message, 2);
  if ("wrong" in operation) throw new Error("an operation of the tests is wrong");
  return operation;
}

/** Sends an operation over a faulty network, repeated like the app until there's a response. */
async function sendOver(faults: readonly RoundTripFault[], message: unknown) {
  const operation = read(message);
  const binding = addFaults(env.TENANT_ACME, faults);
  const tenant = openTestTenant({ ...env, TENANT_ACME: binding });
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      return await applyCheckInOperation({ tenant, authorization, now: Date.now() }, operation);
    } catch (error) {
      expect(String(error)).toContain("Network connection lost");
    }
  }
  throw new Error("never answered");
}

// A read, a write and another read, each failing before arrival or after execution.
const PLACES: readonly RoundTripFault[] = ["before", "after"];
const CASES = PLACES.flatMap((fault) => [0, 1, 2].map((at) => [fault, at] as const));

// Proves "check-in.md: failures in the field, the server": The answer is lost after the commit
test.each(CASES)(
  "records one delivery and one collection despite a database fault (%s, at round trip %d)",
  async (fault, at) => {
    const faults: RoundTripFault[] = [...Array.from({ length: at }, () => "none" as const), fault, "none"];
    expect(await sendOver(faults, createDeliveryMessage())).toMatchObject({
      ok: true,
      value: { outcome: { state: "applied" } },
    });
    expect(await sendOver(faults, createCollectionMessage())).toMatchObject({
      ok: true,
      value: { outcome: { state: "applied" } },
    });
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations")).toEqual({ kept: 2 });
    expect(await readFirstRow("SELECT count(*) AS steps FROM booking_history")).toEqual({ steps: 2 });
    expect(await readFirstRow("SELECT count(*) AS documents FROM documents")).toEqual({ documents: 1 });
    expect(await readFirstRow("SELECT status, version FROM bookings")).toEqual({ status: "done", version: 3 });
    expect(await readFirstRow("SELECT received FROM check_in_devices")).toEqual({ received: 2 });
  },
);

test("hands a unit over twice without the expected-version guard, as a negative control", async () => {
  const lateWriters: RoundTripFault[] = ["none", { delayMilliseconds: () => 30 }];
  const race = () =>
    Promise.all([
      sendOver(lateWriters, createDeliveryMessage()),
      sendOver(lateWriters, createDeliveryMessage({ vehicle_reference: "A-2", device_id: "device-0002" })),
    ]);
  await race();
  expect(await readFirstRow("SELECT count(*) AS delivered FROM booking_history WHERE event = 'delivered'")).toEqual({
    delivered: 1,
  });

  await env.TENANT_ACME.prepare("DROP TRIGGER version_guards_insert_check_version").run();
  try {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE booking_units SET delivered_at = NULL, vehicle_reference = NULL"),
      env.TENANT_ACME.prepare("DELETE FROM booking_history"),
    ]);
    await insertCheckInRental({ id: 9 });
    const twin = (changes: object) => createDeliveryMessage({ booking_id: 9, resource_id: 90, ...changes });
    await Promise.all([
      sendOver(lateWriters, twin({})),
      sendOver(lateWriters, twin({ vehicle_reference: "A-2", device_id: "device-0002" })),
    ]);
    expect(await readFirstRow("SELECT count(*) AS delivered FROM booking_history WHERE event = 'delivered'")).toEqual({
      delivered: 2,
    });
  } finally {
    await env.TENANT_ACME.prepare(`CREATE TRIGGER version_guards_insert_check_version BEFORE INSERT ON version_guards
      BEGIN
        SELECT RAISE(ABORT, 'changed_meanwhile')
        WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE id = NEW.booking_id AND version = NEW.version);
        SELECT RAISE(IGNORE);
      END`).run();
    await env.TENANT_ACME.prepare("DELETE FROM version_guards").run();
  }
});
