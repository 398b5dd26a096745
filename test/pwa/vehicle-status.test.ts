import "./page.ts";
import { describe, expect, test } from "vitest";
import type { Operation } from "#app/api/messages.ts";
import type { OutboxItem } from "#app/offline/items.ts";
import { matchesVehicleText } from "#app/state/vehicle-code.ts";
import { assessVehicle, getParkingState, type VehicleContext } from "#app/state/vehicle-status.ts";
import { addDays, type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";

const TODAY = "2027-05-03";
const car = createVehicle(2);
const booking = createBooking(1, TODAY, { date_to: "2027-05-06" });
const other = createBooking(2, TODAY, { date_to: "2027-05-06", resources: [createUnit(2, { vehicle: car })] });

const createVehicleContext = (changes: Partial<VehicleContext> = {}): VehicleContext => ({
  ...{ booking, categoryCode: "ECON", bookings: [booking], items: [], drafts: [], receivedAt: 1000 },
  now: toCivilMinute(TODAY as CivilDate, "08:00" as TimeText),
  ...changes,
});

function work(kind: "delivery" | "collection", changes: Partial<OutboxItem> = {}): OutboxItem {
  const operation = { vehicle_reference: car.reference, resource_id: 20, kind } as Operation;
  const base = {
    op_id: kind,
    seq: 1,
    booking_id: 2,
    kind,
    operation,
    state: "queued",
    confirmed_at: null,
    result: null,
  };
  return { ...base, ...changes } as OutboxItem;
}

// Proves "check-in.md": P1
test("shows a vehicle of the category without booking or block as free", () => {
  expect(assessVehicle(car, createVehicleContext())).toEqual({ state: "free", warnings: [] });
});

describe("a vehicle is not free", () => {
  // Proves "check-in.md": W4
  // Proves "check-in.md": P1
  test("shows the other booking of the day that has the vehicle, with customer and end", () => {
    expect(assessVehicle(car, createVehicleContext({ bookings: [booking, other] }))).toMatchObject({
      ...{ state: "promised", bookingId: 2, customerName: other.customer.full_name, until: "2027-05-06T20:00" },
      warnings: ["promised"],
    });
  });

  test("shows a vehicle as not free if it is assigned later within the rental", () => {
    const engagements = [
      { kind: "promised" as const, from: "2027-05-05T10:00", to: "2027-05-08T10:00", booking_id: 9 },
    ];
    const assessment = assessVehicle({ ...car, engagements }, createVehicleContext());
    expect(assessment).toMatchObject({ state: "promised", bookingId: 9, from: "2027-05-05T10:00" });
    const after = [{ ...engagements[0], from: "2027-05-07T10:00" }] as typeof engagements;
    expect(assessVehicle({ ...car, engagements: after }, createVehicleContext()).state).toBe("free");
  });

  test("shows a vehicle as assigned to another booking only until that booking's return", () => {
    const engagements = [
      { kind: "promised" as const, from: "2027-04-30T10:00", to: "2027-05-02T10:00", booking_id: 9 },
    ];
    const at = (date: string) => ({ now: toCivilMinute(date as CivilDate, "08:00" as TimeText) });
    const unpromised = { ...car, engagements };
    expect(assessVehicle(unpromised, createVehicleContext(at("2027-04-28"))).state).toBe("promised");
    expect(assessVehicle(unpromised, createVehicleContext(at(TODAY))).state).toBe("free");
  });

  // Proves "check-in.md": P1
  // Proves "check-in.md": T14
  test("shows a blocked vehicle as not free", () => {
    const engagements = [
      { kind: "blocked" as const, from: "2027-05-01T10:00", to: "2027-05-04T10:00", booking_id: null },
    ];
    expect(assessVehicle({ ...car, engagements }, createVehicleContext())).toMatchObject({
      state: "blocked",
      until: "2027-05-04T10:00",
    });
  });

  // Proves "check-in.md": W4b
  // Proves "check-in.md": P1
  // Proves "check-in.md": T14
  test("shows a vehicle as out after a hand-over on this device, sent or not", () => {
    for (const state of ["queued", "sending", "sent", "confirmed"] as const) {
      const item = work("delivery", { state, confirmed_at: state === "confirmed" ? 2000 : null });
      expect(assessVehicle(car, createVehicleContext({ items: [item] })).state, state).toBe("out");
    }
  });

  test("shows a vehicle as not free if a hand-over for another customer was started with it", () => {
    const drafts = [createDraft(5, "delivery", { vehicle_reference: car.reference })];
    expect(assessVehicle(car, createVehicleContext({ drafts }))).toMatchObject({ state: "promised", bookingId: 5 });
  });
});

describe("a vehicle is free again", () => {
  test("shows a vehicle as free after a return on this device, although the list shows it as out", () => {
    const out = { ...car, state: "out" as const };
    expect(assessVehicle(out, createVehicleContext()).state).toBe("out");
    expect(assessVehicle(out, createVehicleContext({ items: [work("delivery"), work("collection")] })).state).toBe(
      "free",
    );
  });

  test("shows a vehicle as free if its hand-over was refused, or if a newer list doesn't show it as out", () => {
    expect(assessVehicle(car, createVehicleContext({ items: [work("delivery", { state: "blocked" })] })).state).toBe(
      "free",
    );
    const arrived = work("delivery", { state: "confirmed", confirmed_at: 500 });
    expect(assessVehicle(car, createVehicleContext({ items: [arrived] })).state).toBe("free");
  });

  test("shows a vehicle as free for the booking that it is assigned to", () => {
    expect(assessVehicle(car, createVehicleContext({ booking: other, bookings: [other] })).state).toBe("free");
  });
});

// Proves "check-in.md": P2
// Proves "check-in.md": T14
test("warns about both the other category and the other branch group of a vehicle", () => {
  const van = createVehicle(3, { rental_storage_id: 2 });
  expect(assessVehicle(van, createVehicleContext()).warnings).toEqual(["other_category", "elsewhere"]);
});

test("asks about inspection and insurance ending before the return, but not if the device has no dates", () => {
  const { inspection_due: _i, insured_until: _u, ...older } = car;
  const back = booking.date_to;
  const dayBefore = (day: string) => addDays(day as CivilDate, -1);
  const ending = { ...car, inspection_due: dayBefore(back), insured_until: dayBefore(back) };
  expect(assessVehicle(ending, createVehicleContext()).warnings).toEqual(["inspection", "insurance"]);
  expect(assessVehicle({ ...car, inspection_due: back, insured_until: back }, createVehicleContext()).warnings).toEqual(
    [],
  );
  expect(assessVehicle(older as typeof car, createVehicleContext()).warnings).toEqual([]);
  const overdue = { now: toCivilMinute(addDays(back as CivilDate, 3), "10:00" as TimeText) };
  const ended = { ...car, insured_until: addDays(back as CivilDate, 2) };
  expect(
    [assessVehicle(ended, createVehicleContext()), assessVehicle(ended, createVehicleContext(overdue))].map(
      ({ warnings }) => warnings,
    ),
  ).toEqual([[], ["insurance"]]);
});

test("finds vehicles by make, model and color", () => {
  const kia = createVehicle(4, { name: "Kia Ceed", stock_brand: "Kia", stock_model: "Ceed", stock_color: "red" });
  expect(["KIA", "CEED", "KIACEED", "RED", "1004"].map((searchText) => matchesVehicleText(kia, searchText))).toEqual(
    Array(5).fill(true),
  );
  expect(matchesVehicleText(car, "KIA")).toBe(false);
});

describe("a vehicle that is not ready", () => {
  const dirty = createVehicle(2, { needs_cleaning: true, needs_fuel: true, parking_place: "B 14", key_number: "27" });
  const createParkedItem = (vehicleStatus: Operation["standing"], changes: Partial<OutboxItem> = {}) => {
    const item = work("collection", changes);
    return { ...item, operation: { ...item.operation, standing: vehicleStatus } };
  };

  // Proves "check-in.md": T15
  // Proves "check-in.md": P1
  test("asks for confirmation before choosing a vehicle that wasn't cleaned or refuelled", () => {
    expect(assessVehicle(dirty, createVehicleContext())).toEqual({ state: "free", warnings: ["dirty", "unfuelled"] });
  });

  test("shows a vehicle as ready once this device reports it, unless the server refused the report", () => {
    const cleaned = { needs_cleaning: false, needs_fuel: false, parking_place: "A 1" };
    expect(getParkingState(dirty, createVehicleContext({ items: [createParkedItem(cleaned)] }))).toEqual({
      ...cleaned,
      key_number: "27",
    });
    expect(assessVehicle(dirty, createVehicleContext({ items: [createParkedItem(cleaned)] })).warnings).toEqual([]);
    expect(
      assessVehicle(dirty, createVehicleContext({ items: [createParkedItem(cleaned, { state: "blocked" })] })).warnings,
    ).toHaveLength(2);
  });

  test("shows no cleaning or fuel warning if the server sends no data about it", () => {
    const { needs_cleaning: _c, needs_fuel: _f, ...older } = car;
    expect(assessVehicle(older as typeof car, createVehicleContext()).warnings).toEqual([]);
  });
});
