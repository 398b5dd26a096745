import { h } from "preact";
import { useState } from "preact/hooks";
import { describe, expect, test, vi } from "vitest";
import { ContractCard } from "../../pwa/widget/src/contract.tsx";
import { CustomerBar } from "../../pwa/widget/src/customer-bar.tsx";
import { DetailsStep } from "../../pwa/widget/src/details.tsx";
import type { Cart, ListedProduct, Settings } from "../../pwa/widget/src/model.ts";
import { OfferListStep } from "../../pwa/widget/src/offer-step.tsx";
import { OwnRentalChangeForm } from "../../pwa/widget/src/own-rental-change.tsx";
import { OwnTransferChangeForm } from "../../pwa/widget/src/own-transfer-change.tsx";
import { ReservationStep } from "../../pwa/widget/src/reservation.tsx";
import { SignIn } from "../../pwa/widget/src/sign-in.tsx";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { TimePicker } from "../../pwa/widget/src/time-picker.tsx";
import type { BookingFlow } from "../../pwa/widget/src/use-booking-flow.ts";
import { findButton, renderComponent, type View } from "./render.ts";

const SETTINGS = { server_date: "2026-12-20", currency: "EUR", currency_decimals: 2, locale: "en" } as Settings;

const DATES = { date_from: "2027-01-02", date_to: "2027-01-05", pickup_place: "1" };

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

test("lists the agreed time on its day if the day offers no times, and no times of another day", async () => {
  const agreed = { date_from: "2026-12-22", time_from: "10:15", date_to: "2026-12-24", time_to: "23:00" };
  const get = (path: string) => Promise.resolve(path.includes("/times") && path.includes("12-24") ? ["09:00"] : []);
  const view = renderComponent(
    h(OwnRentalChangeForm, {
      ...{ shop: createShop({ client: { get } }), settings: SETTINGS, offered: [], onAsk: () => undefined },
      period: { ...agreed, pickup_place: "1", return_place: "1" },
    }),
  );
  const listOptions = (name: string) => getControl(view, name)?.childNodes.map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(listOptions("time_to")).toEqual(["09:00", "23:00"]));
  expect(listOptions("time_from")).toEqual(["10:15"]);
  view.close();
  let setDay = (_: string) => {};
  const Times = () => {
    const [day, change] = useState("2026-12-24");
    const [time, setTime] = useState("09:00");
    setDay = change;
    const load = async () => (await get(`/times?date=${day}`)) as readonly string[];
    const part = { label: "", name: "time", value: time, loadKey: day, load, onChange: setTime };
    return h(TimePicker, { ...part, agreed: day === "2026-12-22" ? "10:15" : undefined });
  };
  const times = renderComponent(h(Times, {}));
  setDay("2026-12-22");
  await vi.waitFor(() => expect(times.list("option").map(({ textContent }) => textContent)).toEqual(["10:15"]));
  times.close();
});

test("asks for the flight at a new airport of one's own transfer, and keeps that of the agreed one", async () => {
  const point = (id: number, point_type: string) => ({ id, name: `Point ${id}`, point_type });
  const airports = [point(1, "airport"), point(2, "airport"), point(3, "harbor")];
  const get = async (path: string) => (path.includes("-points") ? airports : []);
  const agreed = {
    ...{ date: "2026-12-22", time: "10:00", origin_point_id: "1", destination_point_id: "3" },
    ...{ return_date: "", return_time: "", number_of_adults: "2", number_of_children: "0" },
  };
  const onAsk = vi.fn();
  const ask = (work: () => Promise<void>) => void work();
  const view = renderComponent(
    h(OwnTransferChangeForm, { shop: createShop({ client: { get }, ask }), settings: SETTINGS, agreed, onAsk }),
  );
  await vi.waitFor(() => expect(getControl(view, "origin_point_id")?.childNodes).toHaveLength(3));
  expect(getControl(view, "flight_number")).toBeUndefined();
  const choose = async (name: string, value: string) => {
    const control = getControl(view, name);
    Object.assign(control ?? {}, { value });
    control?.dispatch("change");
    await vi.waitFor(() => expect(getControl(view, name)?.["value"]).toBe(value));
  };
  await choose("origin_point_id", "2");
  await vi.waitFor(() => expect(getControl(view, "flight_time")?.["type"]).toBe("time"));
  type(view, "flight_number", "IB1");
  await vi.waitFor(() => expect(getControl(view, "flight_number")?.["value"]).toBe("IB1"));
  view.list("form")[0]?.dispatch("submit");
  expect(onAsk).toHaveBeenLastCalledWith({ origin_point_id: 2, flight_number: "IB1" });
  await choose("origin_point_id", "1");
  await vi.waitFor(() => expect(getControl(view, "flight_number")).toBeUndefined());
  view.list("form")[0]?.dispatch("submit");
  expect(onAsk).toHaveBeenLastCalledWith({});
  await choose("destination_point_id", "2");
  await vi.waitFor(() => expect(getControl(view, "flight_number_departure")).toBeDefined());
  view.close();
});

test.each([
  [true, "confirmed", "confirmEmail"],
  [true, "pending_confirmation", "confirmEmail"],
  [false, "confirmed", "sentTo"],
] as const)(
  "says whether an address must be confirmed (%s) for the emails about a reservation",
  (isUnconfirmed, status, key) => {
    const reservation = {
      ...{ id: "1", number: 7, status, email: "eva@example.com", isEmailUnconfirmed: isUnconfirmed, paid: "0.00" },
      ...{ pending: "50.00", trip: { legs: [], fees: [], extras: [], total: "50.00" } },
      selling: { canRequest: true, parts: [], methods: [] },
    } as unknown as Parameters<typeof ReservationStep>[0]["reservation"];
    const client = { origin: "https://acme.example", get: async () => ({ data: [] }) };
    const view = renderComponent(h(ReservationStep, { shop: createShop({ client }), settings: SETTINGS, reservation }));
    expect(view.readText()).toContain(en[key].replace("{email}", "eva@example.com"));
    view.close();
  },
);

test("tells a customer after the sign-up to confirm the address", () => {
  const read = (part: object) => {
    const view = renderComponent(h(CustomerBar, { shop: createShop(part), hasAccounts: true }));
    const text = view.readText();
    view.close();
    return text;
  };
  const text = en.confirmEmail.replace("{email}", "eva@example.com");
  const signedIn = { customer: "Eva Sol", place: { step: "account", search: {} } };
  expect(read({ ...signedIn, signedUpEmail: "eva@example.com" })).toContain(text);
  expect(read({ ...signedIn, signedUpEmail: "" })).not.toContain("eva@example.com");
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

const OFFER: ListedProduct = {
  ...{ id: "A", name: "Compact", text: "", photos: [], price: "309.10", basePrice: "309.10" },
  ...{ unitPrice: "163.10", unitBasePrice: "163.10", seats: null, doors: null, offerName: null, isFew: false },
  fees: [
    { text: "feeReturnPlace", amount: "90.00" },
    { text: "feeDriverAge", amount: "56.00" },
  ],
  isAvailable: true,
};
const TRAITS = {
  gearbox: null,
  bags: null,
  hasAirConditioning: false,
  kilometresPerDay: null,
  deposit: "0",
  excess: "0",
};

const createCart = (part: Partial<Cart>) =>
  ({
    ...{ id: "1", isChosen: false, offers: [OFFER], extras: [] },
    trip: { legs: [], days: 2 },
    ...part,
  }) as unknown as Cart;

const createList = (part: Partial<Cart>, settings: Partial<Settings> = {}, search = {}) =>
  h(OfferListStep, {
    shop: createShop({ kind: "rentals", place: { search }, wanted: {}, client: { origin: "https://acme.example" } }),
    ...{ settings: { ...SETTINGS, ...settings }, cart: createCart(part) },
  });

test("names the fees that several vehicles share, and shows their total before the visitor continues", () => {
  const several = { multiple_products_selection: true };
  const trip = { legs: [], days: 2, total: "309.10" } as unknown as Cart["trip"];
  const view = renderComponent(createList({ isChosen: true, trip }, several));
  expect(view.readText()).toContain("Once per reservation: Return place or one-way fee, €90.00");
  expect(view.readText()).toContain("Once per reservation: Driver age surcharge, €56.00");
  expect(view.readText()).toContain("Total€309.10Continue");
  view.close();
  const single = renderComponent(createList({}));
  expect(single.readText()).toContain("€309.10");
  expect(single.readText()).not.toContain("Once per reservation");
  single.close();
});

test("explains that a rental is too short or too long for a category, and offers no other dates then", () => {
  const read = (part: Partial<ListedProduct>) => {
    const view = renderComponent(createList({ offers: [{ ...OFFER, isAvailable: false, ...part }] }, {}, DATES));
    const text = view.readText();
    view.close();
    return text;
  };
  const short = read({ wrongLength: { code: "minimum_days", params: { days: 3 } } });
  expect(short).toContain("Not available for this rental length (min. 3 days)");
  expect(short).not.toContain(en.freeDates);
  expect(read({ wrongLength: { code: "maximum_days", params: { days: 1 } } })).toContain("(max. 1 day)");
  expect(read({})).toContain(en.unavailable + en.freeDates);
});

test("forgets the free dates of a category after another search", async () => {
  const shop = createShop({
    ...{ kind: "rentals", wanted: {}, client: { origin: "", get: async () => ({ occupation: {} }) } },
  });
  const ask = (work: () => Promise<void>) => void work();
  let setSearch = (_: object) => {};
  const List = () => {
    const [search, change] = useState<object>(DATES);
    setSearch = change;
    const cart = createCart({ offers: [{ ...OFFER, isAvailable: false }] });
    return h(OfferListStep, { shop: { ...shop, ask, place: { step: "choose", search } }, settings: SETTINGS, cart });
  };
  const view = renderComponent(h(List, {}));
  findButton(view, en.freeDates)?.dispatch("click");
  await vi.waitFor(() => expect(view.readText()).toContain(en.noFreeDates));
  setSearch({ ...DATES, date_from: "2027-01-03" });
  await vi.waitFor(() => expect(findButton(view, en.freeDates)).toBeDefined());
  expect(view.readText()).not.toContain(en.noFreeDates);
  view.close();
});

test.each([
  ["petrol", en.sameFuel],
  ["hybrid", en.sameFuel],
  ["electric", en.sameCharge],
  [null, ""],
] as const)("states the fuel policy of a category with the fuel %s", (fuel, text) => {
  const view = renderComponent(
    createList({ offers: [{ ...OFFER, traits: { ...TRAITS, fuel } }] }, { fuel_policy: "same_to_same" }),
  );
  const policies = [en.sameFuel, en.sameCharge].filter((policy) => view.readText().includes(policy));
  expect(policies.join("")).toBe(text);
  view.close();
});

describe("terms before the order", () => {
  const renderDetails = (settings: Partial<Settings>, cart: Partial<Cart>, problem?: object) =>
    renderComponent(
      h(DetailsStep, {
        shop: createShop({ kind: "rentals", place: { search: {} }, wanted: {}, problem }),
        settings: { ...SETTINGS, terms_url: "https://acme.example/terms", ...settings },
        cart: createCart({
          trip: { legs: [], fees: [], extras: [], total: "100.00" } as unknown as Cart["trip"],
          selling: { canRequest: true, parts: [], methods: [] },
          ...cart,
        }),
      }),
    );

  test.each(["notice", "checkbox"] as const)(
    "shows that the terms have changed, also with acceptance by %s",
    async (form) => {
      const problem = { at: "book", text: en.termsChanged, wrong: { accepted_terms: en.termsChanged } };
      const view = renderDetails({ terms_acceptance: form }, {}, problem);
      await vi.waitFor(() => expect(view.readText().split(en.termsChanged)).toHaveLength(2));
      view.close();
    },
  );

  test("shows a refusal without a field next to the button, also if the terms need no checkbox", async () => {
    const problem = { at: "book", text: "Refused", wrong: { "": "Refused" } };
    const view = renderDetails({ terms_acceptance: "notice" }, {}, problem);
    await vi.waitFor(() => expect(view.readText()).toContain("Refused"));
    view.close();
  });

  test("states the fee of a cancellation, unless it's still free", () => {
    const view = renderDetails({}, { cancellationFee: "50.00" });
    expect(view.readText()).toContain("Cancellation fee €50.00");
    view.close();
    const free = renderDetails({}, { cancellationFee: "0.00", freeCancellationUntil: "2026-12-21T10:00" });
    expect(free.readText()).not.toContain("Cancellation fee");
    free.close();
  });
});
