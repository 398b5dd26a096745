import "./page.ts";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { type DeviceChallenge, isDeviceAssertionValid } from "#app/offline/device-lock.ts";
import { findPin } from "#app/offline/pin.ts";
import { createSessionEncryptionKey } from "#app/offline/session-encryption.ts";
import {
  LOCK_AFTER_IDLE_MS,
  lockIfIdle,
  lockKind,
  recordActivity,
  removeAppLock,
  setPinLock,
  unlockWithPin,
} from "#app/state/app-lock.ts";
import { database, session, storeSession } from "#app/state/device-session.ts";
import { isAppLocked } from "#app/state/route.ts";

Object.defineProperty(globalThis, "fetch", { value: () => Promise.reject(new TypeError("no network")) });

const ana = { token: "t", username: "ana", full_name: "Ana", role: "operator", expired: false };

beforeEach(async () => {
  await createSessionEncryptionKey(database);
  await storeSession(ana);
  await removeAppLock();
  isAppLocked.value = false;
  localStorage.removeItem("checkin.used");
});

// Proves "check-in.md": L1
test("hides a phone's screen after a while without a touch until the PIN is typed", async () => {
  const now = Date.now();
  await setPinLock("4711");
  recordActivity(now + 2000);
  lockIfIdle(now + LOCK_AFTER_IDLE_MS - 1000);
  expect(isAppLocked.value).toBe(false);
  lockIfIdle(now + LOCK_AFTER_IDLE_MS + 3000);
  expect(isAppLocked.value).toBe(true);
  // A touch doesn't unlock the app.
  recordActivity(now + LOCK_AFTER_IDLE_MS + 4000);
  expect(isAppLocked.value).toBe(true);
  expect(await unlockWithPin("0000")).toBe("wrong");
  expect(await unlockWithPin("4711")).toBe("right");
  expect(isAppLocked.value).toBe(false);
});

// Proves "check-in.md": L2
test("never locks a phone without a PIN, and locks one whose clock was set back", async () => {
  const now = Date.now();
  recordActivity(now);
  lockIfIdle(now + 10 * LOCK_AFTER_IDLE_MS);
  expect(isAppLocked.value).toBe(false);
  await setPinLock("4711");
  lockIfIdle(now - 86_400_000);
  expect(isAppLocked.value).toBe(true);
});

// Proves "check-in.md": L3
test("ends the session and deletes its keys after five wrong PINs", async () => {
  await setPinLock("4711");
  isAppLocked.value = true;
  for (let tries = 1; tries < 5; tries++) expect(await unlockWithPin("1234")).toBe("wrong");
  expect(await unlockWithPin("1234")).toBe("over");
  expect([session.value, isAppLocked.value, lockKind.value]).toEqual([undefined, false, undefined]);
  expect(await database.use((db) => Promise.all([db.get("meta", "key"), db.get("meta", "ring")]))).toEqual([
    undefined,
    undefined,
  ]);
});

// Proves "check-in.md": L4
test("stores no readable PIN on the phone, and applies a PIN only to the user who chose it", async () => {
  await setPinLock("471147114711");
  const disk = JSON.stringify(await database.use((db) => db.getAll("meta")));
  expect(disk).not.toContain("471147114711");
  expect(await findPin(database, "ana")).toMatchObject({ author: "ana" });
  expect(await findPin(database, "jordi")).toBeUndefined();
});

describe("signature of the device lock", () => {
  const question: DeviceChallenge = {
    challenge: new Uint8Array(32).fill(7),
    origin: "https://acme.example",
    hostname: "acme.example",
  };
  const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
  const toBuffer = (data: Uint8Array) => new Uint8Array(data).buffer;
  const keys = (algorithm: number) =>
    algorithm === -7
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const createStoredDevice = (publicKey: KeyObject, algorithm: number) => ({
    ...{ author: "ana", id: new ArrayBuffer(8), algorithm },
    public_key: toBuffer(publicKey.export({ type: "spki", format: "der" })),
  });

  /** Creates an authenticator response. `flags` 5 means that the user was present and verified. */
  function answer(
    privateKey: KeyObject,
    { flags = 5, challenge = question.challenge, origin = question.origin, page = "" },
  ) {
    const clientData = { type: "webauthn.get", challenge: Buffer.from(challenge).toString("base64url"), origin };
    const client = Buffer.from(JSON.stringify(clientData));
    const authenticatorData = Buffer.concat([sha256(page || question.hostname), Buffer.from([flags, 0, 0, 0, 1])]);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(client)]), privateKey);
    return {
      authenticatorData: toBuffer(authenticatorData),
      clientDataJSON: toBuffer(client),
      signature: toBuffer(signature),
    };
  }

  test.each([-7, -257])("accepts every signature by the device lock's created key (%i)", async (algorithm) => {
    const { publicKey, privateKey } = keys(algorithm);
    // Signature integers have 31 to 33 bytes.
    for (let times = 0; times < 40; times++) {
      expect(
        await isDeviceAssertionValid(createStoredDevice(publicKey, algorithm), question, answer(privateKey, {})),
      ).toBe(true);
    }
  });

  // Proves "check-in.md": L6
  test.each([
    ["a person whom the device didn't recognize", { flags: 1 }],
    ["an earlier challenge", { challenge: new Uint8Array(32) }],
    ["another origin", { origin: "https://elsewhere.example" }],
    ["another website's key", { page: "elsewhere.example" }],
  ])("doesn't unlock the device by an answer for %s", async (_what, changes) => {
    const { publicKey, privateKey } = keys(-7);
    expect(await isDeviceAssertionValid(createStoredDevice(publicKey, -7), question, answer(privateKey, changes))).toBe(
      false,
    );
  });

  test("rejects a device-lock signature made with another key", async () => {
    const { publicKey } = keys(-7);
    expect(
      await isDeviceAssertionValid(createStoredDevice(publicKey, -7), question, answer(keys(-7).privateKey, {})),
    ).toBe(false);
  });
});
