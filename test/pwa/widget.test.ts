import { describe, expect, test, vi } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { formatMoney, formatRate } from "#domain/money-notation.ts";
import { getMoneyFormat, getPercentFormatter, resolveLocale } from "#shared/locale.ts";
import { resolveAccountOrigin } from "../../pwa/widget/src/account.ts";
import { getBalanceLabelAndAmount, getSecurityDepositDue } from "../../pwa/widget/src/balance.ts";
import { getDateByPressedKey, listMonthWeeks } from "../../pwa/widget/src/calendar-days.ts";
import {
  type Client,
  createClient,
  type FailureCode,
  type FieldCode,
  type FieldRefusal,
  ServerRefusal,
  ServerUnreachable,
} from "../../pwa/widget/src/client.ts";
import {
  CONTRACT_FIELDS,
  findContractFieldErrors,
  findMissingFieldErrors,
  getMaxOtherDrivers,
  listContractFieldGroups,
} from "../../pwa/widget/src/contract-fields.ts";
import { findDetailFieldErrors, listDetailFields, RENTAL_DETAIL_FIELDS } from "../../pwa/widget/src/detail-fields.ts";
import { buildContractBody, toContract } from "../../pwa/widget/src/engines/contract.ts";
import { toCheckoutOptions } from "../../pwa/widget/src/engines/engine.ts";
import { createInitialRentalSearch, rentalEngine } from "../../pwa/widget/src/engines/rentals.ts";
import { toTransferChange, transferEngine } from "../../pwa/widget/src/engines/transfers.ts";
import {
  addAmounts,
  formatAmount,
  formatAveragePerDay,
  formatDay,
  subtractAmounts,
} from "../../pwa/widget/src/format.ts";
import { listInsurances } from "../../pwa/widget/src/insurance.tsx";
import type { Settings } from "../../pwa/widget/src/model.ts";
import { listPayChoices } from "../../pwa/widget/src/payment-choices.ts";
import { getConsoleAdvice, getFieldLabel, toVisitorProblem } from "../../pwa/widget/src/problems.ts";
import { getReservationTitle } from "../../pwa/widget/src/reservation.tsx";
import {
  findBookedReservationNumber,
  readTabState,
  saveBookedCart,
  saveTabState,
} from "../../pwa/widget/src/stored-state.ts";
import { needsTermsCheckbox } from "../../pwa/widget/src/terms.tsx";
import { de } from "../../pwa/widget/src/texts/de.ts";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { textsByLanguage } from "../../pwa/widget/src/texts/texts-by-language.ts";
import { chooseLanguage, findTexts, formatSeatsAndDoors, loadTexts, type Texts } from "../../pwa/widget/src/texts.ts";
import { findMissingAddressError } from "../../pwa/widget/src/transfer-fields.tsx";
import { readUrlPosition, toCanonicalSearch, writeUrlPosition } from "../../pwa/widget/src/url-state.ts";

const SCRIPT = "https://acme.rentals.example/widget/rental-booking.js";
const SETTINGS: Settings = {
  server_date: "2026-12-20",
  fuel_policy: "same_to_same",
  country_code: "ES",
  min_days: 1,
  locale: "es",
  currency: "EUR",
  currency_decimals: 2,
  promotion_code: true,
  use_driver_age_rules: false,
  selector_date_to_days: 3,
  prefill_selector: true,
  default_time_start: "09:00",
  default_time_end: "18:00",
  same_pickup_return_time: false,
  multiple_products_selection: false,
  hide_price_if_zero: false,
  hide_price_if_not_available: false,
  customer_changes_allowed: true,
  terms_url: null,
  privacy_url: null,
  terms_version: null,
  terms_acceptance: "checkbox",
  renting_form_fill_data_address: true,
  renting_form_fill_data_driver_detail: true,
  renting_form_fill_data_flight: false,
  renting_form_fill_data_additional_driver_1: true,
  renting_form_fill_data_additional_driver_2: true,
};

describe("the company in a page's attribute", () => {
  // Proves "booking-widget.md": account is a name, a host or an address
  test.each([
    [null, "https://acme.rentals.example"],
    ["acme", "https://acme.rentals.example"],
    ["globex", "https://globex.rentals.example"],
    ["book.acme.example", "https://book.acme.example"],
    ["http://acme.localhost:8787/demo/", "http://acme.localhost:8787"],
    ["not a name", undefined],
    ["https://", undefined],
  ])("finds the company's address for the page's attribute account=%s", (account, origin) => {
    expect(resolveAccountOrigin(account, SCRIPT)).toBe(origin);
  });

  test("requires the company's full address if the script's own address is unknown", () => {
    expect(resolveAccountOrigin("acme", undefined)).toBeUndefined();
  });
});

describe("the page's address", () => {
  const search = { pickup_place: "1", date_to: "2027-01-05", date_from: "2027-01-02", promotion_code: "" };

  // Proves "booking-widget.md": Its parameters leave the website's own alone
  test("writes the visitor's step and search to the page's URL, and keeps the website's own parameters", () => {
    const href = writeUrlPosition("rentals", "https://shop.example/?p=7&rb=details&rt-id=9#top", {
      step: "choose",
      search,
    });
    expect(href).toBe(
      "https://shop.example/?p=7&rt-id=9&rb=choose&rb-from=2027-01-02&rb-to=2027-01-05&rb-pickup=1#top",
    );
    expect(readUrlPosition("rentals", new URL(href).search)).toEqual({
      step: "choose",
      search: { pickup_place: "1", date_to: "2027-01-05", date_from: "2027-01-02" },
    });
  });

  test("reads a reservation's ID from the page's URL, but no invalid one", () => {
    const place = { step: "reservation", search: {}, reservation: "0a1b" } as const;
    expect(
      readUrlPosition("transfers", new URL(writeUrlPosition("transfers", "https://shop.example/", place)).search),
    ).toEqual(place);
    expect(readUrlPosition("rentals", "?rb-id=../../x").reservation).toBeUndefined();
    expect(readUrlPosition("rentals", "?rb=anything").step).toBe("search");
  });

  test("recognizes the same search in any field order and with empty fields", () => {
    const turned = { date_from: "2027-01-02", date_to: "2027-01-05", pickup_place: "1" };
    expect(toCanonicalSearch("rentals", turned)).toBe(toCanonicalSearch("rentals", search));
  });
});

describe("texts for visitors", () => {
  // Proves "booking-widget.md": Refusals are shown in the visitor's language, at their field
  test("translates an error for visitors, names the field and never shows the server's English", () => {
    const serverRefusal = new ServerRefusal(400, "invalid_input", "customer_email: must be an email address", [
      "customer_email",
    ]);
    const sentence = "Bitte prüfen: E-Mail";
    expect(toVisitorProblem(serverRefusal, de)).toEqual({ text: sentence, wrong: { customer_email: sentence } });
    const signIn = toVisitorProblem(new ServerRefusal(401, "wrong_sign_in", "", []), de);
    expect(signIn).toEqual({ text: de.wrongSignIn, wrong: { password: de.wrongSignIn } });
    const early = toVisitorProblem(
      new ServerRefusal(400, "invalid_input", "return_date: too early", ["return_date"]),
      de,
    );
    expect(Object.keys(early.wrong ?? {})).toEqual(["return_date"]);
    const two = ["customer_address_zip", "driver_date_of_birth"];
    expect(toVisitorProblem(new ServerRefusal(400, "invalid_input", "", two), de).wrong).toEqual({
      customer_address_zip: "Bitte prüfen: Postleitzahl",
      driver_date_of_birth: "Bitte prüfen: Geburtsdatum",
    });
    const full = "number_of_adults: vehicle 1 doesn't have enough seats";
    expect(
      toVisitorProblem(
        new ServerRefusal(400, "invalid_input", full, ["number_of_adults"], [], [{ code: "no_seats" }]),
        de,
      ),
    ).toEqual({
      text: de.noPlaces,
      wrong: { number_of_adults: de.noPlaces },
    });
    const email = new ServerRefusal(400, "invalid_input", "", ["customer_email"], [], [{ code: "email" }]);
    expect(toVisitorProblem(email, de).wrong).toEqual({ customer_email: de.wrongEmail });
    const date = (code: FieldCode, days = 0, field = "date_from") =>
      toVisitorProblem(new ServerRefusal(400, "invalid_input", "", [field], [], [{ code, params: { days } }]), de).text;
    expect(date("pickup_in_past")).toBe(de.pastDates);
    expect(date("closed_on")).toBe(de.closedOn);
    expect(date("no_pickup_place")).toBe(de.placeGone);
    expect(date("return_not_after_pickup")).toBe(de.returnBefore);
    expect(date("maximum_days", 90, "date_to")).toBe("Bitte prüfen: Tag der Rückgabe (max. 90 Tage)");
    expect(date("minimum_days", 3, "date_to")).toBe("Bitte prüfen: Tag der Rückgabe (min. 3 Tage)");
    expect(date("closed_at_return", 0, "time_to")).toBe("Bitte prüfen: Uhrzeit der Rückgabe (geschlossen)");
    expect(date("telephone", 0, "customer_phone")).toBe("Bitte prüfen: Telefon (+34 600 000 000)");
    expect(toVisitorProblem(new ServerRefusal(400, "invalid_input", "", ["product"]), de)).toEqual({
      text: de.soldOut,
    });
    const limited: FieldRefusal = { code: "max_extra", params: { extra: "SEAT", max: 2 } };
    const tooMany = new ServerRefusal(400, "invalid_input", "", ["quantity"], [], [limited]);
    expect(toVisitorProblem(tooMany, de, [{ code: "SEAT", name: "Kindersitz" }])).toEqual({
      text: "Bitte prüfen: Kindersitz (max. 2)",
    });
    expect(toVisitorProblem(tooMany, de).text).toBe("Bitte prüfen: Extras (max. 2)");
    const missingExtra: FieldRefusal = { code: "no_extra", params: { extra: "SEAT" } };
    expect(toVisitorProblem(new ServerRefusal(400, "invalid_input", "", ["extra"], [], [missingExtra]), de)).toEqual({
      text: "Bitte prüfen: Extras",
    });
    const soldOut = new ServerRefusal(409, "CRBOOK002", "", ["extra"], [], [{ code: "", params: { extra: "SEAT" } }]);
    expect(toVisitorProblem(soldOut, de, [{ code: "SEAT", name: "Kindersitz" }])).toEqual({
      text: `Kindersitz: ${de.unavailable}`,
    });
    const explain = (field: string, code: FieldCode, params = {}) =>
      toVisitorProblem(new ServerRefusal(400, "invalid_input", "", [field], [], [{ code, params }]), de).text;
    expect(explain("quantity", "call_us", { max: 3 })).toBe("Bitte rufen Sie uns für mehr als 3 Fahrzeuge an.");
    expect(explain("return_date", "trip_return_early")).toBe(de.returnBefore);
    expect(explain("return_place", "not_a_return_place")).toBe(de.placeGone);
    expect(explain("destination_point_id", "no_transfer")).toBe(de.placeGone);
    expect(explain("number_of_adults", "no_passenger")).toBe("Bitte prüfen: Erwachsene (min. 1)");
    expect(explain("customer_name", "too_long", { max: 40 })).toBe("Bitte prüfen: Vorname (max. 40)");
    expect(explain("driver_date_of_birth", "past_date")).toBe(de.notPast);
    const known = "Dieses Passwort ist aus Datenlecks bekannt; bitte wählen Sie ein anderes.";
    expect(toVisitorProblem(new ServerRefusal(400, "invalid_input", known, [""], [known]), de).wrong).toEqual({
      password: known,
    });
    const name = "Vorname: ist nicht gültig.";
    expect(toVisitorProblem(new ServerRefusal(400, "invalid_input", name, [""], [name]), de)).toEqual({ text: name });
    expect(toVisitorProblem(new ServerRefusal(409, "taken", "", []), de).wrong).toEqual({ email: de.taken });
    expect(toVisitorProblem(new ServerRefusal(409, "CRBOOK002", "Sold out (ECON)", []), de).text).toBe(de.soldOut);
    expect(toVisitorProblem(new ServerRefusal(418, "new_code" as FailureCode, "Something", []), de).text).toBe(
      de.broken,
    );
    expect(toVisitorProblem(new ServerUnreachable("x"), de).text).toBe(de.unreachable);
  });

  test("shows a missing or invalid email at its field", () => {
    const fieldProblems = findDetailFieldErrors(
      { customer_name: " ", customer_surname: "Ruiz", customer_email: "ana@" },
      RENTAL_DETAIL_FIELDS,
      en,
    );
    expect(fieldProblems).toEqual({ customer_name: "Please fill in: First name", customer_email: en.wrongEmail });
  });

  test("has the same placeholders in the widget's texts of all languages, and chooses the first supported language", () => {
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const texts of Object.values(textsByLanguage)) {
      for (const key of Object.keys(en) as (keyof Texts)[]) expect(holes(texts[key])).toEqual(holes(en[key]));
    }
    expect(chooseLanguage([null, "sv-SE", "CA"])).toBe("ca");
    expect(chooseLanguage(["fr-FR", "ca"])).toBe("fr");
    expect(chooseLanguage(["sv"])).toBe("en");
  });

  test("loads the texts of one language once, and uses English ones if that fails", async () => {
    const fetched = vi.fn<(address: string) => Promise<Response>>();
    vi.stubGlobal("fetch", fetched);
    fetched.mockRejectedValueOnce(new TypeError("offline"));
    fetched.mockResolvedValueOnce(new Response("", { status: 404 }));
    fetched.mockResolvedValueOnce(new Response("<html>"));
    fetched.mockResolvedValueOnce(Response.json({ title: "Où et quand ?" }));
    const load = () => loadTexts(["https://acme.example"], "fr");
    expect([await load(), await load(), await load()]).toEqual([en, en, en]);
    expect(findTexts("fr")).toBeUndefined();
    expect(await load()).toEqual({ ...en, title: "Où et quand ?" });
    expect(await load()).toBe(findTexts("fr"));
    expect(await loadTexts(["https://acme.example"], "en")).toBe(en);
    expect(fetched.mock.calls.map(([address]) => address)).toEqual(
      Array(4).fill("https://acme.example/widget/texts/fr.json"),
    );
    fetched.mockRejectedValueOnce(new TypeError("offline"));
    fetched.mockResolvedValueOnce(Response.json({ title: "Waar en wanneer?" }));
    const texts = await loadTexts(["https://wrong.example", "https://acme.example"], "nl");
    expect(texts.title).toBe("Waar en wanneer?");
    vi.unstubAllGlobals();
  });

  test("writes amounts in each language as documents and emails do", () => {
    for (const language of PLATFORM_LANGUAGES) {
      const locale = resolveLocale(language, "ES");
      for (const [cents, currency] of [
        [-123_456_789, "EUR"],
        [5, "GBP"],
        [123_450, "EUR"],
      ] as const)
        expect(getMoneyFormat(locale, currency, 2).format(cents / 100)).toBe(
          formatMoney(cents, { currency, decimals: 2, language }),
        );
      expect(getPercentFormatter(locale, 2)(5.2)).toBe(formatRate(520, language));
    }
  });

  test("formats amounts and days in the local style, and subtracts amounts exactly", () => {
    expect(formatAmount("12345.60", SETTINGS)).toBe("12.345,60\u00a0€");
    expect(formatAmount("12.60", { ...SETTINGS, locale: "en-GB" })).toBe("€12.60");
    expect(formatAmount("1234.60", { ...SETTINGS, locale: "en-US", currency: "USD" })).toBe("$1,234.60");
    expect(formatAmount("12.605", { ...SETTINGS, locale: "de", currency: "KWD", currency_decimals: 3 })).toBe(
      "12,605\u00a0KWD",
    );
    expect(subtractAmounts("184.10", "142.10", "41.99")).toBe("0.01");
    expect(formatDay("2026-12-22", "de")).toBe("Di., 22. Dez. 2026");
    expect(formatDay("2026-12-22", resolveLocale("en", "ES"))).toBe("Tue, 22 Dec 2026");
    expect(formatDay("2026-12-22", resolveLocale("en", "US"))).toBe("Tue, Dec 22, 2026");
  });
});

test("explains to the website's developer why the widget can't work on the page", () => {
  vi.stubGlobal("location", { origin: "https://shop.example" });
  const closed = new ServerRefusal(403, "bad_api_key", "", []);
  expect(getConsoleAdvice(closed, "https://acme.example", false)).toContain('missing attribute key="…"');
  expect(getConsoleAdvice(closed, "https://acme.example", true)).toContain(
    'https://acme.example: wrong attribute key="…"',
  );
  expect(getConsoleAdvice(new ServerUnreachable("x"), "https://acme.example", false)).toContain(
    'https://acme.example can\'t be reached. Check account="…", the origins that the office allows (https://shop.example) and connect-src',
  );
  vi.unstubAllGlobals();
});

test("treats a response that isn't JSON as a server error, and reads code and fields of a rejection", async () => {
  const answers = [
    new Response("<html>"),
    Response.json({ error: "x", code: "invalid_input", detail: [{ field: "date_from" }] }, { status: 400 }),
    Response.json(
      {
        ...{ error: "x", code: "invalid_input", detail: ["quantity: extra SEAT can be added at most 2 times"] },
        problems: [{ code: "max_extra", params: { extra: "SEAT", max: "2" } }],
      },
      { status: 400 },
    ),
  ];
  vi.stubGlobal("fetch", async () => answers.shift());
  const client = createClient("https://acme.example", "web", "de", { token: () => undefined, renew: () => undefined });
  await expect(client.get("/x")).rejects.toBeInstanceOf(ServerUnreachable);
  await expect(client.get("/x")).rejects.toMatchObject({ status: 400, code: "invalid_input", fields: ["date_from"] });
  await expect(client.get("/x")).rejects.toMatchObject({
    ...{ fields: ["quantity"], sentences: [] },
    refusals: [{ code: "max_extra", params: { extra: "SEAT", max: "2" } }],
  });
  vi.unstubAllGlobals();
});

describe("signed-in customer", () => {
  const sentAuthorizations: (string | null)[] = [];
  const answering = (...answers: Response[]) =>
    vi.stubGlobal("fetch", async (_: URL, { headers }: RequestInit) => {
      sentAuthorizations.push(new Headers(headers).get("Authorization"));
      return answers.shift();
    });

  // Proves "booking-widget.md": The token goes out with what is one's own alone, is renewed, and is forgotten once it
  //   is refused
  test("sends the customer's token only for the customer's own data, stores a new token and drops a rejected one", async () => {
    const renewed: (string | undefined)[] = [];
    const session = { token: () => "old", renew: (token: string | undefined) => void renewed.push(token) };
    const client = createClient("https://acme.example", undefined, "de", session);
    const refusal = Response.json({ error: "x", code: "not_signed_in" }, { status: 401 });
    answering(Response.json({}), Response.json({}, { headers: { Authorization: "new" } }), Response.json({}), refusal);
    await client.get("/api/booking/frontend/settings");
    await client.get("/api/v1/web-customer/renting-reservations");
    await client.get("/api/booking-transfer/frontend/shopping-cart/1");
    await expect(client.post<unknown, object>("/shopping-cart/1/checkout", {})).rejects.toMatchObject({
      code: "not_signed_in",
    });
    expect(sentAuthorizations).toEqual([null, "old", "old", "old"]);
    expect(renewed).toEqual(["new", undefined]);
    vi.unstubAllGlobals();
  });

  test("keeps the visitor's state in page memory if the browser can't store it", () => {
    saveTabState("nobody else's", { cart: "1" });
    saveTabState("nobody else's", { reservation: "2" });
    expect(readTabState("nobody else's")).toEqual({ cart: "1", reservation: "2" });
  });

  test("recognises in another tab the cart that this browser booked last, with the reservation's number", () => {
    expect(findBookedReservationNumber("acme", "cart-1")).toBeUndefined();
    const stored = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    vi.stubGlobal("localStorage", localStorage);
    expect(findBookedReservationNumber("acme", undefined)).toBeUndefined();
    saveBookedCart("acme", "cart-1");
    expect(findBookedReservationNumber("acme", "cart-1")).toBe("");
    saveBookedCart("acme", "cart-1", 1042);
    expect(findBookedReservationNumber("acme", "cart-1")).toBe("1042");
    expect(findBookedReservationNumber("acme", "cart-2")).toBeUndefined();
    expect(findBookedReservationNumber("globex", "cart-1")).toBeUndefined();
    vi.unstubAllGlobals();
  });
});

describe("the data of a contract", () => {
  const booking = {
    can_edit_online: true,
    driver_is_customer: false,
    driver_name: null,
    customer_name: "Ana",
    customer_address_city: null,
  };
  const required = ["customer_name", "customer_address[city]", "driver_driving_license_expiration_date"];

  test("sends a contract's data under flat field names, and offers no form once the booking can't be edited", () => {
    const contract = toContract({ booking, required_fields: required });
    expect(contract?.fields).toEqual({ customer_name: "Ana", driver_is_customer: "true" });
    expect(Object.keys(findMissingFieldErrors(contract?.fields ?? {}, contract?.required ?? [], en))).toEqual([
      "customer_address_city",
      "driver_driving_license_expiration_date",
    ]);
    expect(toContract({ booking: { ...booking, can_edit_online: false }, required_fields: [] })).toBeUndefined();
    expect(buildContractBody({ customer_name: "Ana", customer_email: "" })).toEqual({ customer_name: "Ana" });
  });

  // Proves "booking-widget.md": Contract data: fields of the account and of the contract
  test("shows contract fields by the account's settings and the contract, and those of other drivers if any", () => {
    const contract = { fields: {}, required: ["customer_address_zip"] };
    const listFieldNames = (settings: Settings, drives: boolean, others: number) =>
      listContractFieldGroups(settings, contract, { drives, others }).flatMap(({ fields }) =>
        fields.map(({ name }) => name),
      );
    const little = { ...SETTINGS, renting_form_fill_data_address: false, renting_form_fill_data_driver_detail: false };
    expect(listFieldNames(little, true, 0).slice(-1)).toEqual(["customer_address_zip"]);
    expect(listFieldNames(SETTINGS, false, 2)).toEqual(
      expect.arrayContaining(["driver_name", "additional_driver_2_name"]),
    );
    expect(getMaxOtherDrivers(SETTINGS)).toBe(2);
    expect(getMaxOtherDrivers({ ...SETTINGS, renting_form_fill_data_additional_driver_1: false })).toBe(0);
    for (const name of CONTRACT_FIELDS) expect(getFieldLabel(name, de), name).toBeDefined();
  });

  test("validates contract fields, such as emails, past dates and expiry dates after the return", () => {
    const contract = { fields: {}, required: [] };
    const fields = listContractFieldGroups(SETTINGS, contract, { drives: true, others: 0 }).flatMap(
      (part) => part.fields,
    );
    const days = { today: "2026-12-20", last: "2027-01-22" };
    const invalidDetails = {
      customer_email: "ana@",
      driver_date_of_birth: "2026-12-20",
      driver_driving_license_expiration_date: "2027-01-21",
    };
    expect(findContractFieldErrors(invalidDetails, fields, days, en)).toEqual({
      customer_email: en.wrongEmail,
      driver_date_of_birth: en.notPast,
      driver_driving_license_expiration_date: en.endsBefore,
    });
    const right = { driver_date_of_birth: "1990-02-03", driver_driving_license_expiration_date: "2027-01-22" };
    expect(findContractFieldErrors(right, fields, days, en)).toEqual({});
  });
});

test("starts the first search with the account's defaults, unless the link contains others", () => {
  expect(createInitialRentalSearch(SETTINGS, { date_to: "soon", pickup_place: "2" })).toEqual({
    time_from: "09:00",
    time_to: "18:00",
    date_from: "2027-01-19",
    date_to: "2027-01-22",
    pickup_place: "2",
  });
});

test("starts calendar weeks on Monday, and supports keyboard navigation", () => {
  expect(listMonthWeeks("2027-01")[0]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "2027-01-01",
    "2027-01-02",
    "2027-01-03",
  ]);
  expect(["ArrowDown", "End", "PageDown", "x"].map((key) => getDateByPressedKey(key, "2027-01-31"))).toEqual([
    "2027-02-07",
    "2027-01-31",
    "2027-02-28",
    undefined,
  ]);
});

test("shows the security deposit of a reservation until it's cancelled or expired", () => {
  const trip = { securityDeposit: "200.00" } as Parameters<typeof getSecurityDepositDue>[0]["trip"];
  expect(getSecurityDepositDue({ status: "confirmed", reason: null, trip })).toBe("200.00");
  expect(getSecurityDepositDue({ status: "cancelled", reason: null, trip })).toBe("0");
  expect(getSecurityDepositDue({ status: "pending_confirmation", reason: "expired", trip })).toBe("0");
});

// Proves "booking-widget.md": Overpayments are refunded
test("shows a negative balance as a refund instead of an amount due", () => {
  expect(getBalanceLabelAndAmount("52.80", de)).toEqual(["Noch zu zahlen", "52.80"]);
  expect(getBalanceLabelAndAmount("0.00", de)).toEqual(["Noch zu zahlen", "0.00"]);
  expect(getBalanceLabelAndAmount("-66.00", de)).toEqual(["Erstattung", "66.00"]);
});

test("offers the rest after a partial payment, and otherwise the down payment or the total", () => {
  const process = {
    can_request: false,
    can_pay: true,
    can_pay_deposit: false,
    can_pay_total: true,
    can_pay_pending: true,
    payment_methods: { paypal_standard: true, tpv_virtual: "tpvA256" },
  };
  expect(toCheckoutOptions(process, true).parts).toEqual(["pending"]);
  expect(toCheckoutOptions({ ...process, can_pay_deposit: true }).parts).toEqual(["deposit", "total"]);
  expect(toCheckoutOptions({ ...process, can_pay: false }).methods).toEqual([]);
});

describe("the buttons to pay", () => {
  const selling = { parts: ["deposit", "total"], methods: ["tpvA256"] } as const;
  const choices = (parts: readonly ("deposit" | "total" | "pending")[], prepayment: string, pending: string) =>
    listPayChoices({ ...selling, parts }, { prepayment, pending }).map(({ part, amount, isAll }) => [
      part,
      amount,
      isAll,
    ]);

  test("shows each way to pay with its amount, without what an agent retained of the price", () => {
    expect(choices(selling.parts, "18.00", "70.00")).toEqual([
      ["deposit", "18.00", false],
      ["total", "70.00", true],
    ]);
    expect(choices(["pending"], "18.00", "52.00")).toEqual([["pending", "52.00", true]]);
  });

  test("offers only one payment button if the down payment equals the full amount", () => {
    expect(choices(selling.parts, "10.00", "10.00")).toEqual([["total", "10.00", true]]);
    expect(choices(["deposit"], "10.00", "10.00")).toEqual([["deposit", "10.00", true]]);
  });
});

test("describes a vehicle's size from known data, and omits an unknown number of doors", () => {
  expect(formatSeatsAndDoors({ seats: 5, doors: 3 }, de)).toBe("5 Plätze · 3 Türen");
  expect(formatSeatsAndDoors({ seats: 9, doors: null }, en)).toBe("9 seats");
  expect(formatSeatsAndDoors({ seats: null, doors: null }, en)).toBe("");
});

test("adds amounts and calculates the average per day in the currency's smallest unit", () => {
  expect(addAmounts("0.10", "0.20", "-0.05")).toBe("0.25");
  expect(addAmounts("100", "20")).toBe("120");
  expect(formatAveragePerDay("309.10", 7)).toBe("44.16");
  expect(formatAveragePerDay("1000", 3)).toBe("333");
});

test("separates the company's discount from the list prices of a rental, so that the lines add up to the total", async () => {
  const sums = {
    ...{ item_cost: "81.00", extras_cost: "13.00", total_cost: "99.00", booking_lines: [], booking_extras: [] },
    ...{ time_from_cost: "0.00", time_to_cost: "0.00", driver_age_cost: "0.00" },
    ...{ pickup_place_cost: "5.00", return_place_cost: "0.00", can_edit_online: false },
  };
  const readTrip = async (discount: object | null) => {
    const answer = { booking: { ...sums, discount }, sales_process: { payment_methods: {} } };
    const client = { get: async () => answer } as unknown as Client;
    return (await rentalEngine.reservation(client, "1")).trip;
  };
  expect(await readTrip({ amount: "11.00", item_amount: "9.00", extras_amount: "2.00" })).toMatchObject({
    ...{ vehicleCost: "90.00", extrasCost: "15.00", discount: "11.00", supplementsCost: "0.00", total: "99.00" },
  });
  expect(await readTrip(null)).toMatchObject({ vehicleCost: "81.00", extrasCost: "13.00", discount: undefined });
});

test("shows the same deposit in the list, at the insurances and in the sums, with a young driver's part", async () => {
  const shopping_cart = {
    ...{ item_cost: "267.40", extras_cost: "0.00", total_cost: "323.40", driver_age_cost: "56.00", items: [] },
    ...{ time_from_cost: "0.00", time_to_cost: "0.00", pickup_place_cost: "0.00", return_place_cost: "0.00" },
    ...{ driver_age_deposit: "200.00", total_deposit: "1100.00", extras: [] },
  };
  const product = {
    ...{ code: "SUV", photos: [], base_price: "267.40", total_cost: "323.40", fees: [], key_characteristics: {} },
    ...{ deposit: "800.00", guarantee: "100.00", kilometres_per_day: 250 },
  };
  const insurance = { deposit: "400.00", guarantee: "0.00", full_deposit: "800.00", full_guarantee: "100.00" };
  const answer = {
    ...{ shopping_cart, products: [product], extras: [{ code: "FULL", insurance }] },
    sales_process: { payment_methods: {} },
  };
  const get = vi.fn(async () => answer);
  const client = { get } as unknown as Client;
  const cart = await rentalEngine.read(client, "1", "extras");
  expect(cart.offers[0]?.traits).toMatchObject({ deposit: "1100.00", excess: "100.00" });
  expect(cart.trip.securityDeposit).toBe("1100.00");
  expect(cart.extras[0]?.insurance).toEqual({
    ...{ deposit: "600.00", excess: "0.00", depositWithout: "1100.00", excessWithout: "100.00" },
  });
  // A page that is loaded again at the step of the extras needs the kilometres of the offers.
  expect(cart.offers[0]?.traits?.kilometresPerDay).toBe(250);
  expect(get).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\?include_products=true&include_extras=true$/));
});

test("names the email address and the flights of a transfer's and a rental's reservation", async () => {
  const booking = {
    ...{ total_cost: "48.00", item_cost: "48.00", extras_cost: "0.00", supplements_cost: "0.00", extras: [] },
    ...{ time_from_cost: "0.00", time_to_cost: "0.00", pickup_place_cost: "0.00", return_place_cost: "0.00" },
    ...{ driver_age_cost: "0.00", booking_lines: [], booking_extras: [], customer_email: "ana@example.com" },
    ...{ flight_company: "Iberia", flight_number: "IB3920", flight_time: "10:30", flight_number_departure: "" },
  };
  const client = {
    get: async () => ({ booking, sales_process: { payment_methods: {} } }),
  } as unknown as Client;
  for (const engine of [transferEngine, rentalEngine]) {
    const { email, trip } = await engine.reservation(client, "1");
    expect(email).toBe("ana@example.com");
    expect(trip.flights).toMatchObject({ flight_company: "Iberia", flight_number: "IB3920", flight_time: "10:30" });
  }
});

test("requires the address of a changed transfer's end that is an area, and sends it also if it stays", async () => {
  const booking = {
    ...{ origin_point_id: 1, origin_point_type: "airport", origin_point_detailed_info: null },
    ...{ destination_point_id: 2, destination_point_type: "location", destination_point_detailed_info: "Mar 1" },
    ...{ item_cost: "40.00", extras_cost: "0.00", supplements_cost: "8.00", total_cost: "48.00", extras: [] },
  };
  const client = { get: async () => ({ booking, sales_process: { payment_methods: {} } }) } as unknown as Client;
  const { ride = {} } = await transferEngine.reservation(client, "1");
  expect(ride).toMatchObject({ detailed_destination_address: "Mar 1" });
  expect(ride).not.toHaveProperty("detailed_origin_address");
  expect(findMissingAddressError(ride, en)).toBeUndefined();
  const moved = { ...ride, destination_point_id: "5", detailed_destination_address: "Mar 1" };
  expect(toTransferChange(ride, moved)).toEqual({ destination_point_id: 5, detailed_destination_address: "Mar 1" });
  expect(findMissingAddressError({ ...moved, detailed_destination_address: " " }, en)).toMatchObject({
    at: "detailed_destination_address",
  });
});

test("separates the company's discount from the list prices of a transfer", async () => {
  const booking = {
    ...{ item_cost: "36.00", extras_cost: "4.00", supplements_cost: "8.00", total_cost: "48.00", extras: [] },
    discount: { amount: "5.00", item_amount: "4.00", extras_amount: "1.00" },
  };
  const client = { get: async () => ({ booking, sales_process: { payment_methods: {} } }) } as unknown as Client;
  expect((await transferEngine.reservation(client, "1")).trip).toMatchObject({
    ...{ vehicleCost: "40.00", extrasCost: "5.00", discount: "5.00", supplementsCost: "8.00", total: "48.00" },
  });
});

test("names a field that is too long instead of cutting it", () => {
  const details = {
    customer_name: "A".repeat(41),
    customer_surname: "B".repeat(40),
    customer_email: "ana@example.com",
  };
  expect(findDetailFieldErrors(details, RENTAL_DETAIL_FIELDS, en)).toEqual({
    customer_name: "Too long: enter at most 40 characters.",
  });
});

test("requests phone, address, flights and luggage of a transfer, depending on its origin and destination", () => {
  const list = (origin: string, destination: string, isRound: boolean, isSignedIn = false, hasPhone = false) =>
    listDetailFields({ origin, destination, isRound }, isSignedIn, hasPhone)
      .slice(isSignedIn ? 0 : 3)
      .map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  const luggage = ["number_of_bags?", "number_of_large_items?"];
  expect(list("airport", "location", false)).toEqual([
    ...["customer_phone", "detailed_destination_address", "flight_number?", "flight_time?", ...luggage],
  ]);
  expect(list("location", "airport", false)).toEqual([
    ...["customer_phone", "detailed_origin_address", "flight_number_departure?", "flight_time_departure?", ...luggage],
  ]);
  expect(list("airport", "harbor", true)).toEqual([
    ...["customer_phone", "flight_number?", "flight_time?", "flight_number_departure?", "flight_time_departure?"],
    ...luggage,
  ]);
  expect(list("location", "location", true, true)).toEqual([
    ...["customer_phone", "detailed_origin_address", "detailed_destination_address", ...luggage],
  ]);
  expect(list("harbor", "harbor", false, true, true)).toEqual(["customer_phone?", ...luggage]);
  expect(listDetailFields(undefined, false)).toBe(RENTAL_DETAIL_FIELDS);
});

test("accepts only whole numbers up to 99 as a transfer's luggage", () => {
  const fields = listDetailFields({ origin: "harbor", destination: "harbor", isRound: false }, true);
  const check = (count: string) => findDetailFieldErrors({ number_of_bags: count }, fields, en)["number_of_bags"];
  expect(["", "0", "12", " 3 "].map(check)).toEqual(new Array(4).fill(undefined));
  expect(["-1", "1.5", "100", "two"].map(check)).toEqual(new Array(4).fill(en.wrongCount));
});

test("requires the terms checkbox only if the company has terms and its country requires acceptance", () => {
  const terms_url = "https://acme.rentals.example/terms";
  expect(needsTermsCheckbox({ ...SETTINGS, terms_url })).toBe(true);
  expect(needsTermsCheckbox({ ...SETTINGS, terms_url, terms_acceptance: "notice" })).toBe(false);
  expect(needsTermsCheckbox({ ...SETTINGS, privacy_url: terms_url })).toBe(false);
});

test("offers as insurance only available extras that reduce the deposit or the excess", () => {
  const insurance = { deposit: "0.00", excess: "100.00", depositWithout: "600.00", excessWithout: "900.00" };
  const extras = [
    { id: "FULL", code: "FULL", name: "Full", price: "60.00", most: 1, insurance },
    { id: "HALF", code: "HALF", name: "Half", price: "30.00", most: 0, insurance },
    { id: "SEAT", code: "SEAT", name: "Seat", price: "6.00", most: 2 },
  ];
  expect(listInsurances({ extras }).map(({ id }) => id)).toEqual(["FULL"]);
});

test.each([
  { reservation: { status: "pending_confirmation", reason: "paid_too_late" }, title: en.paidLate },
  { reservation: { status: "pending_confirmation", reason: "expired" }, title: en.heldNoMore },
  { reservation: { status: "pending_confirmation", reason: null }, title: en.received },
  { reservation: { status: "cancelled", reason: "paid_too_late" }, title: en.cancelled },
] as const)("shows $reservation.status with the reason $reservation.reason under the title $title", (shown) => {
  expect(getReservationTitle(shown.reservation, false, en)).toBe(shown.title);
});
