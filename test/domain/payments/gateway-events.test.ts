import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deriveReportedPayment,
  type GatewayReportedState,
  planRecordedPaymentChange,
  type RecordedPayment,
  type ReportedPayment,
} from "#domain/payments/gateway-events.ts";

const cents = fc.integer({ min: 1, max: 5000 });
const id = fc.constantFrom("a", "b", "c");
const arbitraryFact: fc.Arbitrary<GatewayReportedState> = fc.oneof(
  fc.record({
    kind: fc.constant("payment" as const),
    state: fc.constantFrom("pending", "paid", "denied"),
    cents: fc.constant(5000),
  }),
  fc.record({
    kind: fc.constant("refund" as const),
    id,
    state: fc.constantFrom("pending", "succeeded", "failed"),
    cents,
  }),
  fc.record({ kind: fc.constant("refunded_total" as const), cents }),
  fc.record({
    kind: fc.constant("dispute" as const),
    id,
    state: fc.constantFrom("inquiry", "open", "won", "lost"),
    cents,
  }),
);
const paid: GatewayReportedState = { kind: "payment", state: "paid", cents: 5000 };

/** Applies steps until the books agree with the gateway. */
function settle(reported: ReportedPayment, booked: RecordedPayment): RecordedPayment {
  const step = planRecordedPaymentChange(reported, booked);
  switch (step?.kind) {
    case "pay":
      return settle(reported, { ...booked, state: "paid" });
    case "deny":
      return settle(reported, { ...booked, state: "denied" });
    case "refund":
      return settle(reported, { ...booked, refundedCents: booked.refundedCents + step.cents });
    case "reinstate":
      return settle(reported, { ...booked, refundedCents: booked.refundedCents - step.cents });
    default:
      return booked;
  }
}

const unpaid: RecordedPayment = {
  state: "pending",
  amountCents: 5000,
  refundedCents: 0,
  enteredCents: 0,
  confirmedCents: 0,
};

describe("the state of a payment by its events", () => {
  // Proves "payments.md: gateways": The state of a payment doesn't depend on the order of its events
  test("calculates the same payment state if gateway events repeat or arrive in another order", () => {
    const shuffled = fc
      .array(arbitraryFact, { maxLength: 8 })
      .chain((facts) =>
        fc.tuple(fc.constant(facts), fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 })),
      );
    fc.assert(
      fc.property(shuffled, ([facts, others]) => {
        expect(deriveReportedPayment(others)).toEqual(deriveReportedPayment(facts));
      }),
    );
  });

  test("calculates the same paid and refunded amounts whether gateway events arrive one by one or together", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 8 }), (facts) => {
        const all = [...facts, paid];
        const oneByOne = all.reduce<RecordedPayment>(
          (booked, _fact, index) => settle(deriveReportedPayment(all.slice(0, index + 1)), booked),
          unpaid,
        );
        expect(oneByOne).toEqual(settle(deriveReportedPayment(all), unpaid));
        expect(oneByOne.refundedCents).toBeGreaterThanOrEqual(0);
        expect(oneByOne.refundedCents).toBeLessThanOrEqual(5000);
      }),
    );
  });

  test("counts a refund once if the gateway reports it in the total and by its own event", () => {
    const facts: GatewayReportedState[] = [
      paid,
      { kind: "refunded_total", cents: 1000 },
      { kind: "refund", id: "a", state: "succeeded", cents: 1000 },
    ];
    expect(deriveReportedPayment(facts).refundedCents).toBe(1000);
    expect(
      deriveReportedPayment([...facts, { kind: "refund", id: "a", state: "failed", cents: 1000 }]).refundedCents,
    ).toBe(0);
  });

  test("counts a disputed amount as refunded until the dispute is won", () => {
    const open: GatewayReportedState[] = [paid, { kind: "dispute", id: "d", state: "open", cents: 5000 }];
    expect(deriveReportedPayment(open).refundedCents).toBe(5000);
    expect(
      deriveReportedPayment([...open, { kind: "dispute", id: "d", state: "won", cents: 5000 }]).refundedCents,
    ).toBe(0);
    expect(
      deriveReportedPayment([paid, { kind: "dispute", id: "d", state: "inquiry", cents: 5000 }]).refundedCents,
    ).toBe(0);
  });

  test("treats a payment of another amount than expected as a mismatch", () => {
    expect(planRecordedPaymentChange(deriveReportedPayment([{ ...paid, cents: 4000 }]), unpaid)).toEqual({
      kind: "mismatch",
    });
  });

  test("records no refund again that staff entered by hand", () => {
    const reported = deriveReportedPayment([paid, { kind: "refunded_total", cents: 1000 }]);
    expect(planRecordedPaymentChange(reported, { ...unpaid, state: "paid", enteredCents: 1000 })).toBeUndefined();
  });
});
