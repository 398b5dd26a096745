import "./page.ts";
import { describe, expect, test } from "vitest";
import type { WorkDraft } from "#app/offline/items.ts";
import { hasInvalidAmount } from "#app/screens/work/draft-settlement.ts";
import { buildContractText, type ContractSources } from "#app/state/contract.ts";
import { replaceDamagePrice, sumDamagePrices } from "#app/state/damage-prices.ts";
import { createDraft, toOperation } from "#app/state/draft-operations.ts";
import { parseReturnTime } from "#app/state/return-time.ts";
import { settings } from "#app/state/settings.ts";
import { createBooking, createCheckInSettings, createUnit, createVehicle } from "#support/check-in/day.ts";

const AT = Date.parse("2027-05-06T08:31:00.000Z");
const MINUTE = 60_000;
const known = createCheckInSettings("Marta", "operator");
settings.value = known;
const booking = createBooking(4, "2027-05-03", {
  resources: [createUnit(4, { state: "out", vehicle: createVehicle(4) })],
  customer: { ...createBooking(4, "2027-05-03").customer, language: "en" },
});
const [unit] = booking.resources;

async function buildContract(
  changes: Partial<WorkDraft>,
  clock: Partial<Pick<ContractSources, "now" | "clockOffsetMs">> = {},
  currentBooking = booking,
) {
  if (!unit) throw new Error("The booking has no unit.");
  const draft = { ...createDraft(booking, unit, "collection", "4:4:collection", "marta"), ...changes };
  const serverBooking = {
    draft,
    booking: currentBooking,
    unit,
    vehicle: createVehicle(4),
    settings: known,
    extras: undefined,
    closing: undefined,
  };
  const contract = await buildContractText({ ...serverBooking, now: AT, clockOffsetMs: 0, ...clock });
  if (!contract) throw new Error("The phone knows of no contract.");
  return contract;
}

const returnedIn = (text: string) => /Returned on\t(.*)/.exec(text)?.[1];
const createSignedDraft = (changes: Partial<WorkDraft>) => ({
  signature: { method: "typed", name: "Ana", signed_at: new Date(AT + 2 * MINUTE).toISOString() } as const,
  ...changes,
});

test("prints the return time in the company's time zone and the place in a return record", async () => {
  expect(returnedIn((await buildContract({})).text)).toBe(`6 May 2027 10:31, ${booking.return_place}`);
  expect(returnedIn((await buildContract({}, { clockOffsetMs: 60 * MINUTE })).text)).toContain("6 May 2027 11:31");
  const returnedElsewhere = await buildContract({ return_rental_location_code: "CIT" });
  expect(returnedIn(returnedElsewhere.text)).toBe("6 May 2027 10:31, Palma city");
});

test("prints category, extras and places of a return record in the contract's language", async () => {
  const { text } = await buildContract({ kind: "delivery", contract_language: "de" });
  for (const name of ["Kleinwagen", "Kindersitz", "Flughafen Palma"]) expect(text).toContain(name);
  expect(text).not.toMatch(/Economy|Child seat|Palma airport/);
  // Names without a French translation stay in the account's language.
  expect((await buildContract({ kind: "delivery", contract_language: "fr" })).text).toContain("Economy");
});

test("keeps the signed text of a return record unchanged, however late the operation is finished", async () => {
  const before = await buildContract({});
  const later = { now: AT + 90 * MINUTE };
  expect((await buildContract({}, later)).hash).not.toBe(before.hash);
  expect((await buildContract(createSignedDraft({ signed_return_at: before.writtenAt }), later)).hash).toBe(
    before.hash,
  );
});

test("dates a return by the signed or entered time, however late the operation is finished", async () => {
  const at = (changes: Partial<WorkDraft>) =>
    toOperation({ ...createDraft(booking, unit, "collection", "4:4:collection", "marta"), ...changes }).recorded_at;
  const entered = AT - 10 * MINUTE;
  expect(at(createSignedDraft({ signed_return_at: AT }))).toBe(new Date(AT).toISOString());
  expect(at(createSignedDraft({ signed_return_at: AT, returned_at: entered }))).toBe(new Date(entered).toISOString());
  expect(at({ returned_at: entered })).toBe(new Date(entered).toISOString());
  const before = Date.now();
  expect(Date.parse(at({}))).toBeGreaterThanOrEqual(before);
  expect(returnedIn((await buildContract({ returned_at: entered })).text)).toContain("10:21");
  expect(Date.parse(at({ kind: "delivery", returned_at: entered }))).toBeGreaterThanOrEqual(before);
});

test.each([
  ["keeps a time since the hand-over", "2027-05-06T10:21", "2027-05-06T08:21:00.000Z"],
  ["limits a future time to now", "2027-05-06T23:00", "2027-05-06T08:31:00.000Z"],
  ["limits an early time to the hand-over", "2027-05-01T10:00", "2027-05-03T08:00:00.000Z"],
  ["ignores an incomplete time", "2027-05-06T", undefined],
])("%s as the time of a return", (_, text, expected) => {
  const limits = { timezone: "Europe/Madrid", now: AT, deliveredAt: Date.parse("2027-05-03T08:00:00.000Z") };
  const at = parseReturnTime(text, limits);
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected);
});

test("reads a return time from before the clocks changed", () => {
  const now = Date.parse("2027-03-28T10:00:00.000Z");
  const at = parseReturnTime("2027-03-28T01:30", { timezone: "Europe/Madrid", now }) ?? 0;
  expect(new Date(at).toISOString()).toBe("2027-03-28T00:30:00.000Z");
});

const sumsIn = (text: string) => /=\tPaid\t.*(?=\n=\tSecurity deposit)/s.exec(text)?.[0];

test("separates credited from paid amounts if the server provides them", async () => {
  const currentBooking = async (amounts: Partial<typeof booking.amounts>) => {
    const serverBooking = { ...booking, amounts: { ...booking.amounts, ...amounts } };
    return sumsIn((await buildContract({ kind: "delivery" }, {}, serverBooking)).text);
  };
  expect(await currentBooking({ total_credited: "20.00", total_pending: "80.00" })).toBe(
    "=\tPaid\t€32.00\n=\tCredit notes\t€20.00\n=\tStill to pay\t€80.00",
  );
  expect(await currentBooking({})).toBe("=\tPaid\t€32.00\n=\tStill to pay\t€100.00");
});

test("prints the signature's time as the return time if no return time was stored with the signature", async () => {
  expect(returnedIn((await buildContract(createSignedDraft({}), { now: AT + 90 * MINUTE })).text)).toContain(
    "6 May 2027 10:33",
  );
});

describe("damage with a price", () => {
  const dent = {
    damage_id: "a1",
    part: "roof",
    kind: "dent",
    severity: "light",
    x: 1,
    y: 2,
    note: " hail ",
    photos: [],
  };
  const damages = [dent, { ...dent, damage_id: "b2", note: "" }] as WorkDraft["damages"];
  const priced = {
    damages,
    surcharges: [
      { code: "SCRATCH", damage_id: "a1" },
      { code: "DAMAGE", damage_id: "b2", amount: "25,5" },
    ],
  };
  const toDraft = (changes: Partial<WorkDraft>) => ({
    ...createDraft(booking, unit, "collection", "4:4:collection", "marta"),
    ...changes,
  });

  test("is in the return record, in the amount due and in the operation", async () => {
    const { text } = await buildContract(priced);
    expect(text).toMatch(/Scratch\t.*90\.00/);
    expect(text).toMatch(/Other damage\t.*25\.50/);
    expect(sumDamagePrices(priced)).toBe(9000 + 2550);
    expect(toOperation(toDraft(priced)).surcharges).toEqual([
      { code: "SCRATCH", damage_id: "a1", text: "hail" },
      { code: "DAMAGE", damage_id: "b2", amount: "25.50" },
    ]);
  });

  test("isn't charged without its damage, and must have an amount", () => {
    expect(toOperation(toDraft({ ...priced, damages: [] })).surcharges).toBeUndefined();
    const untyped = { charges: [], surcharges: replaceDamagePrice(priced, "b2", { code: "DAMAGE", amount: "" }) };
    expect([priced, untyped].map((draft) => hasInvalidAmount({ charges: [], ...draft }))).toEqual([false, true]);
    expect(replaceDamagePrice(priced, "b2")).toEqual([priced.surcharges[0]]);
  });
});
