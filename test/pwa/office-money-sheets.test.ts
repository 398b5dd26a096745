import "./page.ts";
import { createElement } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import { Commissions } from "../../pwa/office/src/pages/money/commissions.tsx";
import { InvoicePayment } from "../../pwa/office/src/pages/money/invoice-payment.tsx";
import type { ListedDocument } from "../../pwa/office/src/pages/money/money.ts";
import { Refunds } from "../../pwa/office/src/pages/money/refunds.tsx";
import { route, urlQuery } from "../../pwa/office/src/route.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { findButton, renderComponent, type View } from "./render.ts";

type Answer = readonly [status: number, body: object];

let answer: (path: string) => Answer;

beforeEach(async () => {
  Object.assign(document, { documentElement: { dataset: {}, lang: "en" } });
  Object.assign(location, { hash: "#/money" });
  sessionStorage.clear();
  setAccount({ currency_decimals: 2, user: { full_name: "Staff", role: "administrator", language: "en" } });
  await loadTexts("en");
  vi.stubGlobal("HTMLElement", Object);
  vi.stubGlobal("fetch", (path: string) => {
    const [status, body] = answer(path);
    return Promise.resolve(Response.json(body, { status }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const AMOUNTS = {
  ...{ agent_comission_base_amount: "100.00", agent_comission_total: "10.00" },
  ...{ agent_comission_prepaid_amount: "0.00", due: "10.00" },
};

/** Presses a button once it is shown. */
const press = (view: View, text: string) =>
  vi.waitFor(() => {
    const button = findButton(view, text);
    if (!button) throw new Error(`There is no button ${text}.`);
    button.dispatch("click");
  });

/** Returns whether the button that sends the sheet's form is disabled. */
const isSubmitDisabled = (view: View) =>
  view.list("dialog")[0] && view.list("button").find(({ type }) => type === "submit")?.["disabled"] === true;

test("explains why refunds are stuck at the payment gateway", async () => {
  const refunds = ["no_answer", "gateway_closed", "SIS0054"].map((problem, id) => ({
    ...{ id, amount: "45.00", payment_method_id: "tpvA_256", reservation_id: 7, state: "refused", problem },
    ...{ order: "000000000017", requested_by: null, requested_at: null, reason: null },
  }));
  answer = (path) => {
    const data = path.includes("gateway-refunds") ? refunds : [];
    return [200, { data, total: data.length, amount: "0.00", next: null }];
  };
  const view = renderComponent(createElement(Refunds, null));
  await vi.waitFor(() => expect(view.readText()).toContain("Failed"));
  const texts = view.list("small").map(({ textContent }) => textContent);
  expect(texts).toContain("Failed · The payment gateway didn't answer the refund request.");
  expect(texts).toContain("Failed · The payment gateway isn't set up. Complete its settings, then retry the refund.");
  expect(texts).toContain("Failed · The payment gateway answered “SIS0054”.");
  view.close();
});

test("records no payment of an invoice while its data can't be loaded or nothing is due", async () => {
  const invoice = {
    ...{ id: 7, document_kind: "full", invoice_status: "invoice", payment_status: "pending" },
    ...{ replaced_by_invoice_number: null, total_pending: "20.00" },
  } as ListedDocument;
  const open = async () => {
    const view = renderComponent(createElement(InvoicePayment, { document: invoice, name: "A/7", onDone: () => null }));
    await press(view, "Record payment");
    return view;
  };
  let current: Answer = [503, {}];
  answer = (path) => (path.endsWith("/documents/7") ? current : [503, {}]);
  const view = await open();
  await vi.waitFor(() => expect(view.readText()).toContain("Try again"));
  expect(isSubmitDisabled(view)).toBe(true);
  current = [200, { document: { ...invoice, total_pending: "12.50" } }];
  await press(view, "Try again");
  await vi.waitFor(() => expect(view.readText()).toContain("Still to pay: €12.50"));
  await vi.waitFor(() => expect(isSubmitDisabled(view)).toBe(false));
  current = [200, { document: { ...invoice, total_pending: "0.00" } }];
  const paid = await open();
  await vi.waitFor(() => expect(paid.readText()).toContain("Still to pay: €0.00"));
  expect(isSubmitDisabled(paid)).toBe(true);
  for (const opened of [view, paid]) opened.close();
});

test("settles no commissions while their data can't be loaded or nothing is due", async () => {
  route.value = ["money", "commissions"];
  urlQuery.value = new URLSearchParams({ agent_id: "3" });
  const commission = { reservation_id: 5, agent_name: "Hotel Sol", ...AMOUNTS, date_to: "2030-01-01" };
  const page = { data: [commission], total: 1, next: null, sums: AMOUNTS };
  let current: Answer = [503, {}];
  answer = (path) => {
    if (!path.includes("/commissions?")) return [200, { data: [], options: {} }];
    return path.includes("page_size=200") ? current : [200, page];
  };
  const view = renderComponent(createElement(Commissions, {}));
  await vi.waitFor(() => expect(view.readText()).toContain("Select all commissions"));
  await press(view, "Select all commissions");
  await press(view, "Mark commissions as paid · €10.00");
  await vi.waitFor(() => expect(view.readText()).toContain("Try again"));
  expect(isSubmitDisabled(view)).toBe(true);
  current = [200, page];
  await press(view, "Try again");
  await vi.waitFor(() => expect(isSubmitDisabled(view)).toBe(false));
  // Another user has settled the commissions in the meantime.
  await press(view, "Back");
  await vi.waitFor(() => expect(view.list("dialog")).toEqual([]));
  current = [200, { ...page, data: [] }];
  await press(view, "Mark commissions as paid · €10.00");
  await vi.waitFor(() => expect(view.readText()).toContain("Commissions of 0 reservations"));
  expect(isSubmitDisabled(view)).toBe(true);
  view.close();
});

test("separates a refused decision about a refund from a load error, and shows the amount of all refunds", async () => {
  const refund = {
    ...{ id: 1, reservation_id: 7, state: "waiting", amount: "15.00", payment_method_id: "cash", reason: "agreed" },
    ...{ requested_by: "Ana", requested_at: "2026-11-30 10:00", decided_by: null, decided_at: null, at_gateways: [] },
  };
  const list = (data: readonly object[], amount: string): Answer => [
    200,
    { data, total: data.length, amount, next: null },
  ];
  let decision: Answer = [409, { code: "refund_decided" }];
  answer = (path) => {
    if (path.includes("/approve")) return decision;
    return path.includes("gateway-refunds") ? list([], "0.00") : list([refund], "45.00");
  };
  const view = renderComponent(createElement(Refunds, null));
  await press(view, "Approve refund");
  expect(view.list("dd").map(({ textContent }) => textContent)).toEqual(["€45.00"]);
  await press(view, "Approve refund?");
  const readRefusal = () => view.list("p").find((p) => p["role"] === "alert")?.textContent;
  await vi.waitFor(() => expect(readRefusal()).toMatch(/^This refund was already/));
  expect(findButton(view, "Try again")).toBeUndefined();
  decision = [200, {}];
  await press(view, "Approve refund");
  await press(view, "Approve refund?");
  await vi.waitFor(() => expect(readRefusal()).toBeUndefined());
  view.close();
});
