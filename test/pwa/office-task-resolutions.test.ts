import "./page.ts";
import { expect, test } from "vitest";
import { type AttentionTask, listTaskResolutions } from "../../pwa/office/src/pages/today/task-resolutions.ts";

const createTask = (kind: AttentionTask["kind"]): AttentionTask => ({
  id: `${kind}-9`,
  kind,
  at: "2030-06-01 10:00",
  params: {},
  reservation_id: 9,
  rental_location_code: "AIR",
  customer_fullname: "Ana Ruiz",
  customer_phone: null,
  vehicles: null,
  why: "",
  link: "/api/v1/office/vehicles/ECON-01",
  dismissible: false,
});

test.each([
  ["overdue", ["hand_over", "sell"]],
  ["no_show", ["sell", "hand_over"]],
  ["refund_due", ["refunds"]],
  ["deposit_held", ["hand_over"]],
  ["reopened", ["hand_over"]],
  ["card_hold", ["hand_over"]],
  ["vehicle_due", ["manage"]],
  ["refund_at_gateway", [undefined]],
] as const)("offers fixes for %s only to authorized users", (kind, rights) => {
  expect(listTaskResolutions(createTask(kind)).map(({ right }) => right)).toEqual(rights);
});

test("offers a refund of a payment that the reservation contains twice, but not of an unrecorded one", () => {
  const item = { ...createTask("payment_mismatch"), params: { outcome: "second_payment" } };
  expect(listTaskResolutions(item)).toEqual([]);
  expect(listTaskResolutions({ ...item, params: { ...item.params, is_recorded: 1 } })).toEqual([
    { text: "do.refund", href: "#/reservations/9/refund", right: "refunds" },
  ]);
});

test("links the task of a sold-out quote to the quote's page", () => {
  const item = { ...createTask("quote_sold_out"), reservation_id: null, link: "/api/v1/office/quotes/12" };
  expect(listTaskResolutions(item)).toEqual([{ text: "openQuote", href: "#/quotes/12" }]);
});

test("links an overdue task of a customer to the customer's page", () => {
  const item = { ...createTask("task_overdue"), params: { customer: 7 } };
  expect(listTaskResolutions({ ...item, reservation_id: null })).toEqual([
    { text: "openCustomer", href: "#/customers/7" },
  ]);
  expect(listTaskResolutions(item)).toEqual([]);
});

test("offers a no-show or a new time for a missed transfer, and a no-show or the delivery for a rental", () => {
  const item = { ...createTask("no_show"), params: { from: "2030-06-01 10:00", is_transfer: 1 } };
  expect(listTaskResolutions(item).map(({ href }) => href.split("/").at(-1))).toEqual(["no-show", "change"]);
  expect(listTaskResolutions(createTask("no_show")).map(({ href }) => href.split("/").at(-1))).toEqual([
    "no-show",
    "deliver",
  ]);
});
