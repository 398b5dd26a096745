import "./page.ts";
import { beforeEach, expect, test } from "vitest";
import { findPin } from "#app/offline/pin.ts";
import { newKey } from "#app/offline/seal.ts";
import { choosePin, dropPin, hasPin, IDLE_MS, isLocked, lockWhereIdle, touch, unlock } from "#app/state/lock.ts";
import { database, keepSession, session } from "#app/state/phone.ts";

Object.defineProperty(globalThis, "fetch", { value: () => Promise.reject(new TypeError("no network")) });

const ana = { token: "t", username: "ana", full_name: "Ana", role: "operator", expired: false };

beforeEach(async () => {
  await newKey(database);
  await keepSession(ana);
  await dropPin();
  isLocked.value = false;
  localStorage.removeItem("checkin.used");
});

test("a phone with a PIN shows nothing after a while without a touch, until the PIN is typed", async () => {
  const now = Date.now();
  await choosePin("4711");
  touch(now + 2000);
  lockWhereIdle(now + IDLE_MS - 1000);
  expect(isLocked.value).toBe(false);
  lockWhereIdle(now + IDLE_MS + 3000);
  expect(isLocked.value).toBe(true);
  // A touch does not open it.
  touch(now + IDLE_MS + 4000);
  expect(isLocked.value).toBe(true);
  expect(await unlock("0000")).toBe("wrong");
  expect(await unlock("4711")).toBe("right");
  expect(isLocked.value).toBe(false);
});

test("a phone without a PIN is never locked, and one whose clock went back is", async () => {
  const now = Date.now();
  touch(now);
  lockWhereIdle(now + 10 * IDLE_MS);
  expect(isLocked.value).toBe(false);
  await choosePin("4711");
  lockWhereIdle(now - 86_400_000);
  expect(isLocked.value).toBe(true);
});

test("after five wrong PINs the session is over, its keys with it", async () => {
  await choosePin("4711");
  isLocked.value = true;
  for (let tries = 1; tries < 5; tries++) expect(await unlock("1234")).toBe("wrong");
  expect(await unlock("1234")).toBe("over");
  expect([session.value, isLocked.value, hasPin.value]).toEqual([undefined, false, false]);
  expect(await database.use((db) => Promise.all([db.get("meta", "key"), db.get("meta", "ring")]))).toEqual([
    undefined,
    undefined,
  ]);
});

test("the PIN itself is nowhere on the phone, and is its author's alone", async () => {
  await choosePin("471147114711");
  const disk = JSON.stringify(await database.use((db) => db.getAll("meta")));
  expect(disk).not.toContain("471147114711");
  expect(await findPin(database, "jordi")).toBeUndefined();
});
