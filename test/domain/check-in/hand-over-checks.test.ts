import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HAND_OVER_CHECK_MODES, HAND_OVER_CHECKS } from "#domain/catalogue/hand-over-checks.ts";
import {
  addDeliveryDataAndSales,
  decideHandOver,
  type HandOverCheckInput,
  listBlockingChecks,
  listUnmetHandOverChecks,
} from "#domain/check-in/hand-over-checks.ts";
import type { CivilDate } from "#domain/dates.ts";

const BARE: HandOverCheckInput = {
  dueCents: 9_000,
  totalDepositCents: 40_000,
  depositHeldCents: 0,
  documentId: null,
  contractData: {},
  dateTo: "2030-06-13",
  isSigned: false,
};
const COMPLETE: HandOverCheckInput = {
  ...BARE,
  dueCents: 0,
  depositHeldCents: 40_000,
  documentId: "X1",
  contractData: { driver_driving_license_number: "B-1", driver_driving_license_expiration_date: "2031-01-01" },
  isSigned: true,
};

describe("the checks before a hand-over", () => {
  test("warns by default about everything that is missing for a hand-over", () => {
    expect(listUnmetHandOverChecks({}, BARE)).toEqual([...HAND_OVER_CHECKS]);
    expect(listBlockingChecks({}, listUnmetHandOverChecks({}, BARE))).toEqual([]);
    expect(listUnmetHandOverChecks({}, COMPLETE)).toEqual([]);
  });

  test("counts payments and a signature made during the hand-over", () => {
    const charges = [
      { kind: "payment", amountCents: 9_000 },
      { kind: "deposit_taken", amountCents: 40_000 },
    ] as const;
    expect(listUnmetHandOverChecks({}, BARE, { charges, hasSignature: true })).toEqual(["licence", "identity"]);
    expect(
      listUnmetHandOverChecks({}, BARE, { charges: [{ kind: "payment", amountCents: 8_999 }], hasSignature: false }),
    ).toContain("payment");
  });

  test("counts documents read and extras sold during the hand-over", () => {
    const driver = {
      ...{ name: "Ana", surname: "Ruiz", documentId: "X1", dateOfBirth: undefined },
      ...{ licenceNumber: "B-1", licenceExpires: "2031-01-01" as CivilDate },
    };
    const nothingSold = { soldCents: 0, depositReductionCents: 0 };
    const withDriver = addDeliveryDataAndSales(BARE, { driver }, nothingSold);
    expect(listUnmetHandOverChecks({}, withDriver)).toEqual(["payment", "deposit", "signature"]);
    const authorities = { customer: { documentId: "X2" }, contractData: {} };
    expect(listUnmetHandOverChecks({}, addDeliveryDataAndSales(BARE, { authorities }, nothingSold))).not.toContain(
      "identity",
    );
    const held = { ...COMPLETE, depositHeldCents: 10_000 };
    const waiver = { soldCents: 0, depositReductionCents: 30_000 };
    expect(listUnmetHandOverChecks({}, addDeliveryDataAndSales(held, {}, waiver))).toEqual([]);
    const sold = { soldCents: 1, depositReductionCents: 0 };
    expect(listUnmetHandOverChecks({}, addDeliveryDataAndSales(COMPLETE, {}, sold))).toEqual(["payment"]);
  });

  test("keeps a stored licence if a document without one is read", () => {
    const read = addDeliveryDataAndSales(
      COMPLETE,
      {
        driver: {
          ...{ name: "Ana", surname: "Ruiz", documentId: "X1", dateOfBirth: undefined },
          ...{ licenceNumber: undefined, licenceExpires: undefined },
        },
      },
      { soldCents: 0, depositReductionCents: 0 },
    );
    expect(read.contractData).toMatchObject(COMPLETE.contractData);
  });

  test.each([
    [
      "a manager's reason",
      "manager",
      "Pays later",
      { isBlocked: false, override: { reason: "Pays later", missing: ["payment"] } },
    ],
    ["an agent's reason", "agent", "Pays later", { isBlocked: true, override: undefined }],
    ["a manager without a reason", "manager", undefined, { isBlocked: true, override: undefined }],
  ] as const)("decides a blocked hand-over by role and reason: %s", (_, role, reason, verdict) => {
    const work = { charges: [], hasSignature: false };
    const missing = [...HAND_OVER_CHECKS];
    const decide = (facts: HandOverCheckInput) => decideHandOver({ payment: "block" }, facts, work, { role, reason });
    expect(decide(BARE)).toEqual({ missing, blocking: ["payment"], ...verdict });
    expect(decide({ ...BARE, dueCents: 0 })).toMatchObject({ isBlocked: false, override: undefined });
  });

  test("requires a licence that is valid until the return", () => {
    const expiring = { ...COMPLETE.contractData, driver_driving_license_expiration_date: "2030-06-12" };
    expect(listUnmetHandOverChecks({}, { ...COMPLETE, contractData: expiring })).toEqual(["licence"]);
  });

  test("blocks a hand-over only by missing data that the account set to block", () => {
    const modes = fc.record(
      Object.fromEntries(HAND_OVER_CHECKS.map((check) => [check, fc.constantFrom(...HAND_OVER_CHECK_MODES)])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(modes, fc.constantFrom(BARE, COMPLETE), (checks, facts) => {
        const missing = listUnmetHandOverChecks(checks, facts);
        const blocking = listBlockingChecks(checks, missing);
        for (const check of HAND_OVER_CHECKS) {
          const mode = checks[check] ?? "warn";
          expect(missing.includes(check)).toBe(facts === BARE && mode !== "off");
          expect(blocking.includes(check)).toBe(facts === BARE && mode === "block");
        }
      }),
    );
  });
});
