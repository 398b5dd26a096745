import { describe, expect, test } from "vitest";
import type { ReservationBase } from "#domain/bookings/bookings.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { decideInitialBookingState, findCheckoutProblem, toCartCheckoutAnswer } from "#domain/payments/checkout.ts";
import { createSettings } from "#support/catalogue.ts";

const NOW = 1_000_000;
const TOTALS = { totalCents: 10_000, bookingAmountCents: 2000 };
const CARD = "tpvA256";

const settings = (changes: Partial<Settings> = {}) =>
  createSettings({
    ...{ paymentOptions: ["deposit", "total"], paymentHoldMinutes: 30, holdMinutes: 600, ...changes },
  } as Partial<Settings>);

describe("a website booking", () => {
  test.each<{
    name: string;
    automatic: boolean;
    method: string | undefined;
    options?: Settings["paymentOptions"];
    minutes: number | undefined;
  }>([
    { name: "with a payment is held briefly", automatic: false, method: CARD, minutes: 30 },
    { name: "with a payment is held briefly even if others are confirmed", automatic: true, method: CARD, minutes: 30 },
    { name: "without a payment is held as a request", automatic: false, method: undefined, minutes: 600 },
    { name: "without a payment is confirmed automatically", automatic: true, method: undefined, minutes: undefined },
    {
      name: "with a method but nothing to pay online is confirmed automatically",
      automatic: true,
      method: CARD,
      options: [],
      minutes: undefined,
    },
  ])(
    "confirms a website booking at once or holds it until the payment: $name",
    ({ automatic, method, options = ["deposit", "total"], minutes }) => {
      const account = settings({ automaticConfirmation: automatic, paymentOptions: options });
      const expected = minutes === undefined ? undefined : NOW + minutes * 60_000;
      expect(decideInitialBookingState(account, TOTALS, { paymentMethod: method }, NOW)).toEqual({
        status: minutes === undefined ? "confirmed" : "pending_confirmation",
        expiresAt: expected,
      });
    },
  );

  test.each<{
    name: string;
    seenTotalCents: number | undefined;
    requests: boolean;
    method: string | undefined;
    problem: object | undefined;
  }>([
    { name: "with the seen total", seenTotalCents: 10_000, requests: true, method: undefined, problem: undefined },
    { name: "without a seen total", seenTotalCents: undefined, requests: true, method: undefined, problem: undefined },
    {
      name: "with another total",
      seenTotalCents: 9999,
      requests: true,
      method: CARD,
      problem: { kind: "priceChanged", totalCents: 10_000 },
    },
    {
      name: "without a payment that is required",
      seenTotalCents: 10_000,
      requests: false,
      method: undefined,
      problem: { kind: "requestNotAllowed" },
    },
    { name: "with the required payment", seenTotalCents: 10_000, requests: false, method: CARD, problem: undefined },
  ])("returns the problem of a website checkout, if any: $name", ({ seenTotalCents, requests, method, problem }) => {
    const request = { expectedTotalCents: seenTotalCents, paymentMethod: method };
    expect(findCheckoutProblem(settings({ requestAllowed: requests }), TOTALS, request, NOW)).toEqual(problem);
  });

  test.each<{
    name: string;
    options: Settings["paymentOptions"];
    method: string | undefined;
    part: string | undefined;
  }>([
    { name: "the deposit before the total", options: ["deposit", "total"], method: CARD, part: "deposit" },
    { name: "the total", options: ["total"], method: CARD, part: "total" },
    { name: "nothing without a method", options: ["deposit", "total"], method: undefined, part: undefined },
    { name: "nothing if nothing can be paid", options: [], method: CARD, part: undefined },
  ])("answers a checkout with the payment of $name", ({ options, method, part }) => {
    const customer = { name: "Ana", surname: "Ruiz" };
    const booking = {
      ...{ freeAccessId: "abc", status: "pending_confirmation", totals: TOTALS, totalPaidCents: 0, customer },
      ...{ expiresAt: NOW + 1, paidAfterExpiry: false },
    } as unknown as ReservationBase;
    const request = { paymentMethod: method } as Parameters<typeof toCartCheckoutAnswer>[2];
    expect(toCartCheckoutAnswer(settings({ paymentOptions: options }), booking, request, NOW)).toEqual({
      ...{ bookingFreeAccessId: "abc", payNow: part !== undefined, paymentPart: part },
      ...{ paymentMethod: part && method, total: "100.00", customer },
    });
  });
});
