import "./page.ts";
import { afterEach, expect, test, vi } from "vitest";
import { foundEverywhere, searchEverywhere } from "#app/state/everywhere.ts";
import { makeMove, moveTo, quoteMove } from "#app/state/moves.ts";
import { keepSession } from "#app/state/phone.ts";
import { aBooking } from "#support/check-in/day.ts";

const TODAY = "2027-05-03";
const booking = aBooking(1, TODAY, { date_to: "2027-05-06", version: 4 });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

let asked: Asked[] = [];
let answer: unknown = {};
let isOffline = false;

Object.defineProperty(globalThis, "fetch", {
  value: async (path: string, { method = "", headers, body }: RequestInit) => {
    const { "Idempotency-Key": key } = headers as Record<string, string>;
    asked.push({ method, path, key, body: body === undefined ? undefined : JSON.parse(String(body)) });
    if (isOffline) throw new TypeError("no network");
    return { status: 200, headers: { get: () => null }, text: async () => JSON.stringify(answer) };
  },
});

afterEach(() => {
  asked = [];
  isOffline = false;
  vi.useRealTimers();
});

test("a later return is an extension, an earlier one an early return", () => {
  expect(moveTo(booking, { date_to: "2027-05-07", time_to: "20:00" })).toBe("extend");
  expect(moveTo(booking, { date_to: "2027-05-06", time_to: "20:30" })).toBe("extend");
  expect(moveTo(booking, { date_to: "2027-05-05", time_to: "20:00" })).toBe("early-return");
});

test("what a move costs is asked before it is done, once only and of the version that was seen", async () => {
  answer = { allowed: true, reasons: [], difference: "35.00", fee: "0.00", to_refund: "0.00" };
  const to = { date_to: "2027-05-07", time_to: "20:00" };
  expect(await quoteMove(booking, "extend", to)).toMatchObject({ kind: "ok", value: { difference: "35.00" } });
  await makeMove(booking, "extend", to);
  expect(asked.slice(0, 2)).toMatchObject([
    { path: "/api/v1/office/reservations/1/quote", body: { move: "extend", ...to } },
    {
      path: "/api/v1/office/reservations/1/extend",
      key: expect.stringMatching(/^".{36}"$/),
      body: { expected_version: 4, ...to },
    },
  ]);
});

test("without a network a move is not done, and said so", async () => {
  isOffline = true;
  expect(await quoteMove(booking, "no-show", undefined)).toEqual({ kind: "unreachable", message: "" });
});

test("the company is searched once the person has stopped typing, and not for a letter or two", async () => {
  await keepSession({ token: "t", username: "ana", full_name: "Ana", role: "operator", expired: false });
  vi.useFakeTimers();
  answer = { data: [{ id: 77, customer_fullname: "Karin Vogel" }] };
  for (const text of ["k", "ka", "kar", "kari"]) searchEverywhere(text);
  await vi.advanceTimersByTimeAsync(1000);
  const searches = asked.filter(({ path }) => path.includes("/office/reservations?"));
  expect(searches.map(({ path }) => path)).toEqual(["/api/v1/office/reservations?q=kari&kind=rental&page_size=20"]);
  expect(foundEverywhere.value?.map(({ id }) => id)).toEqual([77]);
  searchEverywhere("ka");
  expect(foundEverywhere.value).toBeUndefined();
});
