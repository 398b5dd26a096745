import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { createDeliveryMessage, insertCheckInRental, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, createSaleBody, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

const reserve = () =>
  readReservationAnswer(
    callOffice("POST", "/reservations", {
      token: boss,
      body: createSaleBody({ status: "confirmed", customer: { name: "Ana", surname: "Ruiz" } }),
    }),
  );

interface VehiclesAnswer {
  readonly data: readonly {
    readonly reference: string;
    readonly state: string;
    readonly can_leave: boolean;
    readonly out: { readonly reservation_id: number } | null;
    readonly reserved: { readonly reservation_id: number; readonly date_from: string } | null;
  }[];
}

test("lists the current state of each vehicle: out, reserved, blocked, dirty, at another branch or free", async () => {
  const { reservation } = await reserve();
  const list = async () => {
    const response = await callOffice("GET", `/reservations/${reservation.id}/vehicles`, { token: boss });
    expect(response.status).toBe(200);
    const { data } = await response.json<VehiclesAnswer>();
    return data;
  };
  const state = async (reference: string) => (await list()).find((vehicle) => vehicle.reference === reference);
  expect(await state("A-1")).toMatchObject({ state: "free", can_leave: true, out: null, reserved: null });

  await env.TENANT_ACME.prepare("UPDATE vehicles SET needs_cleaning = 1 WHERE reference = 'A-1'").run();
  expect(await state("A-1")).toMatchObject({ state: "dirty", can_leave: true });

  expect(await state("A-3")).toMatchObject({ state: "wrong_branch", can_leave: true });

  const other = (await reserve()).reservation;
  const assign = { expected_version: other.version, reference: "A-2" };
  await readReservationAnswer(callOffice("POST", `/reservations/${other.id}/assign`, { token: boss, body: assign }));
  expect(await state("A-2")).toMatchObject({
    state: "reserved",
    can_leave: false,
    reserved: { reservation_id: other.id, date_from: getBookableDay(0) },
  });

  const block = {
    from: `${getBookableDay(0)}T00:00`,
    to: `${getBookableDay(2)}T00:00`,
    reason: "workshop",
    note: "Brakes",
  };
  expect((await callOffice("POST", "/vehicles/A-3/blocks", { token: boss, body: block })).status).toBe(201);
  expect(await state("A-3")).toMatchObject({ state: "blocked", can_leave: false, block: { reason: "workshop" } });
});

test("lists a vehicle as out with its rental, although that rental ends before the new pickup", async () => {
  await insertCheckInRental({ from: "2024-05-31", to: "2024-06-03" });
  await sendCheckInOperation(boss, createDeliveryMessage({ recorded_at: "2024-05-31T08:00:00.000Z" }));
  const rental = await env.TENANT_ACME.prepare(
    "SELECT booking_id AS id, vehicle_reference AS reference FROM booking_units",
  ).first<{
    id: number;
    reference: string;
  }>();
  const { reservation } = await reserve();
  const response = await callOffice("GET", `/reservations/${reservation.id}/vehicles`, { token: boss });
  const { data } = await response.json<VehiclesAnswer>();
  const vehicle = data.find(({ reference }) => reference === rental?.reference);
  expect(vehicle).toMatchObject({ state: "out", can_leave: false, out: { reservation_id: rental?.id } });
  expect(data[0]?.state).toBe("free");
  expect((await callOffice("GET", "/reservations/999999/vehicles", { token: boss })).status).toBe(404);
});
