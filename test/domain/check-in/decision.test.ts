import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calculateUnitClosing } from "#domain/bookings/closing.ts";
import { decideCheckInOperation, getUnitDayRateCents } from "#domain/check-in/decision.ts";
import type {
  CheckInBooking,
  CheckInOperation,
  CheckInUnit,
  CheckInVehicle,
  OperationDecisionContext,
} from "#domain/check-in/operations.ts";
import { needsOfficeReview } from "#domain/check-in/warnings.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";

const RETURN = toCivilMinute("2030-05-05" as CivilDate, "10:00" as TimeText);

const createUnit = (changes: Partial<CheckInUnit> = {}): CheckInUnit => ({
  unitId: 70,
  categoryCode: "A",
  unitCents: 8000,
  reference: "A-1",
  deliveredAt: undefined,
  collectedAt: undefined,
  isReopened: false,
  deliveryKilometres: undefined,
  deliveryFuelEighths: undefined,
  collectionKilometres: undefined,
  collectionFuelEighths: undefined,
  earlier: { kilometres: 0, missingEighths: 0 },
  exchangedReferences: [],
  fuelEighthCents: 800,
  kilometresPerDay: 100,
  extraKilometreCents: 20,
  ...changes,
});

const createBooking = (changes: Partial<CheckInBooking> = {}): CheckInBooking => ({
  id: 7,
  version: 3,
  agreedVersion: 1,
  status: "confirmed",
  period: {
    dateFrom: "2030-05-03" as CivilDate,
    timeFrom: "10:00" as TimeText,
    dateTo: "2030-05-05" as CivilDate,
    timeTo: "10:00" as TimeText,
  },
  days: 2,
  branchCode: "AIR",
  branchGroupId: 1,
  returnBranchCode: "AIR",
  ...{ returnPlaceId: 1, returnPlace: "Airport" },
  customerFullName: "Ana Ruiz",
  customerId: 1,
  salesChannelCode: undefined,
  extrasCents: 0,
  supplementCents: [0, 0, 0],
  totalCents: 8000,
  totalDepositCents: 30_000,
  ...{ lines: [], discount: undefined },
  depositHeldCents: 0,
  depositAuthorisedCents: 0,
  depositByMethod: {},
  dueCents: 8000,
  hasReturn: false,
  units: [createUnit()],
  extras: [],
  done: [],
  ...changes,
});

const createOperation = (changes: Partial<CheckInOperation> = {}): CheckInOperation => ({
  opId: "1",
  deviceId: "d",
  seq: 1,
  kind: "delivery",
  bookingId: 7,
  unitId: 70,
  baseVersion: 3,
  author: undefined,
  recordedAt: 0,
  clockOffset: 0,
  vehicleReference: undefined,
  kilometres: 1000,
  fuelEighths: 8,
  hasConfirmedReadings: false,
  notes: undefined,
  extras: [],
  damages: [],
  charges: [],
  signature: undefined,
  files: [],
  removedFiles: [],
  sent: {},
  ...changes,
});

const VEHICLE: CheckInVehicle = {
  reference: "A-1",
  categoryCode: "A",
  branchGroupId: 1,
  branchCode: "PMI",
  isUsable: true,
  engagements: [],
  kilometres: 900,
  inspectionDue: null,
  insuredUntil: null,
  outWith: undefined,
};
const OCCASION: OperationDecisionContext = {
  now: 0,
  doneAt: 0,
  civilAt: RETURN,
  graceMinutes: 120,
  kilometresADay: 1500,
  closingLimitCents: 30_000,
  isForced: false,
  knownCharges: [],
  refusedExtras: new Set(),
};

const decide = (
  booking: Partial<CheckInBooking>,
  operation: Partial<CheckInOperation>,
  {
    vehicle = VEHICLE,
    context = {},
  }: { vehicle?: CheckInVehicle | undefined; context?: Partial<OperationDecisionContext> } = {},
) => decideCheckInOperation(createBooking(booking), createOperation(operation), vehicle, { ...OCCASION, ...context });

describe("a decision about field work", () => {
  test.each([
    ["confirmed", "apply"],
    ["in_progress", "apply"],
    ["pending_confirmation", "conflict"],
    ["cancelled", "conflict"],
    ["done", "conflict"],
  ] as const)(
    "applies a delivery of a confirmed or started booking, and stores others as conflicts: status %s: %s",
    (status, kind) => {
      expect(decide({ status }, {}).kind).toBe(kind);
    },
  );

  test("limits refunded and retained deposits to the held amount, applying payments first", () => {
    const charge = (kind: "deposit_taken" | "deposit_returned" | "deposit_kept", amountCents: number) =>
      ({
        chargeId: `${kind}${amountCents}`,
        kind,
        amountCents,
        method: "cash",
        externalOperationNumber: undefined,
        terminal: undefined,
      }) as const;
    const charges = [
      charge("deposit_taken", 500),
      charge("deposit_kept", 200),
      charge("deposit_returned", 400),
      charge("deposit_returned", 300),
    ];
    const decision = decide({}, { charges });
    expect(decision).toMatchObject({ kind: "apply", charges: [charges[0], charges[1], charges[3]] });
    const codes = decision.kind === "apply" ? decision.warnings.map(({ code }) => code) : [];
    expect(codes).toContain("charge_refused");
    expect(codes).not.toContain("deposit_other_way");
  });

  test("flags a deposit that is refunded by another method than received, for review by the office", () => {
    const charge = { kind: "deposit_returned", amountCents: 400, externalOperationNumber: undefined } as const;
    const charges = [{ ...charge, chargeId: "other-way", method: "cash" as const, terminal: undefined }];
    const decision = decide({ depositHeldCents: 400, depositByMethod: { credit_card: 400 } }, { charges });
    expect(decision).toMatchObject({ kind: "apply", charges });
    const warnings = decision.kind === "apply" ? decision.warnings : [];
    expect(warnings.map(({ code }) => code)).toContain("deposit_other_way");
    expect(needsOfficeReview({ hasConfirmedReadings: true, trip: undefined }, warnings)).toBe(true);
  });

  // Proves "check-in.md: failures in the field, the server": The phone's clock is wrong
  test("flags an operation of a phone whose clock is off by more than five minutes", () => {
    const flags = (clockOffset: number) => {
      const decision = decide({}, { clockOffset });
      return decision.kind === "apply" ? decision.flags : undefined;
    };
    expect([flags(299_000), flags(-301_000), flags(2 * 86_400_000)]).toEqual([[], ["clock"], ["clock"]]);
  });

  test.each([
    ["delivery", "conflict"],
    ["collection", "conflict"],
    ["evidence", "apply"],
  ] as const)("keeps a %s of a unit that the office removed as evidence: %s", (operationKind, kind) => {
    const decision = decide({ units: [createUnit({ unitId: 71 })] }, { kind: operationKind });
    expect(decision).toMatchObject(kind === "conflict" ? { kind, code: "unit_gone" } : { kind, unit: undefined });
  });

  test.each([
    ["a day late, by a correct clock", 1440, {}, false],
    ["a day late, by a clock that was off", 1440, { clockOffset: 7_200_000 }, true],
    ["a day late, by a clock that was changed before the sending", 1440, { clockOffsetAtSend: -7_200_000 }, true],
    ["a day late, by a clock with the same offset at the sending", 1440, { clockOffsetAtSend: 299_000 }, false],
    ["in time, by a clock that was off", 0, { clockOffset: 7_200_000 }, false],
  ] as const)(
    "lets the office review an extra day only if the clock is uncertain: a return %s",
    (_, lateMinutes, changes, isToCheck) => {
      const units = [createUnit({ deliveredAt: 0 })];
      const context = { civilAt: RETURN + lateMinutes };
      const decision = decide({ status: "in_progress", units }, { kind: "collection", ...changes }, { context });
      const warnings = decision.kind === "apply" ? decision.warnings : [];
      expect(decision).toMatchObject({ kind: "apply", isToCheck });
      expect(warnings.some(({ code }) => code === "return_time_uncertain")).toBe(isToCheck);
      expect(needsOfficeReview({ hasConfirmedReadings: true, trip: undefined }, warnings)).toBe(isToCheck);
    },
  );

  test.each([
    ["before its delivery", 5_000, 4_999, RETURN, "conflict"],
    ["at the time of its delivery", 5_000, 5_000, RETURN, "apply"],
    ["long before its pickup, without a reported delivery", undefined, 0, RETURN - 3 * 1440 - 1, "conflict"],
    ["on the day before its pickup, without a reported delivery", undefined, 0, RETURN - 3 * 1440, "apply"],
  ] as const)(
    "applies a reported return or stores it as a conflict if it is dated %s",
    (_when, deliveredAt, doneAt, civilAt, kind) => {
      const units = [createUnit({ deliveredAt })];
      const context = { doneAt, civilAt, isForced: true };
      const decision = decide({ status: "in_progress", units }, { kind: "collection" }, { context });
      expect(decision).toMatchObject(kind === "conflict" ? { kind, code: "before_delivery" } : { kind });
    },
  );

  test.each([
    ["of a vehicle that is out", {}, {}, "apply"],
    ["whose delivery hasn't arrived", { deliveredAt: undefined }, {}, "hold"],
    ["of a returned vehicle", { collectedAt: 9_000 }, {}, "already_collected"],
    ["of a vehicle that was exchanged before", { reference: "A-3" }, {}, "already_exchanged"],
    ["for the vehicle that is out already", { reference: "A-2" }, {}, "already_exchanged"],
    ["before the vehicle was handed over", { deliveredAt: 10_001 }, {}, "before_delivery"],
    [
      "for a vehicle that is out with another unit",
      {},
      { outWith: { unitId: 9, bookingId: 9, since: 0 } },
      "vehicle_unavailable",
    ],
    ["for a vehicle that is not in use", {}, { isUsable: false }, "vehicle_unavailable"],
  ] as const)(
    "decides whether a reported exchange %s is applied, held or stored as evidence",
    (_when, unit, vehicle, verdict) => {
      const out = { reference: "A-2", kilometres: 950, fuelEighths: 8, upgradeCents: undefined };
      const decision = decide(
        { status: "in_progress", units: [createUnit({ reference: "A-1", deliveredAt: 5_000, ...unit })] },
        { kind: "exchange", vehicleReference: "A-1", exchange: out },
        { vehicle: { ...VEHICLE, reference: "A-2", ...vehicle }, context: { doneAt: 10_000 } },
      );
      expect(decision.kind === "conflict" ? decision.code : decision.kind).toBe(verdict);
    },
  );

  // Proves "check-in.md: failures in the field, the server": Improbable kilometres are warned about, and unconfirmed
  //   ones reviewed by the office
  // Proves "rentals.md": 9
  test.each([
    ["a delivery below the last reading", { kind: "delivery", kilometres: 899 }, ["kilometres_lower"]],
    ["a delivery far above the last reading", { kind: "delivery", kilometres: 2401 }, ["kilometres_jump"]],
    ["a delivery a little above the last reading", { kind: "delivery", kilometres: 2400 }, []],
    ["a collection of more than a day's kilometres", { kind: "collection", kilometres: 2501 }, ["kilometres_jump"]],
    ["a collection of a day's kilometres", { kind: "collection", kilometres: 2500 }, []],
    [
      "a collection with two days' kilometres in the second day",
      { kind: "collection", kilometres: 4000, days: 1.1 },
      [],
    ],
    ["a correction of more than a day's kilometres", { kind: "correction", kilometres: 2501 }, ["kilometres_jump"]],
  ] as const)(
    "warns about unlikely kilometres of %s, and requires a review unless the agent confirmed them",
    (_case, { kind, kilometres, ...more }, codes) => {
      const units = kind === "delivery" ? [createUnit()] : [createUnit({ deliveredAt: 0, deliveryKilometres: 1000 })];
      const context = { closingLimitCents: 1_000_000, doneAt: ("days" in more ? more.days : 1) * 86_400_000 };
      const decision = decide({ status: "in_progress", units }, { kind, kilometres }, { context });
      const warnings = decision.kind === "apply" ? decision.warnings : [];
      expect(warnings.map(({ code }) => code).filter((code) => code.startsWith("kilometres"))).toEqual(codes);
      expect(needsOfficeReview({ hasConfirmedReadings: false }, warnings)).toBe(codes.length > 0);
      expect(needsOfficeReview({ hasConfirmedReadings: true }, warnings)).toBe(false);
    },
  );

  test("accepts any reading for an odometer that was never read", () => {
    const decision = decide({}, { kilometres: 99_999 }, { vehicle: { ...VEHICLE, kilometres: 0 } });
    expect(decision.kind === "apply" && decision.warnings.map(({ code }) => code)).not.toContain("kilometres_jump");
  });

  // Proves "check-in.md: failures in the field, the server": `contract_changed`
  test("warns if the office changed the contract since the version of an operation, unless it is only evidence", () => {
    const hasContractChangedWarning = (kind: "delivery" | "evidence", baseVersion: number) => {
      const decision = decide({ agreedVersion: 3 }, { kind, baseVersion });
      return decision.kind === "apply" && decision.warnings.some(({ code }) => code === "contract_changed");
    };
    expect([
      hasContractChangedWarning("delivery", 2),
      hasContractChangedWarning("delivery", 3),
      hasContractChangedWarning("evidence", 2),
    ]).toEqual([true, false, false]);
  });

  test("accepts an evidence operation for any booking, and rejects extras sold by it", () => {
    expect(decide({ status: "cancelled" }, { kind: "evidence" }).kind).toBe("apply");
    expect(decide({}, { kind: "evidence", extras: [{ code: "GPS", quantity: 1 }] })).toMatchObject({
      kind: "reject",
      field: "extras",
    });
  });
});

describe("final charges of a unit", () => {
  const rates = {
    extraDayCents: 4000,
    fuelEighthCents: 800,
    kilometresIncluded: 200,
    days: 2,
    extraKilometreCents: 20,
  };
  const readings = {
    lateMinutes: 0,
    graceMinutes: 120,
    deliveryKilometres: 1000,
    collectionKilometres: 1200,
    deliveryFuelEighths: 8,
    collectionFuelEighths: 8,
    earlier: { kilometres: 0, missingEighths: 0 },
  };

  test.each([
    [{ lateMinutes: -600 }, 0],
    [{ lateMinutes: 120 }, 0],
    [{ lateMinutes: 121 }, 4000],
    [{ lateMinutes: 24 * 60 + 30 }, 4000],
    [{ lateMinutes: 26 * 60 }, 4000],
    [{ lateMinutes: 26 * 60 + 1 }, 8000],
    [{ lateMinutes: 50 * 60 }, 8000],
    [{ lateMinutes: 50 * 60 + 1 }, 12_000],
    [{ collectionKilometres: 1201 }, 20],
    [{ collectionKilometres: 900 }, 0],
    [{ earlier: { kilometres: 1, missingEighths: 2 } }, 20 + 1600],
    [{ lateMinutes: 121, collectionKilometres: 1300 }, 4000],
    [{ lateMinutes: 121, collectionKilometres: 1301 }, 4020],
    [{ collectionFuelEighths: 5 }, 2400],
    [{ deliveryFuelEighths: 9, collectionFuelEighths: 8 }, 0],
    [{ collectionFuelEighths: undefined, collectionKilometres: undefined }, 0],
  ])("calculates the final charges of a unit with the readings %j: %d", (changes, cents) => {
    const closing = calculateUnitClosing(rates, { ...readings, ...changes });
    expect(closing.extraDaysCents + closing.fuelCents + closing.kilometresCents).toBe(cents);
  });

  test("charges a return never below zero and never less for more lateness, less fuel or more kilometres", () => {
    const reading = fc.record({
      lateMinutes: fc.integer({ min: -3000, max: 10_000 }),
      collectionKilometres: fc.integer({ min: 0, max: 9000 }),
      collectionFuelEighths: fc.integer({ min: 0, max: 12 }),
    });
    const getOwedCents = (changes: object) => {
      const closing = calculateUnitClosing(rates, { ...readings, ...changes });
      return closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
    };
    fc.assert(
      fc.property(reading, fc.nat(5000), fc.nat(5000), fc.nat(8), (item, later, further, emptier) => {
        const worse = {
          lateMinutes: item.lateMinutes + later,
          collectionKilometres: item.collectionKilometres + further,
          collectionFuelEighths: Math.max(0, item.collectionFuelEighths - emptier),
        };
        expect(getOwedCents(item)).toBeGreaterThanOrEqual(0);
        expect(getOwedCents(worse)).toBeGreaterThanOrEqual(getOwedCents(item));
      }),
    );
  });

  test("charges an extra day at the agreed price per day, rounded half up", () => {
    expect([getUnitDayRateCents({ unitCents: 8000 }, 3), getUnitDayRateCents({ unitCents: 8001 }, 2)]).toEqual([
      2667, 4001,
    ]);
  });
});

describe("a correction", () => {
  const out = createUnit({ deliveredAt: 5, deliveryKilometres: 900 });
  const correct = (unit: CheckInUnit, vehicleReference?: string, vehicle: CheckInVehicle | undefined = VEHICLE) =>
    decide({ status: "in_progress", units: [unit] }, { kind: "correction", vehicleReference }, { vehicle });
  const getCode = (decision: ReturnType<typeof correct>) =>
    decision.kind === "conflict" ? decision.code : decision.kind;
  const other = { ...VEHICLE, reference: "A-2" };

  test.each<readonly [string, CheckInUnit, string | undefined, string]>([
    ["of readings is applied", out, undefined, "apply"],
    ["of readings after the return is applied", { ...out, collectedAt: 9 }, undefined, "apply"],
    ["that names the same vehicle is applied after the return", { ...out, collectedAt: 9 }, "A-1", "apply"],
    ["of the vehicle is applied while it's out", out, "A-2", "apply"],
    ["of the vehicle comes too late after the return", { ...out, collectedAt: 9 }, "A-2", "booking_closed"],
    ["of the vehicle comes too early before the delivery", createUnit(), "A-2", "booking_closed"],
    ["of an exchanged vehicle comes too late", { ...out, exchangedReferences: ["A-2"] }, "A-2", "already_exchanged"],
  ])(
    "corrects readings also after the return, but the vehicle only while it is on rent: a correction %s: %s",
    (_, unit, reference, expected) => {
      expect(getCode(correct(unit, reference, other))).toBe(expected);
    },
  );

  test("rejects a correction to an unusable vehicle as a conflict, and applies one to a usable vehicle", () => {
    expect(getCode(correct(out, "A-2", { ...other, isUsable: false }))).toBe("vehicle_unavailable");
    expect(JSON.stringify(correct(out, "A-2", other))).toContain('"A-2"');
    expect(JSON.stringify(correct(out, undefined, other))).not.toContain('"A-2"');
  });
});
