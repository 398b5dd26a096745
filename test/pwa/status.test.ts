import "./page.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/offline/db.ts";
import { readStorageSpace } from "#app/offline/storage.ts";
import { getSyncStatus, type SyncState } from "#app/state/sync-status.ts";
import { hasEnoughInk } from "#shared/signature-ink.ts";

const QUIET: SyncState = {
  ...{ isOnline: true, isReached: true, isExpired: false, receivedAt: undefined },
  ...{ waiting: 0, sending: 0, blocked: 0, confirmed: 0 },
};
const getStatusKeys = (now: Partial<SyncState>) => getSyncStatus({ ...QUIET, ...now }).texts.map(([key]) => key);

describe("sync status", () => {
  // Proves "check-in.md": T27
  test("shows a check mark only if the server was just reached and nothing is unsent", () => {
    expect(getSyncStatus(QUIET).icon).toBe("check");
    for (const now of [
      { isReached: false },
      { isReached: undefined },
      { isOnline: false },
      { waiting: 1 },
      { blocked: 1 },
    ]) {
      expect(getSyncStatus({ ...QUIET, ...now }).icon, JSON.stringify(now)).not.toBe("check");
    }
  });

  test("shows the server as unreachable on Wi-Fi without internet, even with nothing to send", () => {
    expect(getStatusKeys({ isReached: false })).toEqual(["statusUnreachable"]);
    expect(getStatusKeys({ isReached: false, waiting: 2 })).toEqual(["statusUnreachable", "statusWaiting"]);
  });

  // Proves "check-in.md": 7c
  test("shows the number of stored operations in an expired session, and no number without any", () => {
    expect(getSyncStatus({ ...QUIET, isExpired: true, waiting: 1, blocked: 1 }).texts).toEqual([
      ["statusSignIn", { n: 2 }],
    ]);
    expect(getStatusKeys({ isExpired: true })).toEqual(["statusEnded"]);
  });

  test("shows which photo of how many is uploaded while an operation is being sent", () => {
    const status = getSyncStatus({ ...QUIET, sending: 1, photo: { number: 7, total: 21 } });
    expect(status.texts).toContainEqual(["photoOf", { n: 7, of: 21 }]);
    expect(getStatusKeys({ waiting: 1, photo: { number: 7, total: 21 } })).toEqual(["statusWaiting"]);
  });

  test("shows operations that need attention in addition to any other status", () => {
    expect(getStatusKeys({ sending: 1, blocked: 2 })).toEqual(["statusSending", "statusBlocked"]);
    expect(getStatusKeys({ isOnline: false, blocked: 2 })).toEqual(["statusOffline", "statusBlocked"]);
  });
});

describe("free space on the phone", () => {
  afterEach(() => vi.restoreAllMocks());

  // Proves "check-in.md": 12b
  test("measures free space by what the disk accepts, not by the browser's estimate", async () => {
    const database = openDatabase("room");
    const storage = { estimate: async () => ({ quota: 10 ** 10, usage: 0 }), persisted: async () => true };
    vi.spyOn(globalThis, "navigator", "get").mockReturnValue({ ...navigator, storage } as unknown as Navigator);
    expect((await readStorageSpace(database)).state).toBe("enough");
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect((await readStorageSpace(database)).state).toBe("full");
    vi.restoreAllMocks();
    expect(await database.use((db) => db.count("contents"))).toBe(0);
  });
});

describe("a signature", () => {
  const line = (length: number, points = 20) => ({
    points: Array.from({ length: points }, (_, index) => ({ x: (length / points) * index, y: 10 + (index % 2) * 4 })),
  });

  // Proves "check-in.md": W11b
  test("rejects a signature of only a dot or an accidental stroke", () => {
    expect(hasEnoughInk([line(200)])).toBe(true);
    expect(hasEnoughInk([{ points: [{ x: 40, y: 40 }] }])).toBe(false);
    expect(hasEnoughInk([line(20)])).toBe(false);
    expect(hasEnoughInk([])).toBe(false);
    expect(hasEnoughInk(undefined)).toBe(false);
  });

  test("accepts a signature of a few letters in several strokes", () => {
    expect(hasEnoughInk([line(60), line(60)])).toBe(true);
  });
});
