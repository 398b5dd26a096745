import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { openTestTenant } from "#support/databases.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { readResource } from "#worker/usecases/catalogue/resources/read-resources.ts";
import { updateResource } from "#worker/usecases/catalogue/resources/update-resource.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";
import { performHandOver } from "#worker/usecases/check-in/hand-over.ts";
import { blockVehicle, removeVehicleBlock } from "#worker/usecases/fleet/block-vehicle.ts";
import {
  applyAction,
  createOfficeWriteContext,
  getCalendarDay,
  HOUR,
  type KnownBooking,
  type ModelActions,
  type ModelState,
  openFaultyTenant,
  pickExtras,
  pickProducts,
  pickRental,
  readAcmeRows,
  ZONE,
} from "./contract-life.ts";

const SETTINGS = getResource("settings");

function createOperation(fields: Partial<CheckInOperation>): CheckInOperation {
  const opId = crypto.randomUUID();
  return {
    opId,
    deviceId: "model",
    seq: 1,
    author: undefined,
    clockOffset: 0,
    notes: undefined,
    extras: [],
    damages: [],
    charges: [],
    signature: undefined,
    files: [],
    removedFiles: [],
    sent: { opId },
    ...fields,
  } as unknown as CheckInOperation;
}

/** Returns a unit to hand over or take back, a free vehicle for it, and its current vehicle. */
async function unitFor(booking: Pick<KnownBooking, "id">, kind: "delivery" | "collection") {
  const [unit] = await readAcmeRows<{
    id: number;
    vehicle_reference: string | null;
    delivery_usage_units: number | null;
    category: string;
  }>(
    `SELECT unit.id, vehicle_reference, delivery_usage_units, line.category_code AS category FROM booking_units AS unit JOIN booking_lines AS line ON line.id = booking_line_id
      WHERE unit.booking_id = ${booking.id} AND ${kind === "delivery" ? "delivered_at IS NULL" : "delivered_at IS NOT NULL AND (collected_at IS NULL OR reopened = 1)"}`,
  );
  if (!unit) return undefined;
  const [free] = await readAcmeRows<{ reference: string }>(
    `SELECT reference FROM vehicles WHERE category_code = '${unit.category}' AND branch_group_id = 1 AND reference NOT IN (
      SELECT vehicle_reference FROM booking_units WHERE vehicle_reference IS NOT NULL AND collected_at IS NULL)`,
  );
  const [vehicle] = await readAcmeRows<{ usage_units: number }>(
    `SELECT usage_units FROM vehicles WHERE reference = '${unit.vehicle_reference ?? free?.reference}'`,
  );
  return { unit, free, vehicle };
}

/** Creates the app's work on a booking: a hand-over or return as at the counter. */
async function createWork(
  booking: KnownBooking,
  kind: "delivery" | "collection",
  { random, now }: ModelState,
): Promise<CheckInOperation | undefined> {
  const unitMatch = await unitFor(booking, kind);
  if (!unitMatch) return undefined;
  const { unit, free, vehicle } = unitMatch;
  const reading = {
    delivery: vehicle?.usage_units ?? 0,
    collection: (unit.delivery_usage_units ?? 0) + random.below(900),
  };
  return createOperation({
    kind,
    bookingId: booking.id,
    unitId: unit.id,
    baseVersion: booking.version,
    recordedAt: now,
    vehicleReference: unit.vehicle_reference ?? free?.reference,
    kilometres: reading[kind],
    fuelEighths: kind === "delivery" ? 8 : random.below(9),
  });
}

async function fieldWork(life: ModelState, booking: KnownBooking, kind: "delivery" | "collection"): Promise<boolean> {
  const operation = await createWork(booking, kind, life);
  if (!operation) return false;
  const request = { tenant: openFaultyTenant(life), authorization: life.authorization, now: life.now };
  const applied = await applyCheckInOperation(request, operation);
  return applied.ok && applied.value.outcome.state === "applied";
}

/** Performs a hand-over or return at the desk, sent twice, with a payment. */
export async function handOverOrReturnAtDesk(
  life: ModelState,
  { id, version }: Pick<KnownBooking, "id" | "version">,
  kind: "deliver" | "collect",
  cents: number,
): Promise<boolean> {
  const unitMatch = await unitFor({ id }, kind === "deliver" ? "delivery" : "collection");
  const reference = unitMatch?.unit.vehicle_reference ?? unitMatch?.free?.reference;
  if (!unitMatch || !reference) return false;
  const handOverRequest = {
    ...{ action: kind, bookingId: id, expectedVersion: version, unitId: unitMatch.unit.id, reference },
    ...{
      kilometres: kind === "deliver" ? unitMatch.vehicle?.usage_units : (unitMatch.unit.delivery_usage_units ?? 0) + 50,
    },
    ...{
      fuelEighths: 8,
      at: undefined,
      notes: undefined,
      extras: [],
      damages: [],
      surcharges: [],
      hasConfirmedReadings: true,
    },
    charges: cents > 0 ? [{ kind: "payment" as const, amountCents: cents, method: "cash" as const }] : [],
    sent: { kind, id, version },
  };
  const key = crypto.randomUUID();
  const handOverResult = await performHandOver(createOfficeWriteContext(life, key), handOverRequest as never);
  const again = await performHandOver(createOfficeWriteContext(life, key), handOverRequest as never);
  expect(again?.ok).toBe(handOverResult?.ok);
  return handOverResult?.ok === true;
}

/** Actions on contracts and vehicles: office actions, work of app and desk, and blocks. */
export function createFleetActions(life: ModelState): ModelActions {
  return {
    confirm: (booking) => applyAction(life, booking, { action: "confirm" }),
    changeDates: (booking) => {
      const { period } = pickRental(life);
      return applyAction(life, booking, { action: "change", requestedChange: { period } });
    },
    changeProducts: (booking) => {
      const [product] = pickProducts(life);
      return applyAction(life, booking, {
        action: "change",
        requestedChange: { categoryCode: product?.code, quantity: product?.quantity, extras: pickExtras(life) },
      });
    },
    extend: (booking) =>
      applyAction(life, booking, {
        action: "extend",
        to: { dateTo: getCalendarDay(life, 1 + life.random.below(6)), timeTo: "10:00" as never },
      }),
    endEarly: (booking) => {
      // At any time, for contracts that aren't overdue.
      const soon = toCivilNow(ZONE, life.now + (1 + life.random.below(20)) * HOUR);
      return applyAction(life, booking, { action: "early-return", to: { dateTo: soon.date, timeTo: soon.time } });
    },
    assign: async (booking) => {
      const [vehicle] = await readAcmeRows<{
        reference: string;
      }>(`SELECT reference FROM vehicles WHERE category_code = (
        SELECT category_code FROM booking_lines WHERE booking_id = ${booking.id} LIMIT 1) AND branch_group_id = 1 ORDER BY abs(random() % 7)`);
      return applyAction(
        life,
        booking,
        { action: "assign" },
        { assignment: { unitId: undefined, reference: vehicle?.reference } },
      );
    },
    cancel: (booking) => applyAction(life, booking, { action: "cancel", feeCents: undefined }),
    noShow: (booking) => applyAction(life, booking, { action: "no-show", feeCents: undefined }),
    reopen: (booking) => applyAction(life, booking, { action: "reopen" }),
    surcharge: (booking) =>
      applyAction(life, booking, {
        ...{ action: "surcharge", code: life.random.pick(["SEAT", "GPS"]), quantity: 1 + life.random.below(2) },
        ...{ unitCents: 1 + life.random.below(9000), text: life.random.pick(["a fine", "a toll", undefined]) },
      }),
    deliver: (booking) => fieldWork(life, booking, "delivery"),
    collect: (booking) => fieldWork(life, booking, "collection"),
    deliverAtDesk: (booking) =>
      handOverOrReturnAtDesk(life, booking, "deliver", Math.max(0, booking.total_cents - booking.total_paid_cents)),
    collectAtDesk: (booking) => handOverOrReturnAtDesk(life, booking, "collect", 0),
    exchange: async (booking) => {
      const [out] = await readAcmeRows<{ usage: number; category: string }>(
        `SELECT delivery_usage_units AS usage, line.category_code AS category FROM booking_units AS unit JOIN booking_lines AS line ON line.id = booking_line_id
          WHERE unit.booking_id = ${booking.id} AND delivered_at IS NOT NULL AND collected_at IS NULL`,
      );
      const [free] = await readAcmeRows<{ reference: string; usage_units: number }>(
        `SELECT reference, usage_units FROM vehicles WHERE category_code = '${out?.category}' AND branch_group_id = 1 AND reference NOT IN (
          SELECT vehicle_reference FROM booking_units WHERE vehicle_reference IS NOT NULL AND collected_at IS NULL)`,
      );
      if (!out || !free) return false;
      const readings = {
        kilometresIn: out.usage + 10,
        fuelEighthsIn: 8,
        kilometresOut: free.usage_units,
        fuelEighthsOut: 8,
        damagesIn: [],
      };
      const exchange = { reference: free.reference, ...readings, hasConfirmedReadings: true };
      return applyAction(
        life,
        booking,
        { action: "exchange", unitId: undefined, upgradeCents: undefined },
        { exchange },
      );
    },
    block: async () => {
      const [vehicle] = await readAcmeRows<{ reference: string }>(
        "SELECT reference FROM vehicles ORDER BY abs(random() % 7)",
      );
      const startsAt = toCivilMinute(getCalendarDay(life, life.random.below(4)), "09:00" as never);
      const blockRequest = { startsAt, endsAt: startsAt + 600, kind: "workshop" as const, note: "model" };
      return (await blockVehicle(createOfficeWriteContext(life), vehicle?.reference ?? "", blockRequest)).ok;
    },
    unblock: async () => {
      const [block] = await readAcmeRows<{ id: number }>("SELECT id FROM vehicle_blocks WHERE kind = 'workshop'");
      return block !== undefined && (await removeVehicleBlock(createOfficeWriteContext(life), block.id)).ok;
    },
    prepareLonger: async () => {
      const read = await readResource(
        { tenant: openTestTenant(env), authorization: life.authorization, now: life.now },
        SETTINGS,
        "1",
      );
      if (!read.ok) return false;
      const fields = { preparation_minutes: life.random.pick([0, 60, 180]) };
      return (
        await updateResource(createOfficeWriteContext(life), SETTINGS, {
          id: "1",
          expectedVersion: read.value.value.version,
          input: fields,
        })
      ).ok;
    },
  };
}
