import "./page.ts";
import { createElement } from "preact";
import { useState } from "preact/hooks";
import { describe, expect, test, vi } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import type { Reservation } from "../../pwa/office/src/desk/reservation.ts";
import { useVehiclesToAssign } from "../../pwa/office/src/desk/vehicle-choice.ts";
import { readFormDraft, saveFormDraft } from "../../pwa/office/src/pages/form-drafts.ts";
import {
  buildCharges,
  buildSurcharges,
  findMoneyProblems,
  getAddedCost,
  getHoldAmount,
  getHoldHint,
  isEarlyHandOver,
  listMissingAfterPayments,
  proposeCaptureAfterReturn,
  proposeHandOverMoney,
  proposeReturnMoney,
  toEarlyReturnTime,
  translateMoneyProblems,
} from "../../pwa/office/src/pages/reservations/guided/proposals.ts";
import { ReadAndSign } from "../../pwa/office/src/pages/reservations/guided/read-and-sign.tsx";
import { isSignatureOutdated } from "../../pwa/office/src/pages/reservations/guided/send-signature.ts";
import { translateGuided as g, loadGuidedTexts } from "../../pwa/office/src/pages/reservations/guided/texts.ts";
import {
  type GuidedFormProps,
  useGuidedAction,
  useGuidedStep,
} from "../../pwa/office/src/pages/reservations/guided/use-guided-action.ts";
import { findButton, renderComponent } from "./render.ts";

// Set at once, because amounts are proposed while the tests are collected.
setAccount({ currency_decimals: 2 });

const noMethod = () => "";

describe("the time of a guided hand-over", () => {
  test("treats a hand-over as early more than a day before the planned pickup, and not later", () => {
    const planned = { date_from: "2030-03-01", time_from: "10:00" };
    const isEarlyAt = (date: string, time: string) => isEarlyHandOver(planned, { date: date as CivilDate, time });
    expect([isEarlyAt("2030-02-28", "09:59"), isEarlyAt("2029-12-31", "23:00")]).toEqual([true, true]);
    expect([isEarlyAt("2030-02-28", "10:00"), isEarlyAt("2030-03-02", "00:00")]).toEqual([false, false]);
  });
});

describe("the money of a guided hand-over", () => {
  const lines = proposeHandOverMoney("120.50", "300.00");

  test("proposes the amount due and the deposit in a guided hand-over", () => {
    expect(lines).toEqual([
      { kind: "payment", amount: "120.50" },
      { kind: "deposit_taken", amount: "300.00" },
    ]);
    expect(proposeHandOverMoney("", "0.00")).toEqual([]);
  });

  test("requires a valid amount and a method for a payment in a guided hand-over", () => {
    expect(findMoneyProblems(lines, {}, noMethod)).toEqual({
      "payment.method": "method",
      "deposit_taken.method": "method",
    });
    const typedFields = { "payment.amount": "12,5,0", "payment.method": "cash", "deposit_taken.amount": "" };
    expect(findMoneyProblems(lines, typedFields, noMethod)).toEqual({ "payment.amount": "money" });
    expect(findMoneyProblems(lines, { "payment.amount": "0", "deposit_taken.amount": "0" }, noMethod)).toEqual({});
  });

  test("refuses a payment above the amount due at the step where it's typed", () => {
    const typedFields = { "payment.amount": "120.51", "payment.method": "cash", "deposit_taken.amount": "" };
    expect(findMoneyProblems(lines, typedFields, noMethod)).toEqual({ "payment.amount": "more_than_due" });
    expect(findMoneyProblems(lines, { ...typedFields, "payment.amount": "120.50" }, noMethod)).toEqual({});
  });

  test("refuses a card hold above the deposit that is due, but no cash deposit", () => {
    const typedFields = { "payment.amount": "", "deposit_taken.amount": "300.01", "deposit_taken.method": "card_hold" };
    expect(findMoneyProblems(lines, typedFields, noMethod)).toEqual({ "deposit_taken.amount": "more_than_due" });
    expect(findMoneyProblems(lines, { ...typedFields, "deposit_taken.amount": "300" }, noMethod)).toEqual({});
    expect(findMoneyProblems(lines, { ...typedFields, "deposit_taken.method": "cash" }, noMethod)).toEqual({});
  });

  test("lets the customer pay what is no longer withheld from the deposit at a return", () => {
    const shared = [
      { kind: "payment", amount: "20.00" },
      { kind: "deposit_kept", amount: "60.00" },
    ] as const;
    const typedFields = { "payment.amount": "50.00", "deposit_kept.amount": "30.00" };
    expect(findMoneyProblems(shared, typedFields, () => "cash")).toEqual({});
    const tooMuch = { ...typedFields, "payment.amount": "50.01" };
    expect(findMoneyProblems(shared, tooMuch, () => "cash")).toEqual({ "payment.amount": "more_than_due" });
  });

  test("holds the typed amount on the card, and nothing without an amount or with another method", () => {
    const held = { "deposit_taken.method": "card_hold" };
    expect(getHoldAmount(lines, held)).toBe("300.00");
    expect(getHoldAmount(lines, { ...held, "deposit_taken.amount": "150" })).toBe("150");
    expect(getHoldAmount(lines, { ...held, "deposit_taken.amount": "" })).toBeUndefined();
    expect(getHoldAmount(lines, { "deposit_taken.method": "cash" })).toBeUndefined();
    expect(getHoldAmount([], held)).toBeUndefined();
  });

  test("names what to do about a missing method, an amount that is too high and a card hold", async () => {
    Object.assign(document.documentElement, { lang: "en" });
    await loadGuidedTexts();
    const problems = translateMoneyProblems({ "payment.amount": "more_than_due", "deposit_taken.method": "method" });
    expect(problems["payment.amount"]).toContain("at most the amount due");
    expect(problems["deposit_taken.method"]).toContain("clear the amount");
    expect([getHoldHint("ana@example.com"), getHoldHint(null)]).toEqual([
      expect.stringContaining("ana@example.com"),
      expect.stringContaining("copy"),
    ]);
  });

  test("sends typed payments of a guided hand-over, but not a deposit taken as a card hold", () => {
    const typedFields = {
      ...{ "payment.amount": "100", "payment.method": "credit_card", "payment.number": " 4711 " },
      "deposit_taken.method": "card_hold",
    };
    expect(buildCharges(lines, typedFields, noMethod)).toEqual([
      { kind: "payment", amount: "100", payment_method_id: "credit_card", external_operation_number: "4711" },
    ]);
  });

  test("removes payment and deposit from the missing items of a guided hand-over once a method is chosen", () => {
    const missing = ["payment", "deposit", "signature"] as const;
    expect(listMissingAfterPayments(missing, lines, {})).toEqual(missing);
    expect(listMissingAfterPayments(missing, lines, { "payment.method": "cash" })).toEqual(["deposit", "signature"]);
    const part = { "payment.method": "cash", "payment.amount": "100", "deposit_taken.method": "card_hold" };
    expect(listMissingAfterPayments(missing, lines, {}, true)).toEqual(["payment", "deposit"]);
    expect(listMissingAfterPayments(missing, lines, part)).toEqual(missing);
  });
});

describe("the money of a guided return", () => {
  const charges = { due: "80.00", deposit_held: "300.00" };

  test("proposes to settle a guided return's debt by the customer or from the deposit, and refunds the rest", () => {
    expect(proposeReturnMoney(charges, "customer")).toEqual([
      { kind: "payment", amount: "80.00" },
      { kind: "deposit_returned", amount: "300.00" },
    ]);
    expect(proposeReturnMoney(charges, "deposit")).toEqual([
      { kind: "deposit_kept", amount: "80.00" },
      { kind: "deposit_returned", amount: "220.00" },
    ]);
    expect(proposeReturnMoney({ due: "-20.00", deposit_held: "0.00" }, "deposit")).toEqual([]);
  });

  test("leaves to a capture what the card holds cover, and takes only the rest from the customer", () => {
    const charges = { due: "80.00", deposit_held: "0.00" };
    expect(proposeReturnMoney(charges, "card_hold", "400.00")).toEqual([]);
    expect(proposeCaptureAfterReturn("80.00", "400.00")).toBe("80.00");
    expect(proposeReturnMoney(charges, "card_hold", "50.00")).toEqual([{ kind: "payment", amount: "30.00" }]);
    expect(proposeCaptureAfterReturn("80.00", "50.00")).toBe("50.00");
    expect(proposeReturnMoney({ due: "80.00", deposit_held: "300.00" }, "card_hold", "400.00")).toEqual([
      { kind: "deposit_returned", amount: "300.00" },
    ]);
    expect(proposeCaptureAfterReturn("-20.00", "400.00")).toBe("0.00");
  });

  test("names what a return adds to the price, not the whole price", () => {
    expect(getAddedCost("125.40", "198.40")).toBe("73.00");
    expect(getAddedCost("125.40", "125.40")).toBe("0.00");
    expect(getAddedCost("125.40", "100.00")).toBe("-25.40");
  });

  test("links charges of a guided return to damage by the damage's position in the list", () => {
    const scratch = { part: "roof", kind: "scratch", severity: "light", note: "", code: "", amount: "" };
    const dent = { ...scratch, kind: "dent", note: " Left ", code: "DAMAGE", amount: "180" };
    expect(buildSurcharges([scratch, dent, { ...scratch, code: "CLEAN" }])).toEqual([
      { code: "DAMAGE", damage: 1, amount: "180", text: "Left" },
      { code: "CLEAN", damage: 2 },
    ]);
  });
});

test("requires another signature if the text changed after it was signed, but none if nobody signed", () => {
  const signed = { id: "{} 3" };
  expect(isSignatureOutdated(signed, "{} 3")).toBe(false);
  expect(isSignatureOutdated(signed, "{} 4")).toBe(true);
  expect(isSignatureOutdated(undefined, "{} 4")).toBe(false);
});

test("names the text to sign for screen readers by its title", () => {
  const title = "Return record";
  const text = { id: "{} 3", path: "/return-record", title, name: "Ana", isSigned: false, onSign: () => undefined };
  const view = renderComponent(createElement(ReadAndSign, text));
  expect(view.list("section").map((section) => section["aria-label"])).toEqual([title]);
  view.close();
});

describe("the step of a guided action", () => {
  const STEPS = ["readings", "damage", "settlement"] as const;
  let isLoaded = false;

  /** Form with one field per step, which is wrong if its value is `wrong`. */
  function Steps() {
    const of = { id: 7, version: 1 } as GuidedFormProps["of"]["reservation"];
    const guided = useGuidedAction({ list: "guided-test", title: "", of, onDone: () => undefined });
    const { step, setStep, openFirstProblem } = useGuidedStep(STEPS, guided, {
      isLoaded,
      findProblems: (name) => (guided.typed[name] === "wrong" ? { [name]: "is wrong" } : {}),
    });
    const next = () => openFirstProblem() || setStep(STEPS[STEPS.indexOf(step) + 1] ?? step);
    return createElement(
      "main",
      null,
      [step, ...Object.values(guided.wrong.fields), guided.wrong.notice].join("|"),
      createElement("button", { onClick: next }, "Continue"),
    );
  }

  const open = async (draft: Readonly<Record<string, unknown>>, isDataLoaded = true) => {
    isLoaded = isDataLoaded;
    saveFormDraft("guided-test", "7", draft);
    await loadGuidedTexts();
    const view = renderComponent(createElement(Steps, null));
    await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      readStep: () => view.list("main")[0]?.childNodes[0]?.data,
      press: async () => {
        findButton(view, "Continue")?.dispatch("click");
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      close: view.close,
    };
  };

  test("continues a reopened draft at its last step", async () => {
    const first = await open({});
    expect(first.readStep()).toBe("readings|");
    await first.press();
    expect(first.readStep()).toBe("damage|");
    first.close();
    const second = await open(readFormDraft("guided-test", "7"));
    expect(second.readStep()).toBe("damage|");
    second.close();
  });

  test("opens a draft at its first earlier step with a problem, once the data for the checks is loaded", async () => {
    const draft = { step: "settlement", damage: "wrong", settlement: "wrong" };
    const waiting = await open(draft, false);
    expect(waiting.readStep()).toBe("settlement|");
    waiting.close();
    const checked = await open(draft);
    expect(checked.readStep()).toBe(`damage|is wrong|${g("fixStep")}`);
    checked.close();
  });

  test("opens an earlier step with a problem instead of continuing, and names the fields of this step only", async () => {
    const form = await open({ step: "damage", readings: "wrong", damage: "wrong" }, false);
    await form.press();
    expect(form.readStep()).toBe(`readings|is wrong|${g("fixStep")}`);
    await form.press();
    expect(form.readStep()).toBe(`readings|is wrong|${g("fixStep")}`);
    form.close();
  });

  test("starts at the first step if the draft names a step that doesn't exist", async () => {
    const form = await open({ step: "vehicle" });
    expect(form.readStep()).toBe("readings|");
    form.close();
  });
});

test("ends the agreed days of an early return when the vehicle came back, or now by the server's clock", () => {
  expect(toEarlyReturnTime("2030-06-02T18:05")).toEqual({ date_to: "2030-06-02", time_to: "18:05" });
  expect(toEarlyReturnTime(undefined)).toEqual({});
});

test("offers the vehicles of another branch group if a reservation moves to it", async () => {
  const fetched = vi.fn(async (url: string) =>
    Response.json({
      vehicles: [{ reference: url.includes("rental_storage_id=2") ? "B-1" : "A-1", contracts: [], blocks: [] }],
    }),
  );
  vi.stubGlobal("fetch", (url: string) => fetched(url));
  const dates = { date_from: "2030-06-01", time_from: "10:00", date_to: "2030-06-03", time_to: "10:00" };
  let move = (_: number) => {};
  const Vehicles = () => {
    const [rental_storage_id, change] = useState(1);
    move = change;
    const reservation = { ...dates, rental_storage_id, reservation_lines: [] } as unknown as Reservation;
    const vehicles = useVehiclesToAssign(reservation, { isNeeded: true, isLeavingNow: false });
    return createElement("p", {}, vehicles?.map(({ reference }) => reference).join());
  };
  const view = renderComponent(createElement(Vehicles, {}));
  await vi.waitFor(() => expect(view.readText()).toBe("A-1"));
  move(2);
  await vi.waitFor(() => expect(view.readText()).toBe("B-1"));
  view.close();
  vi.unstubAllGlobals();
});
