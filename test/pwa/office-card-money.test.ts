import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  type CardHold,
  listAuthorised,
  proposeCapture,
  proposeHold,
  proposePayment,
} from "../../pwa/office/src/pages/reservations/card-amounts.ts";

const aHold = (changes: Partial<CardHold> = {}): CardHold => ({
  ...{ id: 1, amount: "300.00", status: "authorised", captured_amount: "0.00", expires_at: null },
  ...{ gateway: "stripe", payment_link_id: 1, action: null, problem: null, created: "2030-06-01 10:00" },
  ...changes,
});

const aRental: Parameters<typeof proposeHold>[0] = {
  ...{ status: "confirmed", kind: "rental", total_pending: "120.50" },
  ...{ total_deposit: "400.00", deposit_held: "0.00" },
};

beforeEach(() => setAccount({ currency_decimals: 2 }));

describe("the amounts proposed for payment links and card holds", () => {
  test("proposes the amount due for a payment link, and nothing if nothing is due", () => {
    expect(proposePayment(aRental)).toBe("120.50");
    expect(proposePayment({ total_pending: "0.00" })).toBe("");
    expect(proposePayment({ total_pending: "-5.00" })).toBe("");
  });

  test("proposes the part of the deposit that no payment or card hold covers", () => {
    expect(proposeHold(aRental, [])).toBe("400.00");
    expect(proposeHold({ ...aRental, deposit_held: "50.00" }, [aHold()])).toBe("50.00");
    expect(proposeHold(aRental, [aHold({ status: "released" })])).toBe("400.00");
    expect(proposeHold(aRental, [aHold({ amount: "400.00" })])).toBe("");
  });

  test("proposes a deposit of zero after the rental and for transfers", () => {
    expect(proposeHold({ ...aRental, status: "done" }, [])).toBe("");
    expect(proposeHold({ ...aRental, kind: "transfer" }, [])).toBe("");
  });

  test("proposes at most the held amount for a capture", () => {
    expect(proposeCapture(aRental, aHold())).toBe("120.50");
    expect(proposeCapture({ total_pending: "350.00" }, aHold())).toBe("300.00");
    expect(proposeCapture({ total_pending: "0.00" }, aHold())).toBe("");
  });

  test("lists only authorised card holds without a pending gateway request", () => {
    const holds = [aHold(), aHold({ action: "capture" }), aHold({ status: "captured" })];
    expect(listAuthorised(holds)).toEqual([aHold()]);
  });

  test("proposes amounts with the currency's decimals", () => {
    setAccount({ currency_decimals: 0 });
    expect(proposeHold({ ...aRental, total_deposit: "40000", deposit_held: "0" }, [aHold({ amount: "30000" })])).toBe(
      "10000",
    );
  });
});
