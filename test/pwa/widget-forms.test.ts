import { h } from "preact";
import { expect, test, vi } from "vitest";
import { ContractCard } from "../../pwa/widget/src/contract.tsx";
import type { Settings } from "../../pwa/widget/src/model.ts";
import { OwnRentalChangeForm } from "../../pwa/widget/src/own-rental-change.tsx";
import { SignIn } from "../../pwa/widget/src/sign-in.tsx";
import { en } from "../../pwa/widget/src/texts/en.ts";
import type { BookingFlow } from "../../pwa/widget/src/use-booking-flow.ts";
import { renderComponent, type View } from "./render.ts";

const SETTINGS = { server_date: "2026-12-20", currency: "EUR", currency_decimals: 2, locale: "en" } as Settings;

/** Creates the part of the booking flow that a form uses. */
const createShop = (part: object) =>
  ({
    texts: en,
    locale: "en",
    remembered: {},
    setShownProblem: () => undefined,
    ask: () => undefined,
    ...part,
  }) as unknown as BookingFlow;

const getControl = (view: View, name: string) =>
  [...view.list("input"), ...view.list("select")].find((control) => control["name"] === name);

const type = (view: View, name: string, value: string) => {
  const control = getControl(view, name);
  Object.assign(control ?? {}, { value });
  control?.dispatch("input");
};

test("keeps a rental's agreed times, also if they are out of hours or between the offered ones", async () => {
  const times = vi.fn(async () => ["10:00", "10:30"]);
  const onAsk = vi.fn();
  const period = { date_from: "2026-12-22", time_from: "10:15", date_to: "2026-12-24", time_to: "23:00" };
  const get = (path: string) => (path.includes("/times") ? times() : Promise.resolve([]));
  const view = renderComponent(
    h(OwnRentalChangeForm, {
      ...{ shop: createShop({ client: { get } }), settings: SETTINGS, offered: [], onAsk },
      period: { ...period, pickup_place: "1", return_place: "1" },
    }),
  );
  const listOptions = (name: string) => getControl(view, name)?.childNodes.map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(listOptions("time_to")).toEqual(["10:00", "10:30", "23:00"]));
  await vi.waitFor(() => expect(listOptions("time_from")).toEqual(["10:00", "10:15", "10:30"]));
  view.list("form")[0]?.dispatch("submit");
  expect(onAsk).toHaveBeenCalledWith({ ...period, extras: [] });
  view.close();
});

test("removes a contract field's error when the customer types, and asks phones for the right keyboard", async () => {
  const shop = createShop({
    remembered: { contract: { reservation: "1", fields: {} } },
    keepContract: () => undefined,
  });
  const contract = { fields: { customer_email: "ana@", driver_is_customer: "true" }, required: [] };
  const reservation = { id: "1", trip: { legs: [] } } as unknown as Parameters<typeof ContractCard>[0]["reservation"];
  const view = renderComponent(h(ContractCard, { shop, settings: SETTINGS, reservation, contract }));
  const types = ["customer_name", "customer_email", "customer_phone"].map((name) => getControl(view, name)?.["type"]);
  expect(types).toEqual(["text", "email", "tel"]);
  view.list("form")[0]?.dispatch("submit");
  await vi.waitFor(() => expect(view.readText()).toContain(en.wrongEmail));
  type(view, "customer_email", "ana@example.com");
  await vi.waitFor(() => expect(view.readText()).not.toContain(en.wrongEmail));
  view.close();
});

test("accepts an account's email of up to 254 characters in the sign-in form", async () => {
  const sendLink = vi.fn(async () => true);
  const view = renderComponent(h(SignIn, { shop: createShop({ sendLink }), way: "forgotten", onWay: () => undefined }));
  expect(getControl(view, "email")?.["type"]).toBe("email");
  const submit = async (email: string) => {
    type(view, "email", email);
    await vi.waitFor(() => expect(getControl(view, "email")?.["value"]).toBe(email));
    view.list("form")[0]?.dispatch("submit");
  };
  const longest = `${"a".repeat(242)}@example.com`;
  await submit(`a${longest}`);
  await vi.waitFor(() => expect(view.readText()).toContain("254"));
  expect(sendLink).not.toHaveBeenCalled();
  await submit(longest);
  await vi.waitFor(() => expect(sendLink).toHaveBeenCalledWith(longest));
  view.close();
});
