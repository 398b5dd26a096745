import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyHoldEvent,
  findHoldProblem,
  getHoldStatus,
  type HoldEvent,
  type StoredHoldStatus,
} from "#domain/payments/card-holds.ts";
import { deriveReportedPayment, type GatewayFact, planCardHoldChange } from "#domain/payments/gateway-events.ts";

const anEvent = fc.constantFrom<HoldEvent>("failed", "authorised", "released", "captured");
const run = (events: readonly HoldEvent[], from: StoredHoldStatus = "requested") =>
  events.reduce<StoredHoldStatus>((status, event) => applyHoldEvent(status, event), from);

describe("state of a card hold", () => {
  test("calculates the same card hold status if gateway events repeat or arrive in another order", () => {
    const shuffled = fc
      .array(anEvent, { maxLength: 6 })
      .chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([events, others]) => {
        expect(run(others)).toBe(run(events));
      }),
    );
  });

  test("never loses a capture of a card hold, and never returns to authorised", () => {
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 8 }), (events) => {
        if (events.includes("captured")) expect(run(events)).toBe("captured");
        expect(run(["released", ...events])).not.toBe("authorised");
        expect(run(["captured", ...events])).toBe("captured");
      }),
    );
  });

  test("expires a card hold on the bank's date, or with its payment link if it isn't authorised yet", () => {
    const link = { linkStatus: "open" } as const;
    expect(getHoldStatus({ status: "authorised", expiresAt: 10, ...link }, 9)).toBe("authorised");
    expect(getHoldStatus({ status: "authorised", expiresAt: 10, ...link }, 10)).toBe("expired");
    expect(getHoldStatus({ status: "captured", expiresAt: 10, ...link }, 99)).toBe("captured");
    expect(getHoldStatus({ status: "requested", expiresAt: null, linkStatus: "expired" }, 1)).toBe("expired");
    expect(getHoldStatus({ status: "failed", expiresAt: null, linkStatus: "cancelled" }, 1)).toBe("released");
    expect(getHoldStatus({ status: "failed", expiresAt: null, ...link }, 1)).toBe("failed");
  });
});

test("allows capturing a card hold once, at most in full, and without a pending gateway request", () => {
  const hold = { status: "authorised", amountCents: 100, actionState: null } as const;
  expect(findHoldProblem(hold, 100)).toBeUndefined();
  expect(findHoldProblem(hold, 101)).toBe("moreThanHeld");
  expect(findHoldProblem({ ...hold, actionState: "sent" }, 1)).toBe("holdInProgress");
  expect(findHoldProblem({ ...hold, actionState: "refused" }, 1)).toBeUndefined();
  for (const status of ["captured", "released", "expired", "requested", "failed"] as const)
    expect(findHoldProblem({ ...hold, status }, undefined)).toBe("holdNotAuthorised");
});

describe("a hold by a gateway's events", () => {
  const aFact: fc.Arbitrary<GatewayFact> = fc.record({
    kind: fc.constant("hold" as const),
    state: fc.constantFrom("authorised", "captured", "released"),
    cents: fc.constant(100),
  });
  const settle = (facts: readonly GatewayFact[], status: StoredHoldStatus): StoredHoldStatus => {
    const step = planCardHoldChange(deriveReportedPayment(facts), { status }, 100);
    if (!step || step.kind === "mismatch") return status;
    const next = { hold: "authorised", failHold: "failed", capture: "captured", release: "released" } as const;
    return settle(facts, next[step.kind]);
  };

  test("calculates the same card hold whether gateway events arrive separately or together", () => {
    fc.assert(
      fc.property(fc.array(aFact, { maxLength: 6 }), (facts) => {
        const oneByOne = facts.reduce<StoredHoldStatus>(
          (status, _fact, index) => settle(facts.slice(0, index + 1), status),
          "requested",
        );
        expect(oneByOne).toBe(settle(facts, "requested"));
      }),
    );
  });

  test("flags a card hold of another amount as a mismatch, and accepts a partial capture", () => {
    const fact = (state: "authorised" | "captured", cents: number): GatewayFact => ({ kind: "hold", state, cents });
    const plan = (gatewayFact: GatewayFact) =>
      planCardHoldChange(deriveReportedPayment([gatewayFact]), { status: "requested" }, 100);
    expect(plan(fact("authorised", 99))).toEqual({ kind: "mismatch" });
    expect(plan(fact("captured", 101))).toEqual({ kind: "mismatch" });
    expect(plan(fact("captured", 40))).toEqual({ kind: "capture", cents: 40 });
  });
});
