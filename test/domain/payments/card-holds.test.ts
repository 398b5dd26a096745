import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyCardHoldEvent,
  type CardHoldEvent,
  findCardHoldActionProblem,
  getCardHoldStatus,
  type StoredCardHoldStatus,
} from "#domain/payments/card-holds.ts";
import {
  deriveReportedPayment,
  type GatewayReportedState,
  planCardHoldChange,
} from "#domain/payments/gateway-events.ts";

const arbitraryEvent = fc.constantFrom<CardHoldEvent>("failed", "authorised", "released", "captured");
const run = (events: readonly CardHoldEvent[], from: StoredCardHoldStatus = "requested") =>
  events.reduce<StoredCardHoldStatus>((status, event) => applyCardHoldEvent(status, event), from);

describe("state of a card hold", () => {
  test("calculates the same card hold status if gateway events repeat or arrive in another order", () => {
    const shuffled = fc
      .array(arbitraryEvent, { maxLength: 6 })
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
      fc.property(fc.array(arbitraryEvent, { maxLength: 8 }), (events) => {
        if (events.includes("captured")) expect(run(events)).toBe("captured");
        expect(run(["released", ...events])).not.toBe("authorised");
        expect(run(["captured", ...events])).toBe("captured");
      }),
    );
  });

  test("expires a card hold on the bank's date, or with its payment link if it isn't authorised yet", () => {
    const link = { linkStatus: "open" } as const;
    expect(getCardHoldStatus({ status: "authorised", expiresAt: 10, ...link }, 9)).toBe("authorised");
    expect(getCardHoldStatus({ status: "authorised", expiresAt: 10, ...link }, 10)).toBe("expired");
    expect(getCardHoldStatus({ status: "captured", expiresAt: 10, ...link }, 99)).toBe("captured");
    expect(getCardHoldStatus({ status: "requested", expiresAt: null, linkStatus: "expired" }, 1)).toBe("expired");
    expect(getCardHoldStatus({ status: "failed", expiresAt: null, linkStatus: "cancelled" }, 1)).toBe("released");
    expect(getCardHoldStatus({ status: "failed", expiresAt: null, ...link }, 1)).toBe("failed");
  });
});

test("allows capturing a card hold once, at most in full, and without a pending gateway request", () => {
  const hold = { status: "authorised", amountCents: 100, actionState: null } as const;
  expect(findCardHoldActionProblem(hold, 100)).toBeUndefined();
  expect(findCardHoldActionProblem(hold, 101)).toBe("moreThanHeld");
  expect(findCardHoldActionProblem({ ...hold, actionState: "sent" }, 1)).toBe("holdInProgress");
  expect(findCardHoldActionProblem({ ...hold, actionState: "refused" }, 1)).toBeUndefined();
  for (const status of ["captured", "released", "expired", "requested", "failed"] as const)
    expect(findCardHoldActionProblem({ ...hold, status }, undefined)).toBe("holdNotAuthorised");
});

describe("a hold by a gateway's events", () => {
  const arbitraryFact: fc.Arbitrary<GatewayReportedState> = fc.record({
    kind: fc.constant("hold" as const),
    state: fc.constantFrom("authorised", "captured", "released"),
    cents: fc.constant(100),
  });
  const settle = (facts: readonly GatewayReportedState[], status: StoredCardHoldStatus): StoredCardHoldStatus => {
    const step = planCardHoldChange(deriveReportedPayment(facts), { status }, 100);
    if (!step || step.kind === "mismatch") return status;
    const next = { hold: "authorised", failHold: "failed", capture: "captured", release: "released" } as const;
    return settle(facts, next[step.kind]);
  };

  test("calculates the same card hold whether gateway events arrive separately or together", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 6 }), (facts) => {
        const oneByOne = facts.reduce<StoredCardHoldStatus>(
          (status, _fact, index) => settle(facts.slice(0, index + 1), status),
          "requested",
        );
        expect(oneByOne).toBe(settle(facts, "requested"));
      }),
    );
  });

  test("flags a card hold of another amount as a mismatch, and accepts a partial capture", () => {
    const fact = (state: "authorised" | "captured", cents: number): GatewayReportedState => ({
      kind: "hold",
      state,
      cents,
    });
    const plan = (gatewayFact: GatewayReportedState) =>
      planCardHoldChange(deriveReportedPayment([gatewayFact]), { status: "requested" }, 100);
    expect(plan(fact("authorised", 99))).toEqual({ kind: "mismatch" });
    expect(plan(fact("captured", 101))).toEqual({ kind: "mismatch" });
    expect(plan(fact("captured", 40))).toEqual({ kind: "capture", cents: 40 });
  });
});
