import "./page.ts";
import { createElement } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import { listCaptureLines, listPaymentLines } from "../../pwa/office/src/desk/preview-lines.ts";
import {
  type CardHold,
  findActionToChargeCapture,
  getUnchargedCapture,
  isHigherAmount,
  listAuthorisedHolds,
  proposeCaptureAmount,
  proposeCardHoldAmount,
  proposePaymentLinkAmount,
} from "../../pwa/office/src/pages/reservations/card-amounts.ts";
import { listMoneySums } from "../../pwa/office/src/pages/reservations/money-sums.tsx";
import { PaymentLinksAndHolds } from "../../pwa/office/src/pages/reservations/payment-links-and-holds.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

const createHold = (changes: Partial<CardHold> = {}): CardHold => ({
  ...{ id: 1, amount: "300.00", status: "authorised", captured_amount: "0.00", expires_at: null },
  ...{ gateway: "stripe", payment_link_id: 1, action: null, problem: null, created: "2030-06-01 10:00" },
  ...changes,
});

const CONFIRMED_RENTAL: Parameters<typeof proposeCardHoldAmount>[0] = {
  ...{ status: "confirmed", kind: "rental", total_pending: "120.50" },
  ...{ total_deposit: "400.00", deposit_held: "0.00" },
};

beforeEach(() => setAccount({ currency_decimals: 2 }));

describe("the amounts proposed for payment links and card holds", () => {
  test("proposes the amount due for a payment link, and nothing if nothing is due", () => {
    expect(proposePaymentLinkAmount(CONFIRMED_RENTAL)).toBe("120.50");
    expect(proposePaymentLinkAmount({ total_pending: "0.00" })).toBe("");
    expect(proposePaymentLinkAmount({ total_pending: "-5.00" })).toBe("");
  });

  test("finds amounts above a limit to the cent, and none in a text that isn't an amount", () => {
    expect(isHigherAmount("400.01", "400.00")).toBe(true);
    expect(isHigherAmount("400", "400.00")).toBe(false);
    expect(isHigherAmount("4x0", "400.00")).toBe(false);
  });

  test("proposes the part of the deposit that no payment or card hold covers", () => {
    expect(proposeCardHoldAmount(CONFIRMED_RENTAL, [])).toBe("400.00");
    expect(proposeCardHoldAmount({ ...CONFIRMED_RENTAL, deposit_held: "50.00" }, [createHold()])).toBe("50.00");
    expect(proposeCardHoldAmount(CONFIRMED_RENTAL, [createHold({ status: "released" })])).toBe("400.00");
    expect(proposeCardHoldAmount(CONFIRMED_RENTAL, [createHold({ amount: "400.00" })])).toBe("");
  });

  test("proposes a deposit of zero after the rental and for transfers", () => {
    expect(proposeCardHoldAmount({ ...CONFIRMED_RENTAL, status: "done" }, [])).toBe("");
    expect(proposeCardHoldAmount({ ...CONFIRMED_RENTAL, kind: "transfer" }, [])).toBe("");
  });

  test("proposes at most the held amount for a capture", () => {
    expect(proposeCaptureAmount(CONFIRMED_RENTAL, createHold())).toBe("120.50");
    expect(proposeCaptureAmount({ total_pending: "350.00" }, createHold())).toBe("300.00");
    expect(proposeCaptureAmount({ total_pending: "0.00" }, createHold())).toBe("");
  });

  test("calculates what a capture without a charge owes to the customer", () => {
    const captured = createHold({ status: "captured", captured_amount: "80.00" });
    expect(getUnchargedCapture({ to_refund: "80.00" }, [captured])).toBe("80.00");
    expect(getUnchargedCapture({ to_refund: "30.00" }, [captured])).toBe("30.00");
    expect(getUnchargedCapture({ to_refund: "200.00" }, [captured])).toBe("80.00");
    expect(getUnchargedCapture({ to_refund: "0.00" }, [captured])).toBe("");
    expect(getUnchargedCapture({ to_refund: "80.00" }, [createHold({ status: "released" })])).toBe("");
  });

  test("charges a capture by the return of the vehicle or by a later charge, as the role permits", () => {
    const signIn = (role: string) =>
      setAccount({ user: { full_name: "Ana", role } } as unknown as Parameters<typeof setAccount>[0]);
    signIn("agent");
    expect(findActionToChargeCapture({ allowed: ["change", "collect"] })).toBe("collect");
    expect(findActionToChargeCapture({ allowed: ["surcharge", "reopen"] })).toBe("surcharge");
    expect(findActionToChargeCapture({ allowed: [] })).toBeUndefined();
    signIn("operator");
    expect(findActionToChargeCapture({ allowed: ["surcharge"] })).toBeUndefined();
  });

  test("lists only authorised card holds without a pending gateway request", () => {
    const holds = [createHold(), createHold({ action: "capture" }), createHold({ status: "captured" })];
    expect(listAuthorisedHolds(holds)).toEqual([createHold()]);
  });

  test("proposes the amount of a card hold without decimals in a currency that has none", () => {
    setAccount({ currency_decimals: 0 });
    expect(
      proposeCardHoldAmount({ ...CONFIRMED_RENTAL, total_deposit: "40000", deposit_held: "0" }, [
        createHold({ amount: "30000" }),
      ]),
    ).toBe("10000");
  });
});

describe("the previews of money", () => {
  const setUp = () => {
    Object.assign(document.documentElement, { lang: "en" });
    setAccount({ currency: "EUR", currency_decimals: 2 });
  };

  test("shows what a capture releases and leaves due, and what is paid too much only if it is", () => {
    setUp();
    const capture = { amount: "50.00", released: "250.00", total_pending: "10.00", credit: "0.00" };
    const listAmounts = (changes: Partial<typeof capture>) =>
      listCaptureLines({ capture: { ...capture, ...changes } }).map(([, amount]) => amount.replace(/[^\d.]/g, ""));
    expect(listAmounts({})).toEqual(["50.00", "250.00", "10.00"]);
    expect(listAmounts({ credit: "5.00" })).toEqual(["50.00", "250.00", "10.00", "5.00"]);
  });

  test("shows the part of each reservation of a payment, and the balance of the invoice", () => {
    setUp();
    const contracts = [
      { reservation_id: 7, amount: "60.00" },
      { reservation_id: 8, amount: "40.00" },
    ];
    const lines = listPaymentLines({ payment: { amount: "100.00", total_pending: "20.00", contracts } });
    expect(lines.map(([, amount]) => amount.replace(/[^\d.]/g, ""))).toEqual(["60.00", "40.00", "20.00"]);
  });
});

describe("the sums of a reservation's money", () => {
  const cancelledReservation = {
    ...{ status: "cancelled", total_cost: "171.25", total_paid: "171.25", cancellation_fee: "50.00" },
    ...{ total_pending: "-121.25", to_refund: "121.25", total_deposit: "150.00", deposit_held: "0.00" },
    agent_comission_prepaid_amount: "0.00",
  } as Parameters<typeof listMoneySums>[0];

  beforeEach(() => loadTexts("en"));

  test("shows the amount to refund of a cancelled reservation once, as the result, instead of a negative balance", () => {
    expect(listMoneySums(cancelledReservation, "0")).toEqual([
      ["Total", "171.25"],
      ["Paid", "171.25"],
      ["Fee", "50.00"],
      ["To refund", "121.25", true],
      ["Deposit", "150.00"],
    ]);
  });

  test("shows a reservation's balance as the result, and an amount to refund only if it differs from the balance", () => {
    const open = {
      ...cancelledReservation,
      status: "confirmed",
      total_pending: "20.00",
      to_refund: "0.00",
    } as typeof cancelledReservation;
    expect(listMoneySums(open, "80.00").slice(2)).toEqual([
      ["Still to pay", "20.00", true],
      ["Deposit", "150.00"],
      ["Held on card", "80.00"],
    ]);
    expect(listMoneySums({ ...open, total_pending: "-30.00", to_refund: "25.00" }, "0").slice(2, 4)).toEqual([
      ["Still to pay", "-30.00", true],
      ["To refund", "25.00"],
    ]);
  });
});

test.each([
  ["no_answer", "The payment gateway didn't answer the request about the card hold."],
  ["gateway_closed", "The payment gateway isn't set up. Complete its settings, then try again."],
  ["resource_missing", "The payment gateway answered “resource_missing”."],
])("explains the problem %s of a card hold, and quotes a gateway's own code", async (problem, text) => {
  await loadTexts("en");
  const reservation = { ...CONFIRMED_RENTAL, to_refund: "0.00" };
  const shown = { reservation, holds: [createHold({ problem })], payment_links: [] };
  const props = { of: shown as never, onOpen: () => undefined, onDone: () => undefined };
  const view = renderComponent(createElement(PaymentLinksAndHolds, props));
  expect(view.list("small").map(({ textContent }) => textContent)).toContain(text);
  view.close();
});
