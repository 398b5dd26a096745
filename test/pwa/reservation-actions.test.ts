import "./page.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Day } from "#app/api/messages.ts";
import { t } from "#app/i18n/texts.ts";
import { findCachedList } from "#app/offline/cache.ts";
import { createSessionEncryptionKey } from "#app/offline/session-encryption.ts";
import { companySearchResults, searchCompanyBookings } from "#app/state/company-search.ts";
import { bookingsOnDevice, findLoadedBooking, shownDay } from "#app/state/day.ts";
import { database, storeSession } from "#app/state/device-session.ts";
import { replaceDrafts } from "#app/state/outbox.ts";
import { waitForPendingWrites } from "#app/state/pending-writes.ts";
import { chooseLanguage } from "#app/state/preferences.ts";
import { describeFields } from "#app/state/problems.ts";
import {
  applyBookingAction,
  changeCategory,
  getReturnAction,
  isNoShowDue,
  quoteBookingAction,
  quoteCategoryChange,
  quoteExchange,
} from "#app/state/reservation-actions.ts";
import { selectedBranchCode, settings } from "#app/state/settings.ts";
import {
  bookingIdMadeAfterLeaving,
  bookWalkIn,
  clearWalkIn,
  createWalkInForm,
  isSubmittingBooking,
  listMissingFieldLabels,
  loadWalkInPlaces,
  quoteWalkIn,
  saveWalkInInput,
  walkIn,
} from "#app/state/walk-in.ts";
import type { CivilDate } from "#domain/dates.ts";
import { createBooking, createCheckInSettings } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";

const TODAY = "2027-05-03";
const booking = createBooking(1, TODAY, { date_to: "2027-05-06", version: 4 });

interface OfficeRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

/** Restarts the app with only the database left. */
async function startedAgain() {
  vi.resetModules();
  return import("#app/state/walk-in.ts");
}

settings.value = createCheckInSettings("Marta", "agent");

let officeRequests: OfficeRequest[] = [];
let answer: unknown = {};
let isOffline = false;
let status = 200;

Object.defineProperty(globalThis, "fetch", {
  value: async (path: string, { method = "", headers, body }: RequestInit) => {
    const { "Idempotency-Key": key } = headers as Record<string, string>;
    officeRequests.push({ method, path, key, body: body === undefined ? undefined : JSON.parse(String(body)) });
    if (isOffline) throw new TypeError("no network");
    return { status, headers: { get: () => null }, text: async () => JSON.stringify(answer) };
  },
});

afterEach(() => {
  officeRequests = [];
  isOffline = false;
  status = 200;
  vi.useRealTimers();
});

test("treats a later return as an extension and an earlier one as an early return", () => {
  expect(getReturnAction(booking, { date_to: "2027-05-07", time_to: "20:00" })).toBe("extend");
  expect(getReturnAction(booking, { date_to: "2027-05-06", time_to: "20:30" })).toBe("extend");
  expect(getReturnAction(booking, { date_to: "2027-05-05", time_to: "20:00" })).toBe("early-return");
});

// Proves "check-in.md": P15
test("shows a booking as cancelled after a no-show and removes it from the day, even if the list can't be reloaded", async () => {
  answer = { reservation: { version: 5 } };
  const other = createBooking(2, TODAY);
  const data = { deliveries: [booking, other], collections: [booking] } as unknown as Day;
  shownDay.value = { data, fetchedAt: 0 };
  expect(findLoadedBooking(1)).toMatchObject({ status: "confirmed" });
  expect(await applyBookingAction(booking, "no-show", undefined)).toMatchObject({ kind: "ok" });
  expect(officeRequests[0]).toMatchObject({
    path: "/api/v1/office/reservations/1/no-show",
    body: { expected_version: 4 },
  });
  expect(findLoadedBooking(1)).toMatchObject({ booking_id: 1, status: "cancelled" });
  expect(shownDay.value?.data).toEqual({ deliveries: [other], collections: [] });
  expect([...bookingsOnDevice.value.keys()]).toEqual([2]);
  shownDay.value = undefined;
});

// Proves "check-in.md": P16
test("offers a no-show only after the pickup time, and not if this device has started the hand-over", () => {
  const at = (time: string) => isNoShowDue(booking, { date: TODAY as CivilDate, time });
  const [before, after] = [booking.time_from, "23:59"];
  expect([at(before), at(after)]).toEqual([false, true]);
  expect(isNoShowDue({ ...booking, status: "cancelled" }, { date: TODAY as CivilDate, time: after })).toBe(false);
  const draft = createDraft(1, "delivery");
  replaceDrafts([draft]);
  expect(at(after)).toBe(false);
  replaceDrafts([]);
  expect(at(after)).toBe(true);
});

// Proves "check-in.md": P14
test("requests the cost of an action first, then applies the action to the reservation version shown", async () => {
  answer = { allowed: true, reasons: [], difference: "35.00", fee: "0.00", to_refund: "0.00" };
  const to = { date_to: "2027-05-07", time_to: "20:00" };
  expect(await quoteBookingAction(booking, "extend", to)).toMatchObject({ kind: "ok", value: { difference: "35.00" } });
  await applyBookingAction(booking, "extend", to);
  expect(officeRequests.slice(0, 2)).toMatchObject([
    { path: "/api/v1/office/reservations/1/quote", body: { move: "extend", ...to } },
    {
      path: "/api/v1/office/reservations/1/extend",
      key: expect.stringMatching(/^".{36}"$/),
      body: { expected_version: 4, ...to },
    },
  ]);
});

test("reports the server as unreachable for an action offline, and queues no action", async () => {
  isOffline = true;
  expect(await quoteBookingAction(booking, "no-show", undefined)).toEqual({ kind: "unreachable", message: "" });
  expect(await applyBookingAction(booking, "no-show", undefined)).toMatchObject({ kind: "unreachable" });
  expect(await database.use((db) => Promise.all([db.count("ops"), db.count("drafts")]))).toEqual([0, 0]);
});

// Proves "check-in.md": P17
test("searches the server once the user stops typing, and not for one or two letters", async () => {
  await storeSession({ token: "t", username: "ana", full_name: "Ana", role: "operator", expired: false });
  vi.useFakeTimers();
  answer = { data: [{ id: 77, customer_fullname: "Karin Vogel" }] };
  for (const text of ["k", "ka", "kar", "kari"]) searchCompanyBookings(text);
  await vi.advanceTimersByTimeAsync(1000);
  const searches = officeRequests.filter(({ path }) => path.includes("/office/reservations?"));
  expect(searches.map(({ path }) => path)).toEqual(["/api/v1/office/reservations?q=kari&kind=rental&page_size=20"]);
  expect(companySearchResults.value?.map(({ id }) => id)).toEqual([77]);
  searchCompanyBookings("ka");
  expect(companySearchResults.value).toBeUndefined();
});

// Proves "check-in.md": P3
test("shows another category's price before it is chosen, and sends that price", async () => {
  answer = {
    allowed: true,
    reasons: [],
    difference: "45.00",
    fee: "0.00",
    to_refund: "0.00",
    reservation: { version: 5 },
  };
  expect(await quoteCategoryChange(booking, "VAN")).toMatchObject({ value: { difference: "45.00" } });
  expect(await changeCategory(booking, "VAN")).toMatchObject({ value: { reservation: { version: 5 } } });
  expect(officeRequests.slice(0, 2)).toMatchObject([
    { path: "/api/v1/office/reservations/1/quote", body: { move: "change", category_code: "VAN" } },
    { method: "PATCH", path: "/api/v1/office/reservations/1", body: { expected_version: 4, category_code: "VAN" } },
  ]);
  await quoteExchange(booking, { unit_id: 10, upgrade_price: "30" });
  expect(officeRequests.at(-1)).toMatchObject({
    ...{ path: "/api/v1/office/reservations/1/quote", body: { move: "exchange", unit_id: 10, upgrade_price: "30" } },
  });
});

describe("walk-in customer", () => {
  const typedForm = {
    ...createWalkInForm({ date: TODAY, time: "10:07" }),
    ...{ pickup_place: "3", category_code: "ECON", name: " Karin ", surname: "Vogel", driver_age: "31" },
  };
  const paths = () => officeRequests.map(({ path }) => path);

  test.each([
    ["10:07", "2027-05-03", "10:15"],
    ["10:15", "2027-05-03", "10:15"],
    ["23:50", "2027-05-04", "00:00"],
  ])("starts a walk-in's one-day rental for an arrival at %s on %s at %s", (time, date, from) => {
    expect(createWalkInForm({ date: TODAY, time })).toMatchObject({ date_from: date, time_from: from, time_to: from });
  });

  test("preselects the pickup place of the device's branch for a walk-in customer", async () => {
    selectedBranchCode.value = "PMI";
    walkIn.value = createWalkInForm({ date: TODAY, time: "10:00" });
    const place = (id: number, code: string) => ({ id, name: code, rental_location_code: code, is_pickup: true });
    answer = { data: [place(1, "CIT"), place(3, "PMI")] };
    await loadWalkInPlaces();
    expect(walkIn.value?.pickup_place).toBe("3");
  });

  test("shows a walk-in's price before booking, and lists the fields missing for the price or the booking", async () => {
    expect(listMissingFieldLabels({ ...typedForm, category_code: "", name: "" }, false)).toEqual(["category"]);
    expect(listMissingFieldLabels({ ...typedForm, category_code: "", name: " " }, true)).toEqual([
      "category",
      "firstName",
    ]);
    await chooseLanguage("en");
    const undated = { ...typedForm, date_from: "", time_from: "", date_to: "", time_to: "" };
    expect(listMissingFieldLabels(undated, false).map((key) => t(key))).toEqual([
      "Pickup date",
      "Pickup time",
      "Return date",
      "Return time",
    ]);
    answer = { available: true, reasons: [], warnings: [], quote: { days: 1, total_cost: "40.00" } };
    expect(await quoteWalkIn(typedForm)).toMatchObject({ value: { quote: { total_cost: "40.00" } } });
    expect(officeRequests[0]?.body).toMatchObject({
      pickup_place: 3,
      return_place: 3,
      driver_age: 31,
      category_code: "ECON",
    });
  });

  test("explains the refusal of a walk-in in the user's language, by the field's label, without the server's text", async () => {
    await chooseLanguage("de");
    answer = {
      available: false,
      reasons: [
        {
          code: "no_price",
          params: { product: "ECON" },
          field: "category_code",
          message: "category_code: has no price",
        },
        { code: "closed_on", params: { date: "2027-05-03" }, field: "date_from", message: "date_from: is closed" },
        { code: "of_next_year", message: "newer than the app" },
      ],
      warnings: [{ code: "minimum_days", params: { days: 3 }, message: "at least 3 days" }],
      quote: null,
    };
    const quoted = await quoteWalkIn(typedForm);
    expect(quoted).toMatchObject({
      value: {
        reasons: [
          "Kleinwagen hat keinen Preis in diesem Zeitraum. Ändere Kategorie oder Zeitraum.",
          "Der Standort ist am Mo., 3. Mai geschlossen. Wähle einen anderen Abholtag.",
          "Das Büro hat die Änderung abgelehnt. Prüfe Zeitraum, Orte und Kategorie.",
        ],
        warnings: ["Die Mindestmietdauer ist 3 Tage. Wähle eine spätere Rückgabe."],
      },
    });
    status = 400;
    answer = {
      error: "customer.email must be an e-mail address",
      code: "invalid_input",
      detail: [{ field: "customer.email", message: "must be an e-mail address", code: "email" }],
    };
    expect(await bookWalkIn(typedForm)).toMatchObject({
      message: "E-Mail: Gib eine E-Mail-Adresse ein, zum Beispiel ana@example.com.",
    });
    await chooseLanguage("en");
  });

  test("describes the refused fields of a record in the user's language, without the server's sentence", async () => {
    await chooseLanguage("de");
    const detail = [
      { field: "operations.0.kilometres", message: "must be a whole number", code: "whole_number" },
      { field: "extras", message: "is not for this kind", code: "not_for_kind" },
      { field: "op_id", message: "must be a UUID in lower case", code: "invalid" },
    ] as const;
    expect(await describeFields(detail)).toEqual([
      "Kilometerstand: Gib eine ganze Zahl ein.",
      "Extras: Prüfe diesen Wert.",
    ]);
    await chooseLanguage("en");
  });

  // Proves "check-in.md": T23
  test("books a walk-in once however often the response is lost, and books changed input separately", async () => {
    isOffline = true;
    expect(await bookWalkIn(typedForm)).toMatchObject({ kind: "unreachable" });
    await bookWalkIn(typedForm);
    await bookWalkIn({ ...typedForm, surname: "Vogl" });
    const keys = officeRequests.map(({ key }) => key);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(paths()).toEqual(Array(3).fill("/api/v1/office/reservations"));
    expect(officeRequests[0]?.body).toMatchObject({ customer: { name: "Karin", surname: "Vogel" } });
  });

  test("keeps walk-in input after a refusal or a missing response, and deletes it when booked or signed out", async () => {
    walkIn.value = typedForm;
    status = 409;
    answer = { error: "ECON is sold out for this period", code: "sold_out", params: { code: "ECON" } };
    const message = "No vehicle of this category is free for this period. Choose another category or period.";
    expect(await bookWalkIn(typedForm)).toEqual({ kind: "refused", message });
    expect(walkIn.value).toEqual(typedForm);
    status = 201;
    answer = { reservation: { id: 77 } };
    expect(await bookWalkIn(typedForm)).toMatchObject({ value: { reservation: { id: 77 } } });
    expect(walkIn.value).toBeUndefined();
    walkIn.value = typedForm;
    clearWalkIn();
    expect(walkIn.value).toBeUndefined();
  });

  test("books a walk-in once for two simultaneous requests, and keeps input typed in the meantime", async () => {
    status = 201;
    answer = { reservation: { id: 78 } };
    walkIn.value = typedForm;
    const booking = bookWalkIn(typedForm, () => false);
    expect(isSubmittingBooking.value).toBe(true);
    expect(await bookWalkIn({ ...typedForm, notes: "Again" })).toMatchObject({ kind: "unreachable" });
    const next = { ...typedForm, surname: "Maier" };
    walkIn.value = next;
    await booking;
    expect([isSubmittingBooking.value, bookingIdMadeAfterLeaving.value, walkIn.value, officeRequests.length]).toEqual([
      false,
      78,
      next,
      1,
    ]);
    clearWalkIn();
    expect(bookingIdMadeAfterLeaving.value).toBeUndefined();
  });

  // Proves "check-in.md": 28g
  test("restores walk-in input on the same day only, and books the walk-in once", async () => {
    await createSessionEncryptionKey(database);
    vi.useFakeTimers({ now: Date.parse("2027-05-03T10:00:00Z"), toFake: ["Date"] });
    await saveWalkInInput({ ...typedForm, notes: "Roof box" });
    isOffline = true;
    await bookWalkIn({ ...typedForm, notes: "Roof box" });
    const later = await startedAgain();
    await later.beginWalkIn();
    expect(later.walkIn.value).toEqual({ ...typedForm, notes: "Roof box" });
    await later.bookWalkIn({ ...typedForm, notes: "Roof box" });
    expect(officeRequests[1]?.key).toBe(officeRequests[0]?.key);
    vi.setSystemTime(Date.parse("2027-05-04T10:00:00Z"));
    const nextDay = await startedAgain();
    await nextDay.beginWalkIn();
    expect(nextDay.walkIn.value).toMatchObject({ name: "", date_from: "2027-05-04" });
    clearWalkIn();
    await waitForPendingWrites();
    expect(await findCachedList(database, "walk-in")).toBeUndefined();
  });
});
