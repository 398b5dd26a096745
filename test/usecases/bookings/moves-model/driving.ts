import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { resourceOf } from "#domain/catalogue/resources/resources.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { aTenant } from "#support/databases.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { handOver } from "#worker/usecases/bookings/moves/hand-over.ts";
import { blockVehicle, removeBlock } from "#worker/usecases/catalogue/block-vehicle.ts";
import { changeThing } from "#worker/usecases/catalogue/resources/change-thing.ts";
import { readThing } from "#worker/usecases/catalogue/resources/read-resources.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";
import {
  type Doors,
  dayOf,
  HOUR,
  type Known,
  type Life,
  move,
  rows,
  someExtras,
  someProducts,
  someRental,
  someTenant,
  someWrite,
  ZONE,
} from "./life.ts";

const SETTINGS = resourceOf("settings");

function anOperation(said: Partial<CheckInOperation>): CheckInOperation {
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
    ...said,
  } as unknown as CheckInOperation;
}

/** A unit of a booking to be handed over or taken back, a free vehicle for it, and its vehicle as it is. */
async function unitFor(of: Pick<Known, "id">, kind: "delivery" | "collection") {
  const [unit] = await rows<{
    id: number;
    vehicle_reference: string | null;
    delivery_usage_units: number | null;
    category: string;
  }>(
    `SELECT unit.id, vehicle_reference, delivery_usage_units, line.category_code AS category FROM booking_units AS unit JOIN booking_lines AS line ON line.id = booking_line_id
      WHERE unit.booking_id = ${of.id} AND ${kind === "delivery" ? "delivered_at IS NULL" : "delivered_at IS NOT NULL AND (collected_at IS NULL OR reopened = 1)"}`,
  );
  if (!unit) return undefined;
  const [free] = await rows<{ reference: string }>(
    `SELECT reference FROM vehicles WHERE category_code = '${unit.category}' AND branch_group_id = 1 AND reference NOT IN (
      SELECT vehicle_reference FROM booking_units WHERE vehicle_reference IS NOT NULL AND collected_at IS NULL)`,
  );
  const [vehicle] = await rows<{ usage_units: number }>(
    `SELECT usage_units FROM vehicles WHERE reference = '${unit.vehicle_reference ?? free?.reference}'`,
  );
  return { unit, free, vehicle };
}

/** A phone's work on a booking: a unit handed over or taken back as somebody at the counter would. */
async function workOf(
  of: Known,
  kind: "delivery" | "collection",
  { random, now }: Life,
): Promise<CheckInOperation | undefined> {
  const found = await unitFor(of, kind);
  if (!found) return undefined;
  const { unit, free, vehicle } = found;
  const reading = {
    delivery: vehicle?.usage_units ?? 0,
    collection: (unit.delivery_usage_units ?? 0) + random.below(900),
  };
  return anOperation({
    kind,
    bookingId: of.id,
    unitId: unit.id,
    baseVersion: of.version,
    recordedAt: now,
    vehicleReference: unit.vehicle_reference ?? free?.reference,
    kilometres: reading[kind],
    fuelEighths: kind === "delivery" ? 8 : random.below(9),
  });
}

async function fieldWork(life: Life, of: Known, kind: "delivery" | "collection"): Promise<boolean> {
  const operation = await workOf(of, kind, life);
  if (!operation) return false;
  const request = { tenant: someTenant(life), authorization: life.authorization, now: life.now };
  const applied = await applyCheckInOperation(request, operation);
  return applied.ok && applied.value.outcome.state === "applied";
}

/** The desk hands a unit over or takes it back, sent twice, and takes money with it. */
export async function atDesk(
  life: Life,
  { id, version }: Pick<Known, "id" | "version">,
  kind: "deliver" | "collect",
  cents: number,
): Promise<boolean> {
  const found = await unitFor({ id }, kind === "deliver" ? "delivery" : "collection");
  const reference = found?.unit.vehicle_reference ?? found?.free?.reference;
  if (!found || !reference) return false;
  const asked = {
    ...{ move: kind, bookingId: id, expectedVersion: version, unitId: found.unit.id, reference },
    ...{ kilometres: kind === "deliver" ? found.vehicle?.usage_units : (found.unit.delivery_usage_units ?? 0) + 50 },
    ...{ fuelEighths: 8, at: undefined, notes: undefined, extras: [], damages: [], hasConfirmedReadings: true },
    charges: cents > 0 ? [{ kind: "payment" as const, amountCents: cents, method: "cash" as const }] : [],
    sent: { kind, id, version },
  };
  const key = crypto.randomUUID();
  const done = await handOver(someWrite(life, key), asked as never);
  const again = await handOver(someWrite(life, key), asked as never);
  expect(again?.ok).toBe(done?.ok);
  return done?.ok === true;
}

/** What becomes of contracts and vehicles: the office's moves, the phones' and the desk's work, what stands still. */
export function drivingDoors(life: Life): Doors {
  return {
    confirm: (of) => move(life, of, { move: "confirm" }),
    changeDates: (of) => {
      const { period } = someRental(life);
      return move(life, of, { move: "change", wish: { period } });
    },
    changeProducts: (of) => {
      const [product] = someProducts(life);
      return move(life, of, {
        move: "change",
        wish: { categoryCode: product?.code, quantity: product?.quantity, extras: someExtras(life) },
      });
    },
    extend: (of) =>
      move(life, of, {
        move: "extend",
        to: { dateTo: dayOf(life, 1 + life.random.below(6)), timeTo: "10:00" as never },
      }),
    endEarly: (of) => {
      // Whenever it is, for whoever is not late already.
      const soon = civilNow(ZONE, life.now + (1 + life.random.below(20)) * HOUR);
      return move(life, of, { move: "early-return", to: { dateTo: soon.date, timeTo: soon.time } });
    },
    assign: async (of) => {
      const [vehicle] = await rows<{ reference: string }>(`SELECT reference FROM vehicles WHERE category_code = (
        SELECT category_code FROM booking_lines WHERE booking_id = ${of.id} LIMIT 1) AND branch_group_id = 1 ORDER BY abs(random() % 7)`);
      return move(life, of, { move: "assign" }, { assignment: { unitId: undefined, reference: vehicle?.reference } });
    },
    cancel: (of) => move(life, of, { move: "cancel", feeCents: undefined }),
    noShow: (of) => move(life, of, { move: "no-show", feeCents: undefined }),
    reopen: (of) => move(life, of, { move: "reopen" }),
    surcharge: (of) =>
      move(life, of, {
        ...{ move: "surcharge", code: life.random.pick(["SEAT", "GPS"]), quantity: 1 + life.random.below(2) },
        ...{ unitCents: 1 + life.random.below(9000), text: life.random.pick(["a fine", "a toll", undefined]) },
      }),
    deliver: (of) => fieldWork(life, of, "delivery"),
    collect: (of) => fieldWork(life, of, "collection"),
    deliverAtDesk: (of) => atDesk(life, of, "deliver", Math.max(0, of.total_cents - of.total_paid_cents)),
    collectAtDesk: (of) => atDesk(life, of, "collect", 0),
    exchange: async (of) => {
      const [out] = await rows<{ usage: number; category: string }>(
        `SELECT delivery_usage_units AS usage, line.category_code AS category FROM booking_units AS unit JOIN booking_lines AS line ON line.id = booking_line_id
          WHERE unit.booking_id = ${of.id} AND delivered_at IS NOT NULL AND collected_at IS NULL`,
      );
      const [free] = await rows<{ reference: string; usage_units: number }>(
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
      return move(life, of, { move: "exchange", unitId: undefined, upgradeCents: undefined }, { exchange });
    },
    block: async () => {
      const [vehicle] = await rows<{ reference: string }>("SELECT reference FROM vehicles ORDER BY abs(random() % 7)");
      const startsAt = toCivilMinute(dayOf(life, life.random.below(4)), "09:00" as never);
      const wanted = { startsAt, endsAt: startsAt + 600, kind: "workshop" as const, note: "model" };
      return (await blockVehicle(someWrite(life), vehicle?.reference ?? "", wanted)).ok;
    },
    unblock: async () => {
      const [block] = await rows<{ id: number }>("SELECT id FROM vehicle_blocks WHERE kind = 'workshop'");
      return block !== undefined && (await removeBlock(someWrite(life), block.id)).ok;
    },
    prepareLonger: async () => {
      const read = await readThing(
        { tenant: aTenant(env), authorization: life.authorization, now: life.now },
        SETTINGS,
        "1",
      );
      if (!read.ok) return false;
      const said = { preparation_minutes: life.random.pick([0, 60, 180]) };
      return (
        await changeThing(someWrite(life), SETTINGS, { id: "1", expectedVersion: read.value.value.version, said })
      ).ok;
    },
  };
}
