import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { saveDraftWithPicture } from "#app/offline/drafts.ts";
import { exportUnsentWork } from "#app/offline/export-file.ts";
import type { OutboxItem } from "#app/offline/items.ts";
import { showAndRefreshToday, signIn, signOut, switchUser } from "#app/state/account.ts";
import { refreshShownDay, shownDay } from "#app/state/day.ts";
import {
  database,
  reloadStoredWork,
  restoreSession,
  sendAuthorsWork,
  sendDueItems,
  session,
} from "#app/state/device-session.ts";
import {
  approvedAuthors,
  otherUsersWorkCounts,
  ownLockedWork,
  replaceDrafts,
  undecidedWorkCounts,
  unsentItemCount,
  visibleDrafts,
  visibleItems,
} from "#app/state/outbox.ts";
import { selectedBranchCode } from "#app/state/settings.ts";
import {
  changeOpenWork,
  discardWork,
  finishWork,
  getOpenDraft,
  openWorkByKey,
  openWorkDraft,
  startWork,
} from "#app/state/work.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { type ReceivedRequest, startCheckInServer } from "#support/check-in/server.ts";
import { getTodayAtCompany } from "#support/company-today.ts";

const TODAY = getTodayAtCompany();
let server = startCheckInServer();
let isOffline = false;

Object.defineProperty(globalThis, "fetch", {
  value: async (path: string, { method, headers, body }: RequestInit) => {
    if (isOffline) throw new TypeError("no network");
    const answer = await server.handle({ method, path, headers, body } as unknown as ReceivedRequest);
    const headersByName = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      status: answer.status,
      headers: { get: (name: string) => headersByName.get(name.toLowerCase()) ?? null },
      text: async () => String(answer.body),
    };
  },
});

/** Simulated XMLHttpRequest for uploads. */
class Upload {
  status = 0;
  responseText = "";
  readonly upload = {};
  onload = () => {};
  onerror = () => {};
  private readonly headers: Record<string, string> = {};
  private sent = { method: "", path: "" };
  open(method: string, path: string): void {
    this.sent = { method, path };
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader = () => null;
  async send(body: ArrayBuffer): Promise<void> {
    if (isOffline) return this.onerror();
    const answer = await server.handle({ ...this.sent, headers: this.headers, body }).catch(() => undefined);
    if (!answer) return this.onerror();
    this.status = answer.status;
    this.responseText = String(answer.body);
    this.onload();
  }
}
Object.defineProperty(globalThis, "XMLHttpRequest", { value: Upload });

const STORES = ["ops", "drafts", "files", "contents", "cache", "meta"] as const;

beforeEach(async () => {
  isOffline = false;
  server = startCheckInServer();
  for (let id = 1; id <= 3; id++) {
    server.vehicles.set(`V000${id}`, createVehicle(id));
    server.bookings.set(id, createBooking(id, TODAY, { resources: [createUnit(id, { vehicle: createVehicle(id) })] }));
  }
  await database.use(async (db) => {
    for (const store of STORES) await db.clear(store);
  });
  database.ring = undefined;
  session.value = undefined;
  replaceDrafts([]);
  await reloadStoredWork();
  selectedBranchCode.value = "";
});

const NOTE = "She signs at the kerb";
const PICTURE = "what the camera saw";
const FACE = new TextEncoder().encode(PICTURE).slice().buffer;

/** Starts a hand-over with a note and a photo. */
async function begin(id: number): Promise<string> {
  const booking = server.bookings.get(id) ?? createBooking(id, TODAY);
  const key = (await startWork(booking, booking.resources[0], "delivery")) ?? "";
  await openWorkByKey(key);
  await changeOpenWork({ notes: NOTE });
  const savedDraft = await saveDraftWithPicture(database, { bytes: FACE, type: "image/jpeg" }, (hash) => ({
    ...getOpenDraft(),
    photos: [{ hash, view: "front", taken_at: "2027-05-03T10:00:00.000Z" }],
  }));
  await changeOpenWork({ photos: savedDraft.photos });
  return key;
}

async function deliverOffline(id: number): Promise<OutboxItem> {
  isOffline = true;
  await begin(id);
  const item = await finishWork();
  // The sender has tried and is idle.
  await sendDueItems();
  isOffline = false;
  return item;
}

/** Reads everything on disk, like an attacker with the device's storage. */
async function onDisk(): Promise<string> {
  const all = await database.use((db) => Promise.all(STORES.map((store) => db.getAll(store))));
  return JSON.stringify(all, (_, value: unknown) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value)
      ? Buffer.from(value as ArrayBuffer).toString("latin1")
      : value,
  );
}

const NAMES = [1, 2].map((id) => createBooking(id, TODAY).customer.full_name);
const SECRETS = [...NAMES, NOTE, PICTURE, createVehicle(1).stock_plate ?? "", "12345678Z"];

async function expectEncrypted(): Promise<void> {
  const disk = await onDisk();
  for (const secret of SECRETS) expect(disk).not.toContain(secret);
}

const listStoredKeys = () => database.use((db) => Promise.all([db.get("meta", "key"), db.get("meta", "ring")]));

/** Restarts the app after the system ended it. */
async function restart(): Promise<void> {
  await expect.poll(async () => (await database.use((db) => db.get("meta", "session"))) !== undefined).toBe(true);
  database.ring = undefined;
  session.value = undefined;
  openWorkDraft.value = undefined;
  await restoreSession();
}

const listSentOperations = () => [...server.operations.values()].map(({ operation }) => operation);

describe("queued work", () => {
  // Proves "check-in.md": R1
  // Proves "security.md": A47
  test("stores queued operations without readable customer data", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    await begin(2);
    await expectEncrypted();
    const { keys } = database.ring ?? {};
    expect([...(keys ?? [])].map(([, key]) => key.extractable)).toEqual([false]);
  });

  // Proves "check-in.md": R2
  test("decrypts queued operations for their author after a colleague used the device", async () => {
    await signIn("ana", "right");
    const { operation } = await deliverOffline(1);
    const key = await begin(2);
    await switchUser();
    // Other users see that work is pending, but no details.
    expect([unsentItemCount.value, [...otherUsersWorkCounts.value.values()]]).toEqual([0, [2]]);
    expect(await listStoredKeys()).toEqual([undefined, undefined]);
    await expectEncrypted();
    await signIn("jordi", "right");
    expect([visibleItems.value.size, visibleDrafts.value.size, [...otherUsersWorkCounts.value]]).toEqual([
      0,
      0,
      [["ana", 2]],
    ]);
    await sendDueItems(true);
    expect(listSentOperations()).toEqual([]);
    await switchUser();
    await signIn("ana", "right");
    await sendDueItems(true);
    expect(listSentOperations()).toEqual([operation]);
    expect([...server.files.values()].map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([PICTURE]);
    expect(await openWorkByKey(key)).toBe("open");
    expect(openWorkDraft.value?.notes).toBe(NOTE);
  });

  // Proves "check-in.md": R3
  test("keeps queued operations if the app is killed offline, while the session lasts", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    isOffline = true;
    await restart();
    expect([...visibleItems.value.values()].map(({ label }) => label)).toEqual([NAMES[0]]);
  });

  // Proves "check-in.md": R4
  test("keeps the count of queued operations when the session ends on the server, and decrypts them at the next sign-in", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    const key = await begin(2);
    server.expireTokens();
    await refreshShownDay();
    await expect.poll(listStoredKeys).toEqual([undefined, undefined]);
    // Open work can still be finished.
    await changeOpenWork({ kilometres: "4711" });
    expect(openWorkDraft.value?.key).toBe(key);
    isOffline = true;
    await restart();
    await expectEncrypted();
    expect([
      visibleItems.value.size,
      visibleDrafts.value.size,
      unsentItemCount.value,
      ownLockedWork.value.length,
    ]).toEqual([0, 0, 1, 2]);
    isOffline = false;
    await signIn("ana", "right");
    await sendDueItems(true);
    expect(listSentOperations()).toHaveLength(1);
    expect(visibleDrafts.value.get(key)?.kilometres).toBe("4711");
    expect(ownLockedWork.value).toEqual([]);
  });

  // Proves "check-in.md": R5
  test("assigns queued operations to their author under every sign-in name", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    await switchUser();
    await signIn("ana@acme.test", "right");
    expect(visibleItems.value.size).toBe(1);
    await sendDueItems(true);
    expect(listSentOperations().map(({ author }) => author)).toEqual(["ana"]);
  });

  // Proves "check-in.md": R6
  test("deletes an author's queued operations at sign-out under another sign-in name", async () => {
    server.setFault(({ path }) => (path.endsWith("check-in-operations") ? { status: 503 } : undefined));
    for (const [index, name] of ["jordi", "ana"].entries()) {
      await signIn(name, "right");
      await deliverOffline(index + 1);
      await switchUser();
    }
    await signIn("ana@acme.test", "right");
    await signOut();
    expect((await database.use((db) => db.getAll("ops"))).map(({ author }) => author)).toEqual(["jordi"]);
  });

  // Proves "check-in.md": 7f
  // Proves "check-in.md": R7
  test("lets the office decrypt operations, and sends them in their author's name only if the office chooses to", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    await switchUser();
    await signIn("manager", "right");
    expect(visibleItems.value.size).toBe(1);
    await sendDueItems(true);
    expect(listSentOperations()).toEqual([]);
    expect([...undecidedWorkCounts.value]).toEqual([["ana", 1]]);
    await sendAuthorsWork(["ana"]);
    expect(listSentOperations().map(({ author }) => author)).toEqual(["ana"]);
    expect(undecidedWorkCounts.value.size).toBe(0);
    // The next user is asked again.
    await switchUser();
    expect(approvedAuthors.value.size).toBe(0);
  });

  // Proves "check-in.md": R8
  test("shows queued operations as soon as their key arrives, if the sign-in response with it was lost", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    await switchUser();
    server.setFault(({ path }) => (path.endsWith("/check-in-seals") ? "drop_answer" : undefined));
    await signIn("ana", "right");
    expect([visibleItems.value.size, ownLockedWork.value.length]).toEqual([0, 1]);
    server.setFault(() => undefined);
    await sendDueItems();
    await expect.poll(() => ownLockedWork.value.length).toBe(0);
    await sendDueItems(true);
    expect(listSentOperations()).toHaveLength(1);
  });

  // Proves "check-in.md": R9
  test("stores queued operations unencrypted without a server key, and encrypts them once there is one", async () => {
    server.setFault(({ path }) => (path.endsWith("/check-in-seals") ? { status: 404 } : undefined));
    await signIn("ana", "right");
    const { operation } = await deliverOffline(1);
    await begin(2);
    expect(await onDisk()).toContain(NOTE);
    server.setFault(() => undefined);
    isOffline = true;
    await restart();
    isOffline = false;
    await signIn("ana", "right");
    await expectEncrypted();
    await sendDueItems(true);
    expect(listSentOperations()).toEqual([operation]);
    expect(visibleDrafts.value.size).toBe(1);
  });

  test("reports a stored operation as locked for a colleague and without a session, and as gone once discarded", async () => {
    await signIn("ana", "right");
    const key = await begin(1);
    await switchUser();
    expect(await openWorkByKey(key)).toBe("locked");
    await signIn("jordi", "right");
    expect(await openWorkByKey(key)).toBe("locked");
    await switchUser();
    await signIn("ana", "right");
    expect(await openWorkByKey(key)).toBe("open");
    await discardWork();
    expect(await openWorkByKey(key)).toBe("gone");
  });

  // Proves "check-in.md": R10
  test("keeps the operations of two users with the same vehicle separate", async () => {
    await signIn("ana", "right");
    const hers = await begin(1);
    await switchUser();
    await signIn("jordi", "right");
    const his = await begin(1);
    expect(his).not.toBe(hers);
    await changeOpenWork({ kilometres: "99" });
    await switchUser();
    await signIn("ana", "right");
    expect(await openWorkByKey(hers)).toBe("open");
    expect([openWorkDraft.value?.author, openWorkDraft.value?.kilometres, visibleDrafts.value.size]).toEqual([
      "ana",
      "",
      1,
    ]);
  });

  test("decrypts identical photos of two users separately for each author", async () => {
    await signIn("ana", "right");
    await deliverOffline(1);
    await switchUser();
    await signIn("jordi", "right");
    await deliverOffline(1);
    await switchUser();
    for (const author of ["ana", "jordi"]) {
      await signIn(author, "right");
      expect((await exportUnsentWork(database)).size).toBeGreaterThan(PICTURE.length);
      await sendDueItems(true);
      await switchUser();
    }
    expect(
      listSentOperations()
        .map(({ author }) => author)
        .toSorted(),
    ).toEqual(["ana", "jordi"]);
    expect(server.files.size).toBe(1);
  });
});

test("shows the stored day after the app starts offline", async () => {
  await signIn("ana", "right");
  isOffline = true;
  await restart();
  await showAndRefreshToday();
  expect(session.value?.username).toBe("ana");
  expect(shownDay.value?.data.deliveries.map(({ booking_id }) => booking_id)).toEqual([1, 2, 3]);
});
