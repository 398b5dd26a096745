import "./page.ts";
import { createElement, type FunctionComponent } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import { loadTexts } from "#app/i18n/texts.ts";
import { listOutboxItems } from "#app/offline/outbox.ts";
import { calculateDraftClosingCosts, findImprobableReading } from "#app/screens/work/closing-costs.ts";
import { calculateDraftAddedCents, calculateUnsettledAmounts } from "#app/screens/work/draft-settlement.ts";
import { ReadingsStep } from "#app/screens/work/readings-step.tsx";
import ReplacementStep from "#app/screens/work/replacement-step.tsx";
import { buildContractText } from "#app/state/contract.ts";
import { loadedVehicles, shownDay } from "#app/state/day.ts";
import { database, storeSession } from "#app/state/device-session.ts";
import {
  applyLocalExchange,
  EMPTY_REPLACEMENT,
  getReplacementVehicle,
  isExchangeComplete,
  listReplacementVehicles,
  pickPhotosAndDamages,
} from "#app/state/exchange.ts";
import { settings } from "#app/state/settings.ts";
import { createVehicleAssessor } from "#app/state/vehicle-assessor.ts";
import {
  changeOpenWork,
  finishWork,
  getOpenDraft,
  openWorkByKey,
  openWorkDraft,
  reopenRejectedWork,
  startWork,
} from "#app/state/work.ts";
import { getNextPhotoView, isWorkStepDone } from "#app/state/work-steps.ts";
import { createBooking, createCheckInSettings, createDay, createUnit, createVehicle } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { renderComponent } from "./render.ts";

const TODAY = getTodayAtCompany();
const SCRATCH = {
  damage_id: "01890000-0000-7000-8000-0000000000d1",
  ...({ part: "left_mirror", kind: "scratch", severity: "light", x: 500, y: 500 } as const),
};

let bookings = 100;
let ownBooking: ReturnType<typeof createBooking>;
let other: ReturnType<typeof createBooking>;

const van = createVehicle(3);
const car = createVehicle(4, { kilometres: 20_000 });

beforeEach(async () => {
  bookings += 2;
  const delivery = { at: `${TODAY}T08:00:00.000Z`, by: "Ana", kilometres: 10_000, fuel_eighths: 8 };
  const unit = createUnit(bookings, { state: "out", vehicle: createVehicle(2, { state: "out" }), delivery });
  ownBooking = createBooking(bookings, TODAY, { status: "in_progress", resources: [unit] });
  other = createBooking(bookings + 1, TODAY, { resources: [createUnit(bookings + 1)] });
  settings.value = createCheckInSettings("Ana", "operator");
  loadedVehicles.value = [createVehicle(2, { state: "out" }), van, car, createVehicle(6, { state: "out" })];
  shownDay.value = { data: createDay(TODAY, [ownBooking, other], []), fetchedAt: Date.now() };
  openWorkDraft.value = undefined;
  await storeSession({ token: "t", username: "ana", full_name: "Ana", role: "operator", expired: true });
});

const getOwnUnit = () => ownBooking.resources[0] ?? createUnit(0);
const lastItem = async () => (await listOutboxItems(database)).at(-1);
const REPLACEMENT = { ...EMPTY_REPLACEMENT, vehicle_reference: "V0004", kilometres: "20010", fuel_eighths: 7 };

async function begin(kind: "exchange" | "collection" = "exchange") {
  await openWorkByKey((await startWork(ownBooking, getOwnUnit(), kind)) ?? "");
  return getOpenDraft();
}

describe("an exchange of a rented vehicle", () => {
  test("offers available replacement vehicles, own category first, without the exchanged vehicle and rented ones", async () => {
    const getAssessment = createVehicleAssessor(await begin());
    expect(listReplacementVehicles(getOwnUnit(), "", getAssessment).map(({ reference }) => reference)).toEqual([
      "V0004",
      "V0003",
    ]);
    expect(listReplacementVehicles(getOwnUnit(), "1003KLM", getAssessment)).toEqual([van]);
  });

  test("records photos, damage, signed contract and upgrade price of the replacement vehicle", async () => {
    await begin();
    const photo = (view: "front" | "rear", hash: string) => ({ view, hash, taken_at: `${TODAY}T08:00:00.000Z` });
    await changeOpenWork({
      ...{ kilometres: "10150", fuel_eighths: 6, exchange: { ...REPLACEMENT, upgrade_price: "30" } },
      photos: [photo("front", "a".repeat(64)), { ...photo("front", "b".repeat(64)), vehicle: "replacement" }],
      damages: [SCRATCH, { ...SCRATCH, damage_id: SCRATCH.damage_id.replace("d1", "d2"), vehicle: "replacement" }],
    });
    const draft = getOpenDraft();
    expect([getNextPhotoView(draft), getNextPhotoView(draft, "replacement")]).toEqual(["front_left", "front_left"]);
    expect(pickPhotosAndDamages(draft, "replacement")).toMatchObject({
      photos: [{ hash: "b".repeat(64) }],
      damages: [{ vehicle: "replacement" }],
    });
    expect(isWorkStepDone(draft, "damage_out", true)).toBe(true);
    expect(calculateUnsettledAmounts(draft)).toMatchObject({ openCents: 13_000, depositCents: 0 });
    const unit = getOwnUnit();
    const sources = {
      draft,
      booking: ownBooking,
      unit,
      vehicle: getReplacementVehicle(draft),
      settings: createCheckInSettings("Ana", "operator"),
    };
    const clock = { now: Date.now(), clockOffsetMs: 0 };
    const { text = "" } =
      (await buildContractText({ ...sources, ...clock, extras: undefined, closing: undefined })) ?? {};
    for (const line of ["1004 KLM", "20.010", "7/8", "=\tTotal\t162,00\u00a0€", "[2]"]) expect(text).toContain(line);
    await finishWork(calculateDraftAddedCents);
    expect(await lastItem()).toMatchObject({ added_cents: 3000 });
  });

  test("asks for the charge of both electric vehicles in percent, and writes it in the contract", async () => {
    const electric = createVehicle(4, { kilometres: 20_000, fuel: "electric" });
    const returned = createVehicle(2, { state: "out", fuel: "electric" });
    loadedVehicles.value = [returned, electric];
    const unit = { ...getOwnUnit(), vehicle: returned };
    ownBooking = { ...ownBooking, resources: [unit] };
    shownDay.value = { data: createDay(TODAY, [ownBooking], []), fetchedAt: Date.now() };
    await begin();
    await changeOpenWork({ kilometres: "10150", fuel_eighths: 3, exchange: REPLACEMENT });
    await loadTexts("en");
    const draft = getOpenDraft();
    const props = { draft, part: undefined, onNext: () => undefined, frame: (_: unknown, content: unknown) => content };
    for (const [Step, level] of [
      [ReadingsStep, "38"],
      [ReplacementStep, "88"],
    ] as const) {
      const view = renderComponent(createElement(Step as FunctionComponent<object>, props));
      expect(view.readText()).toContain("Battery charge");
      expect(view.readText()).toMatch(new RegExp(`${level}\\s?%`));
      expect(view.readText()).not.toContain("Fuel");
      view.close();
    }
    const sources = {
      draft,
      booking: ownBooking,
      unit,
      vehicle: electric,
      settings: createCheckInSettings("Ana", "operator"),
    };
    const clock = { now: Date.now(), clockOffsetMs: 0 };
    const { text = "" } =
      (await buildContractText({ ...sources, ...clock, extras: undefined, closing: undefined })) ?? {};
    expect(text).toContain("Carga de la batería\t88 %");
    expect(text).not.toContain("Combustible");
  });

  test("requests no payment for an exchange without an upgrade", async () => {
    await begin();
    await changeOpenWork({ exchange: REPLACEMENT });
    expect(calculateUnsettledAmounts(getOpenDraft()).sum).toBe(0);
  });

  test("records an offline exchange with the readings of both vehicles and the damage of the returned one", async () => {
    await begin();
    await changeOpenWork({ kilometres: "10150", fuel_eighths: 6, damages: [SCRATCH], notes: "Flat tyre" });
    await changeOpenWork({ exchange: { ...REPLACEMENT, upgrade_price: " 30 " } });
    await finishWork();
    expect(await lastItem()).toMatchObject({
      ...{ kind: "exchange", state: "queued" },
      operation: {
        ...{ kind: "exchange", vehicle_reference: "V0002", kilometres: 10_150, fuel_eighths: 6, notes: "Flat tyre" },
        damages: [{ part: "left_mirror", kind: "scratch" }],
        exchange: { vehicle_reference: "V0004", kilometres: 20_010, fuel_eighths: 7, upgrade_price: "30.00" },
      },
    });
  });

  test("restores the typed data of an exchange after an app restart", async () => {
    const { key } = await begin();
    await changeOpenWork({ kilometres: "10150", damages: [SCRATCH], exchange: REPLACEMENT });
    openWorkDraft.value = undefined;
    await openWorkByKey(key);
    expect(openWorkDraft.value).toMatchObject({ kilometres: "10150", damages: [SCRATCH], exchange: REPLACEMENT });
  });

  test.each([
    ["no replacement vehicle", { exchange: { ...REPLACEMENT, vehicle_reference: "" } }],
    ["no kilometres of the returned vehicle", { kilometres: "" }],
    ["no fuel of the returned vehicle", { fuel_eighths: null }],
    ["no kilometres of the replacement vehicle", { exchange: { ...REPLACEMENT, kilometres: "" } }],
    ["no fuel of the replacement vehicle", { exchange: { ...REPLACEMENT, fuel_eighths: null } }],
    ["an invalid price", { exchange: { ...REPLACEMENT, upgrade_price: "much" } }],
  ])("treats an exchange as incomplete with %s", async (_what, changes) => {
    const completeDraft = { ...(await begin()), kilometres: "10150", fuel_eighths: 8, exchange: REPLACEMENT };
    expect([isExchangeComplete(completeDraft), isExchangeComplete({ ...completeDraft, ...changes })]).toEqual([
      true,
      false,
    ]);
  });

  test("asks for confirmation of unlikely kilometers of either vehicle in an exchange", async () => {
    const completeDraft = { ...(await begin()), kilometres: "10150", fuel_eighths: 8, exchange: REPLACEMENT };
    expect(findImprobableReading(completeDraft)).toBeUndefined();
    expect(findImprobableReading({ ...completeDraft, kilometres: "9000" })).toMatchObject({
      code: "kilometres_lower",
      before: 10_000,
    });
    const far = { ...REPLACEMENT, kilometres: "200000" };
    expect(findImprobableReading({ ...completeDraft, exchange: far })).toMatchObject({
      code: "kilometres_jump",
      before: 20_000,
    });
  });

  // Proves "check-in.md": T19
  test("shows an exchange's new vehicle and return costs by the device's data until the server confirms it", async () => {
    await begin();
    await changeOpenWork({ kilometres: "10500", fuel_eighths: 6, exchange: REPLACEMENT });
    await finishWork();
    const known = applyLocalExchange(ownBooking, getOwnUnit());
    expect(known).toMatchObject({
      vehicle: { reference: "V0004" },
      delivery: { kilometres: 20_010, fuel_eighths: 7, by: "ana" },
      earlier: { kilometres: 500, missing_eighths: 2 },
    });
    const getAssessment = createVehicleAssessor({
      key: "",
      booking_id: other.booking_id,
      resource_id: other.booking_id * 10,
    });
    expect([getAssessment(car).state, getAssessment(createVehicle(2, { state: "out" })).state]).toEqual([
      "out",
      "free",
    ]);
    const back = await begin("collection");
    expect([back.vehicle_reference, back.plate]).toEqual(["V0004", "1004 KLM"]);
    await changeOpenWork({ kilometres: "20210", fuel_eighths: 7 });
    // Together 700 km with 600 included. The first lacks two eighths of fuel.
    expect(calculateDraftClosingCosts(getOpenDraft())).toMatchObject({ kilometresCents: 2000, fuelCents: 1800 });
    expect(applyLocalExchange(ownBooking, { ...getOwnUnit(), vehicle: car })).toMatchObject({
      earlier: { kilometres: 0 },
    });
  });

  test("restores all typed data of a refused exchange", async () => {
    await begin();
    await changeOpenWork({ kilometres: "10150", fuel_eighths: 6, damages: [SCRATCH] });
    await changeOpenWork({ exchange: { ...REPLACEMENT, upgrade_price: "30" } });
    const item = await finishWork();
    await openWorkByKey((await reopenRejectedWork({ ...item, state: "blocked", reason: "conflict" })) ?? "");
    expect(openWorkDraft.value).toMatchObject({
      ...{ kind: "exchange", replaces: item.op_id, kilometres: "10150", damages: [SCRATCH] },
      exchange: { ...REPLACEMENT, upgrade_price: "30.00" },
    });
  });
});
