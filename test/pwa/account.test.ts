import "./page.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { replaceDeviceId } from "#app/offline/device.ts";
import { readDeviceState, saveDeviceState } from "#app/offline/stored-metadata.ts";
import { passkeyQuestion, showAndRefreshToday, signIn, signOut, switchUser } from "#app/state/account.ts";
import { shiftDate } from "#app/state/civil-time.ts";
import {
  bookingsOnDevice,
  findLoadedBooking,
  isDayLoading,
  loadBookingFromCache,
  prefetchShift,
  refreshShownDay,
  shownDate,
  shownDay,
} from "#app/state/day.ts";
import { reportPendingWork } from "#app/state/device-report.ts";
import {
  client,
  database,
  hasOfficeRole,
  isSecondFactorMissing,
  reloadStoredWork,
  restoreSession,
  sendDueItems,
  session,
  storeSession,
} from "#app/state/device-session.ts";
import {
  isOfficeListForbidden,
  isOfficeListReachable,
  loadOfficeOperations,
  officeOperationList,
  stopOfficeListRetries,
} from "#app/state/office-review.ts";
import {
  isServerReachable,
  otherUsersWorkCounts,
  replaceDrafts,
  visibleDrafts,
  visibleItems,
} from "#app/state/outbox.ts";
import { addPhotoToWork } from "#app/state/save-captures.ts";
import { selectedBranchCode, settings } from "#app/state/settings.ts";
import { cancelTransfer, trips } from "#app/state/transfers.ts";
import { finishWork, openWorkByKey, openWorkDraft, startWork } from "#app/state/work.ts";
import { createBooking, createTrip, createUnit, createVehicle } from "#support/check-in/day.ts";
import { type ReceivedRequest, startCheckInServer } from "#support/check-in/server.ts";
import { getTodayAtCompany } from "#support/company-today.ts";

// Controls how long compression takes.
let compressing: PromiseWithResolvers<void> | undefined;
vi.mock("#app/capture/compress.ts", () => ({
  PhotoTooLargeError: class extends Error {},
  PhotoUnreadableError: class extends Error {},
  compressPhoto: async (picture: Blob) => {
    await compressing?.promise;
    return { bytes: await picture.arrayBuffer(), type: "image/jpeg" };
  },
}));

const TODAY = getTodayAtCompany();
let server = startCheckInServer();
let isOffline = false;
/** Responses that the network delays. */
let heldRequests: { readonly isHeld: (path: string) => boolean; readonly until: Promise<void> } | undefined;

Object.defineProperty(globalThis, "fetch", {
  value: async (path: string, { method, headers, body }: RequestInit) => {
    if (isOffline) throw new TypeError("no network");
    const request = { method, path, headers, body } as unknown as ReceivedRequest;
    const answer = await server.handle(request);
    if (heldRequests?.isHeld(path)) await heldRequests.until;
    const headersByName = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      status: answer.status,
      headers: { get: (name: string) => headersByName.get(name.toLowerCase()) ?? null },
      text: async () => String(answer.body),
    };
  },
});

beforeEach(async () => {
  // Let work of the previous test end before there's a new server that it might reach.
  isOffline = true;
  session.value = undefined;
  await database.use(async (db) => {
    for (const store of ["ops", "drafts", "files", "contents", "cache", "meta"] as const) await db.clear(store);
  });
  await sendDueItems();
  isOffline = false;
  heldRequests = undefined;
  server = startCheckInServer();
  for (let id = 1; id <= 3; id++) {
    server.vehicles.set(`V000${id}`, createVehicle(id));
    server.bookings.set(id, createBooking(id, TODAY, { resources: [createUnit(id, { vehicle: createVehicle(id) })] }));
  }
  replaceDrafts([]);
  await reloadStoredWork();
  selectedBranchCode.value = "";
});

afterEach(() => {
  vi.restoreAllMocks();
});

const listCacheKeys = () => database.use((db) => db.getAllKeys("cache"));
const sentWork = () => server.requests.filter(({ path, method }) => method === "POST" && path.endsWith("operations"));

/** Records a delivery of the signed-in user offline. */
async function deliverOffline(id: number): Promise<void> {
  isOffline = true;
  const booking = server.bookings.get(id) ?? createBooking(id, TODAY);
  await openWorkByKey((await startWork(booking, booking.resources[0], "delivery")) ?? "");
  await finishWork();
}

describe("a server restored to an earlier state", () => {
  // Proves "check-in.md": 23d
  test("resends operations that a restored server no longer knows", async () => {
    await signIn("ana@acme.test", "right");
    const before = structuredClone(server.bookings.get(1));
    if (!before) throw new Error("no booking");
    await openWorkByKey((await startWork(before, before.resources[0], "delivery")) ?? "");
    await finishWork();
    await expect.poll(() => [...visibleItems.value.values()].map(({ state }) => state)).toEqual(["confirmed"]);
    server.bookings.set(1, before);
    server.vehicles.set("V0001", createVehicle(1));
    server.operations.clear();
    await refreshShownDay();
    await expect.poll(() => server.operations.size).toBe(1);
    await expect.poll(() => [...visibleItems.value.values()].map(({ state }) => state)).toEqual(["confirmed"]);
  });
});

describe("a phone started offline", () => {
  /** Restores the network. The device notices automatically. */
  async function findNetwork(): Promise<void> {
    isOffline = false;
    await sendDueItems(true);
  }

  // Proves "check-in.md": 12l
  test("shows the server as reachable and reloads all data once the device is online", async () => {
    await signIn("ana", "right");
    await expect.poll(() => server.requests.some(({ path }) => path.includes("booking-items-search"))).toBe(true);
    isOffline = true;
    await showAndRefreshToday();
    expect(isServerReachable.value).toBe(false);
    server.bookings.delete(3);
    const before = server.requests.length;
    await findNetwork();
    expect(isServerReachable.value).toBe(true);
    await expect.poll(() => shownDay.value?.data.deliveries.length).toBe(2);
    // The app also requests the data of other days, none of which could be loaded at the start.
    const wasRequested = (text: string) => server.requests.slice(before).some(({ path }) => path.includes(text));
    await expect.poll(() => wasRequested("booking-items-search")).toBe(true);
    expect(wasRequested(`date=${shiftDate(TODAY, 1)}`)).toBe(true);
  });
});

describe("a phone restored from an older backup", () => {
  // Proves "check-in.md": 13c
  test("gives a restored phone a new device ID if the server has higher operation numbers for the old ID", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    const copy = await readDeviceState(database, "device");
    await deliverOffline(2);
    isOffline = false;
    await sendDueItems(true);
    await expect.poll(() => sentWork().length).toBe(2);
    await saveDeviceState(database, "device", copy);
    await reportPendingWork();
    const deviceMeta = await readDeviceState(database, "device");
    expect(deviceMeta).toMatchObject({ last_seq: 0 });
    expect(deviceMeta?.device_id).not.toBe(copy?.device_id);
    expect(server.requests.at(-1)?.path).toContain(deviceMeta?.device_id);
    await deliverOffline(3);
    isOffline = false;
    await sendDueItems(true);
    await expect.poll(() => server.operations.size).toBe(3);
    const numbers = [...server.operations.values()].map(({ operation: { device_id, seq } }) => `${device_id} ${seq}`);
    expect(new Set(numbers).size).toBe(3);
  });

  test("keeps a phone's device ID if the phone numbered another operation in the meantime", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    const expectedReport = { device_id: (await readDeviceState(database, "device"))?.device_id ?? "", last_seq: 0 };
    expect(await replaceDeviceId(database, expectedReport, Date.now())).toBe(false);
    expect(await readDeviceState(database, "device")).toEqual({ ...expectedReport, last_seq: 1 });
  });
});

describe("a phone shared by several users", () => {
  // Proves "check-in.md": T29
  test("stores no response that arrives after the sign-out, and loads the day for the next user", async () => {
    await signIn("ana", "right");
    const slow = Promise.withResolvers<void>();
    heldRequests = { isHeld: (path) => path.includes("deliveries-collections"), until: slow.promise };
    const dayRenewal = refreshShownDay();
    await signOut();
    slow.resolve();
    await dayRenewal;
    expect(await listCacheKeys()).toEqual([]);
    heldRequests = undefined;
    await signIn("jordi", "right");
    expect(settings.value?.user.full_name).toBe("jordi");
    expect(selectedBranchCode.value).toBe("PMI");
    expect(shownDay.value?.data.deliveries).toHaveLength(3);
  });

  test.each([
    ["is answered afterwards", "transfer-trips"],
    ["arrives before, and the day's list afterwards", "deliveries-collections"],
  ])("shows a transfer as cancelled even if a list requested before the cancellation %s", async (_when, late) => {
    server.trips.push(createTrip(71, TODAY));
    await signIn("manager@acme.test", "right");
    const trip = trips.value?.data.data[0];
    if (!trip) throw new Error("no trip");
    const slow = Promise.withResolvers<void>();
    // The delayed list was requested before the cancellation.
    heldRequests = { isHeld: (path) => path.includes(late), until: slow.promise };
    const requestCount = server.requests.length;
    const dayRenewal = refreshShownDay();
    const wasRequested = (list: string) => server.requests.slice(requestCount).some(({ path }) => path.includes(list));
    await expect.poll(() => wasRequested("transfer-trips") && wasRequested("deliveries-collections")).toBe(true);
    expect(await cancelTransfer(trip, "The road is closed")).toBe("ok");
    slow.resolve();
    await dayRenewal;
    expect(trips.value?.data.data.map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test("shows a transfer as cancelled even if a list loaded before is decrypted after the cancellation", async () => {
    server.trips.push(createTrip(71, TODAY));
    await signIn("manager@acme.test", "right");
    const trip = trips.value?.data.data[0];
    if (!trip) throw new Error("no trip");
    const slow = Promise.withResolvers<void>();
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    const opened = vi.spyOn(crypto.subtle, "decrypt").mockImplementation(async (...sealed) => {
      await slow.promise;
      return decrypt(...sealed);
    });
    const dayRenewal = refreshShownDay();
    // Wait until the app decrypts the day and its transfers, both from before the cancellation.
    await expect.poll(() => opened.mock.calls.length).toBeGreaterThan(1);
    expect(await cancelTransfer(trip, "The road is closed")).toBe("ok");
    slow.resolve();
    await dayRenewal;
    opened.mockRestore();
    expect(trips.value?.data.data.map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test("reports full storage at sign-in, and signs in once there is space", async () => {
    const putSpy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(await signIn("ana", "right")).toBe("no_room");
    expect(session.value).toBeUndefined();
    putSpy.mockRestore();
    expect(await signIn("ana", "right")).toBe("ok");
    expect(await readDeviceState(database, "session")).toMatchObject({ username: "ana" });
  });

  // Proves "check-in.md": 12e
  test("sends queued operations with full storage by replacing cached lists", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    isOffline = false;
    const write = IDBObjectStore.prototype.put;
    const putSpy = vi.spyOn(IDBObjectStore.prototype, "put");
    const full = (names: readonly string[]) =>
      function (this: IDBObjectStore, ...writeArguments: Parameters<typeof write>) {
        if (names.includes(this.name)) throw new DOMException("full", "QuotaExceededError");
        return Reflect.apply(write, this, writeArguments);
      };
    putSpy.mockImplementation(full(["meta", "ops"]));
    await sendDueItems(true);
    expect(sentWork()).toEqual([]);
    putSpy.mockImplementation(full(["meta"]));
    await sendDueItems(true);
    putSpy.mockRestore();
    expect(sentWork()).toHaveLength(1);
    await vi.waitFor(() => expect([...visibleItems.value.values()].map(({ state }) => state)).toEqual(["confirmed"]));
  });

  test("shows server data although the storage is full, and stores the data once there is space", async () => {
    await signIn("ana", "right");
    // The sign-in also loads the shift's other days, which may take longer.
    await prefetchShift();
    const before = await listCacheKeys();
    const putSpy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    server.bookings.delete(3);
    await refreshShownDay();
    expect([shownDay.value?.data.deliveries.length, isDayLoading.value]).toEqual([2, false]);
    // An unchanged response must be stored as well.
    await refreshShownDay();
    await prefetchShift();
    expect([shownDay.value?.data.deliveries.length, isDayLoading.value]).toEqual([2, false]);
    putSpy.mockRestore();
    expect(await listCacheKeys()).toEqual(before);
    await refreshShownDay();
    isOffline = true;
    await showAndRefreshToday();
    expect(shownDay.value?.data.deliveries).toHaveLength(2);
  });

  // Proves "check-in.md": N2
  test("shows a colleague nothing of the previous user's day, also not by URL", async () => {
    await signIn("ana", "right");
    expect(findLoadedBooking(1)).toBeDefined();
    await switchUser();
    expect([shownDate.value, shownDay.value, bookingsOnDevice.value.size, openWorkDraft.value]).toEqual([
      "",
      undefined,
      0,
      undefined,
    ]);
    await loadBookingFromCache(1);
    expect(findLoadedBooking(1)).toBeUndefined();
    expect(await listCacheKeys()).toEqual([]);
  });

  test("shows a colleague that operations are queued and by which user, but not the customer", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    const booking = server.bookings.get(2) ?? createBooking(2, TODAY);
    const startedKey = (await startWork(booking, booking.resources[0], "delivery")) ?? "";
    isOffline = false;
    await switchUser();
    await signIn("jordi", "right");
    expect([visibleItems.value.size, visibleDrafts.value.size]).toEqual([0, 0]);
    expect([...otherUsersWorkCounts.value]).toEqual([["ana", 2]]);
    expect(await openWorkByKey(startedKey)).toBe("locked");
    expect(openWorkDraft.value).toBeUndefined();
    await sendDueItems(true);
    expect(sentWork()).toEqual([]);
    await switchUser();
    await signIn("ana", "right");
    await sendDueItems(true);
    expect(sentWork()).toHaveLength(1);
    expect(await openWorkByKey(startedKey)).toBe("open");
  });

  test("saves a photo that is still being shrunk when the user is switched", async () => {
    await signIn("ana", "right");
    const booking = server.bookings.get(2) ?? createBooking(2, TODAY);
    const key = (await startWork(booking, booking.resources[0], "delivery")) ?? "";
    await openWorkByKey(key);
    compressing = Promise.withResolvers();
    const taking = addPhotoToWork(new Blob(["front"]), "front");
    const switching = switchUser();
    await expect.poll(() => readDeviceState(database, "session")).toBeUndefined();
    compressing.resolve();
    await switching;
    expect(await taking).toBe("kept");
    await signIn("ana", "right");
    await openWorkByKey(key);
    expect(openWorkDraft.value?.photos).toHaveLength(1);
  });

  test("keeps a colleague's queued operations at sign-out", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    isOffline = false;
    await switchUser();
    await signIn("jordi", "right");
    await signOut();
    await signIn("ana", "right");
    expect(visibleItems.value.size).toBe(1);
  });

  test("clears the previous user's data if another user signs in after the session ended", async () => {
    await signIn("ana", "right");
    server.expireTokens();
    await refreshShownDay();
    server.bookings.clear();
    await signIn("jordi", "right");
    expect(findLoadedBooking(1)).toBeUndefined();
  });
});

test("deletes received operations after 48 hours although the app isn't restarted", async () => {
  await signIn("ana", "right");
  await deliverOffline(1);
  isOffline = false;
  await sendDueItems(true);
  await expect.poll(() => [...visibleItems.value.values()].map(({ state }) => state)).toEqual(["confirmed"]);
  const now = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => now + 49 * 3_600_000);
  await sendDueItems();
  expect(visibleItems.value.size).toBe(0);
});

describe("data on the device's disk", () => {
  const onDisk = async () => {
    const all = await database.use((db) => Promise.all([db.getAll("cache"), db.getAll("meta")]));
    // Reads bytes too, like an attacker with the device's storage.
    return JSON.stringify(all, (_, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? Buffer.from(value as ArrayBuffer).toString("latin1")
        : value,
    );
  };

  // Proves "check-in.md": T28
  test("stores no readable name, document, licence or token on the device's disk", async () => {
    await signIn("ana", "right");
    expect((await listCacheKeys()).length).toBeGreaterThan(2);
    const disk = await onDisk();
    for (const secret of ["Karin Vogel", "12345678Z", "B-9921", "token-1", "600 000 000"])
      expect(disk).not.toContain(secret);
    const key = await database.use((db) => db.get("meta", "key"));
    expect((key as CryptoKey).extractable).toBe(false);
  });

  test("restores the app's data at startup, and deletes it when the session ends", async () => {
    await signIn("ana", "right");
    await storeSession(session.peek());
    isOffline = true;
    session.value = undefined;
    await restoreSession();
    expect(session.value).toMatchObject({ username: "ana", token: expect.stringMatching(/^token-/) });
    await showAndRefreshToday();
    expect(shownDay.value?.data.deliveries).toHaveLength(3);
    await switchUser();
    await restoreSession();
    expect([session.value, await listCacheKeys()]).toEqual([undefined, []]);
  });

  test("deletes the stored day when the server rejects the session", async () => {
    await signIn("ana", "right");
    server.expireTokens();
    await refreshShownDay();
    await expect.poll(listCacheKeys).toEqual([]);
    expect(session.value?.expired).toBe(true);
  });
});

test("shows at sign-in that the company requires a second factor", async () => {
  const body = '{"error":"The company asks for a second factor","code":"second_factor_missing"}';
  await signIn("ana", "right");
  server.setFault(() => ({ status: 403, body }));
  await refreshShownDay();
  expect([session.value?.expired, isSecondFactorMissing.value]).toEqual([true, true]);
  server.setFault(() => undefined);
  await signIn("ana", "right");
  expect([session.value?.expired, isSecondFactorMissing.value]).toEqual([false, false]);
});

test("determines the connection only by the server's own responses, not by a captive portal", async () => {
  await signIn("ana", "right");
  // The day is stored, so the server now returns 304.
  await refreshShownDay();
  expect(isServerReachable.value).toBe(true);
  server.setFault(() => "captive_portal");
  await refreshShownDay();
  expect(isServerReachable.value).toBe(false);
  server.setFault(() => undefined);
  await refreshShownDay();
  expect(isServerReachable.value).toBe(true);
});

test("ignores the late failure of an earlier request for the connection status", async () => {
  await signIn("ana", "right");
  let releaseRequest = () => {};
  heldRequests = {
    isHeld: (path) => path.includes("/late"),
    until: new Promise((resolve) => (releaseRequest = resolve)),
  };
  server.setFault(() => "captive_portal");
  const late = client.call("GET", "/late");
  server.setFault(() => undefined);
  await refreshShownDay();
  releaseRequest();
  expect((await late).kind).toBe("unreachable");
  expect(isServerReachable.value).toBe(true);
});

// Proves "check-in.md": W1
test("loads the first page of conflicting check-in operations for a manager", async () => {
  await signIn("manager@acme.test", "right");
  server.bookings.set(
    9,
    createBooking(9, TODAY, { status: "cancelled", resources: [createUnit(9, { vehicle: createVehicle(9) })] }),
  );
  await deliverOffline(9);
  isOffline = false;
  await sendDueItems(true);
  await loadOfficeOperations("conflict");
  expect(officeOperationList.value?.data.map(({ booking_id }) => booking_id)).toEqual([9]);
});

// Proves "check-in.md": W12h
test("reloads the managers' list of check-in operations automatically once the server is reachable", async () => {
  await signIn("manager@acme.test", "right");
  isOffline = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await loadOfficeOperations("conflict");
    expect(isOfficeListReachable.value).toBe(false);
    isOffline = false;
    await vi.advanceTimersByTimeAsync(10_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(() => isOfficeListReachable.value).toBe(true);
});

test("reports that the user is no longer a manager instead of a network error, and clears the list of operations", async () => {
  await signIn("manager@acme.test", "right");
  await loadOfficeOperations("all");
  expect([officeOperationList.value?.data, hasOfficeRole.value]).toEqual([[], true]);
  const user = server.users.get("manager@acme.test");
  if (user) user.role = "operator";
  await loadOfficeOperations("all");
  expect([isOfficeListForbidden.value, isOfficeListReachable.value, officeOperationList.value]).toEqual([
    true,
    true,
    undefined,
  ]);
  expect([hasOfficeRole.value, session.value?.role]).toEqual([false, "operator"]);
  expect(await readDeviceState(database, "session")).toMatchObject({ role: "operator" });
  stopOfficeListRetries();
  expect(isOfficeListForbidden.value).toBe(false);
  if (user) user.role = "manager";
  await showAndRefreshToday();
  await expect.poll(() => hasOfficeRole.value).toBe(true);
});

test("requests the second-factor code only after the right password, and signs the user in with it", async () => {
  expect(await signIn("guarded", "wrong")).toBe("wrong");
  expect(await signIn("guarded", "right")).toBe("code_required");
  expect(await signIn("guarded", "right", { code: "000000" })).toBe("code_wrong");
  expect(await signIn("guarded", "right", { code: " 123456 " })).toBe("ok");
  expect(settings.value?.user.full_name).toBe("guarded");
});

test("requests a passkey after the password, and signs the user in with the passkey's signature", async () => {
  const response = { clientDataJSON: "e30", authenticatorData: "YQ", signature: "cw" };
  expect(await signIn("guarded", "right")).toBe("code_required");
  expect(passkeyQuestion.value).toMatchObject({ ids: ["a2V5"] });
  expect(await signIn("guarded", "right", { passkey: { id: "a2V5", response } })).toBe("ok");
  expect(passkeyQuestion.value).toBeUndefined();
});
