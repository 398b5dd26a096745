import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CancellationTerm } from "#domain/catalogue/catalogue.ts";
import {
  calculateCancellationFee,
  calculateCancellationSums,
  listCancellationSteps,
} from "#domain/contracts/cancellation.ts";
import { formatCivilMinute } from "#domain/dates.ts";
import { createActionTime } from "#support/domain-contracts.ts";

type Cancellable = Parameters<typeof calculateCancellationFee>[2];

// Pickup on 10 June at 10:00, 4 days of 100.00 each, 440.00 with everything.
const createCancellable = (changes: Partial<Cancellable> = {}): Cancellable =>
  ({
    status: "confirmed",
    totalPaidCents: 0,
    salesChannel: "WEB",
    days: 4,
    period: { dateFrom: "2026-06-10", timeFrom: "10:00" },
    totals: { totalCents: 44_000, itemCents: 40_000 },
    ...changes,
  }) as Cancellable;

const createTerm = (changes: Partial<CancellationTerm>): CancellationTerm => ({
  occasion: "cancellation",
  salesChannel: undefined,
  hoursBefore: undefined,
  feeType: "amount",
  feeValue: 1000,
  ...changes,
});

const getFee = (terms: readonly CancellationTerm[], now = "2026-06-01", contract = createCancellable()) =>
  calculateCancellationFee(terms, "cancellation", contract, createActionTime(now));

describe("a cancellation fee", () => {
  // Proves "rules.md: the life of a contract": Days of the products' price, at most the days of the rental; no fee
  //   above the total
  test.each<{ fee: string; type: CancellationTerm["feeType"]; value: number; cents: number }>([
    { fee: "zero percent of the total", type: "percentage", value: 0, cents: 0 },
    { fee: "12.5 % of the total", type: "percentage", value: 1250, cents: 5500 },
    { fee: "the whole total", type: "percentage", value: 10_000, cents: 44_000 },
    { fee: "more than 100 % of the total", type: "percentage", value: 10_001, cents: 44_000 },
    { fee: "the price of one of 4 days", type: "days", value: 1, cents: 10_000 },
    { fee: "3 of 4 days", type: "days", value: 3, cents: 30_000 },
    { fee: "all 4 days", type: "days", value: 4, cents: 40_000 },
    { fee: "the price of 5 days, one more than booked", type: "days", value: 5, cents: 40_000 },
    { fee: "a fixed amount", type: "amount", value: 4500, cents: 4500 },
    { fee: "a fixed amount equal to the total", type: "amount", value: 44_000, cents: 44_000 },
    { fee: "a fixed amount above the total", type: "amount", value: 44_001, cents: 44_000 },
  ])("calculates $fee as a cancellation fee of $cents cents", ({ type, value, cents }) => {
    expect(getFee([createTerm({ feeType: type, feeValue: value })])).toBe(cents);
  });

  test("rounds a cancellation fee of some days' price half up once", () => {
    const contract = createCancellable({ days: 3, totals: { totalCents: 10_001, itemCents: 10_001 } });
    expect(getFee([createTerm({ feeType: "days", feeValue: 2 })], undefined, contract)).toBe(6667);
    const indivisible = createCancellable({ days: 2, totals: { totalCents: 101, itemCents: 101 } });
    expect(getFee([createTerm({ feeType: "days", feeValue: 1 })], undefined, indivisible)).toBe(51);
  });

  const byHours = [
    createTerm({ hoursBefore: 48, feeValue: 200 }),
    createTerm({ hoursBefore: 168, feeValue: 100 }),
    createTerm({ hoursBefore: 24, feeValue: 300 }),
  ];

  // Proves "rules.md: the life of a contract": Of the terms that apply, those with the fewest hours; the hour itself
  //   costs nothing yet
  test.each([
    { before: "over 7 days", now: "2026-06-03 09:59", cents: 0 },
    { before: "exactly 7 days", now: "2026-06-03 10:00", cents: 0 },
    { before: "a minute less than 7 days", now: "2026-06-03 10:01", cents: 100 },
    { before: "exactly 48 hours", now: "2026-06-08 10:00", cents: 100 },
    { before: "a minute less than 48 hours", now: "2026-06-08 10:01", cents: 200 },
    { before: "exactly 24 hours", now: "2026-06-09 10:00", cents: 200 },
    { before: "a minute less than 24 hours", now: "2026-06-09 10:01", cents: 300 },
    { before: "no time", now: "2026-06-10 10:00", cents: 300 },
    { before: "less than no time", now: "2026-06-11 10:00", cents: 300 },
  ])("charges $cents cents for a cancellation $before before the pickup", ({ now, cents }) => {
    expect(getFee(byHours, now)).toBe(cents);
  });

  test("always applies cancellation terms without a number of hours, even right before pickup", () => {
    const always = createTerm({ feeValue: 700 });
    expect(getFee([always], "2026-01-01")).toBe(700);
    expect(getFee([createTerm({ hoursBefore: 24, feeValue: 900 }), always], "2026-06-10 09:00")).toBe(700);
  });

  // Proves "rules.md: the life of a contract": Terms of the channel come before general ones
  test.each<{ name: string; channel: string | undefined; cents: number }>([
    { name: "a channel with terms", channel: "WEB", cents: 500 },
    { name: "a channel without terms", channel: "AGENCY", cents: 900 },
    { name: "no channel", channel: undefined, cents: 900 },
  ])("prefers the channel's cancellation terms of $name over the general ones", ({ channel, cents }) => {
    const terms = [createTerm({ hoursBefore: 1, feeValue: 900 }), createTerm({ salesChannel: "WEB", feeValue: 500 })];
    expect(getFee(terms, "2026-06-10 09:30", createCancellable({ salesChannel: channel }))).toBe(cents);
  });

  test("charges no cancellation fee if the channel has terms but none applies yet", () => {
    const terms = [createTerm({ feeValue: 900 }), createTerm({ salesChannel: "WEB", hoursBefore: 24, feeValue: 500 })];
    expect(getFee(terms, "2026-06-01")).toBe(0);
  });

  test("uses separate cancellation terms for no-shows", () => {
    const terms = [createTerm({ feeValue: 100 }), createTerm({ occasion: "no_show", feeValue: 800 })];
    const contract = createCancellable();
    const time = createActionTime("2026-06-10 12:00");
    expect(calculateCancellationFee(terms, "no_show", contract, time)).toBe(800);
    expect(calculateCancellationFee(terms, "cancellation", contract, time)).toBe(100);
    expect(calculateCancellationFee([], "no_show", contract, time)).toBe(0);
  });

  // Proves "rules.md: the life of a contract": An unpaid pending booking costs nothing
  test.each<{ status: Cancellable["status"]; paid: number; cents: number }>([
    { status: "pending_confirmation", paid: 0, cents: 0 },
    { status: "pending_confirmation", paid: -1, cents: 0 },
    { status: "pending_confirmation", paid: 1, cents: 1000 },
    { status: "confirmed", paid: 0, cents: 1000 },
  ])("calculates the fee of a $status booking with $paid paid as $cents", ({ status, paid, cents }) => {
    expect(getFee([createTerm({})], undefined, createCancellable({ status, totalPaidCents: paid }))).toBe(cents);
  });

  test("keeps a cancellation fee between zero and the total, rising as pickup approaches if later terms cost more", () => {
    const terms = fc.array(
      fc.record({
        hoursBefore: fc.integer({ min: 1, max: 400 }),
        feeType: fc.constantFrom("percentage" as const, "days" as const, "amount" as const),
        feeValue: fc.integer({ min: 0, max: 60_000 }),
      }),
      { maxLength: 5 },
    );
    const totals = fc.tuple(fc.nat(500_000), fc.nat(100_000));
    fc.assert(
      fc.property(terms, totals, fc.integer({ min: 1, max: 90 }), (some, [itemCents, more], days) => {
        const contract = createCancellable({ days, totals: { itemCents, totalCents: itemCents + more } });
        for (const now of ["2026-05-20", "2026-06-05 10:01", "2026-06-09", "2026-06-12"]) {
          const fee = getFee(some.map(createTerm), now, contract);
          expect(fee).toBeGreaterThanOrEqual(0);
          expect(fee).toBeLessThanOrEqual(itemCents + more);
          expect(Number.isInteger(fee)).toBe(true);
        }
        const rising = [400, 100, 10].map((hoursBefore, index) =>
          createTerm({ hoursBefore, feeValue: (index + 1) * days }),
        );
        const fees = ["2026-05-20", "2026-05-30", "2026-06-07", "2026-06-10"].map((now) =>
          getFee(rising, now, contract),
        );
        expect(fees).toEqual(fees.toSorted((a, b) => a - b));
      }),
    );
  });
});

test("lists the fees of a cancellation until the pickup, without those that are over or don't change", () => {
  const terms = [
    createTerm({ hoursBefore: 72, feeValue: 1000 }),
    createTerm({ hoursBefore: 48, feeValue: 2000 }),
    createTerm({ hoursBefore: 24, feeValue: 2000 }),
    createTerm({ occasion: "no_show", feeValue: 5000 }),
  ];
  const list = (now: string, part: readonly CancellationTerm[] = terms) =>
    listCancellationSteps(part, createCancellable(), createActionTime(now).civil).map(({ until, feeCents }) => [
      formatCivilMinute(until),
      feeCents,
    ]);
  const last = ["2026-06-10T10:00", 2000];
  expect(list("2026-06-01")).toEqual([["2026-06-07T10:00", 0], ["2026-06-08T10:00", 1000], last]);
  expect(list("2026-06-07 10:00")).toEqual([["2026-06-08T10:00", 1000], last]);
  expect(list("2026-06-09 10:01")).toEqual([last]);
  expect(list("2026-06-10 10:00")).toEqual([]);
  expect(list("2026-06-01", [])).toEqual([["2026-06-10T10:00", 0]]);
  expect(list("2026-06-01", [createTerm({})])).toEqual([["2026-06-10T10:00", 1000]]);
});

test.each([
  { paid: 0, fee: 500, refund: 0 },
  { paid: 499, fee: 500, refund: 0 },
  { paid: 500, fee: 500, refund: 0 },
  { paid: 501, fee: 500, refund: 1 },
  { paid: 10_000, fee: 0, refund: 10_000 },
])("refunds $refund of $paid paid cents after a cancellation fee of $fee", ({ paid, fee, refund }) => {
  expect(calculateCancellationSums({ totalPaidCents: paid }, fee)).toEqual({ feeCents: fee, toRefundCents: refund });
});
