import "fake-indexeddb/auto";
import { openDB } from "idb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/offline/db.ts";
import { deleteOldConfirmedWork } from "#app/offline/delete-work.ts";
import { deleteDraft, saveDraft, saveDraftWithPicture } from "#app/offline/drafts.ts";
import { exportUnsentWork } from "#app/offline/export-file.ts";
import type { OutboxItem, WorkDraft } from "#app/offline/items.ts";
import { decryptStoredWork, readStoredWork } from "#app/offline/locked-work.ts";
import {
  closeBlockedItem,
  listItemFiles,
  listOutboxItems,
  requeueRejectedWork,
  requeueWorkLostByServer,
  retryItems,
} from "#app/offline/outbox.ts";
import { createSingleTabRunner } from "#app/offline/single-tab.ts";
import { createBooking, createVehicle } from "#support/check-in/day.ts";
import { type ReceivedRequest, startCheckInServer } from "#support/check-in/server.ts";
import { createDraft, deliver, finish, type Phone, photograph, startPhone } from "./phone.ts";

const HOUR = 3_600_000;
let phones = 0;
let now = Date.parse("2027-05-03T10:00:00Z");
let server = startCheckInServer(() => now);

beforeEach(() => {
  now = Date.parse("2027-05-03T10:00:00Z");
  server = startCheckInServer(() => now);
  for (let id = 1; id <= 12; id++) {
    server.bookings.set(id, createBooking(id, "2027-05-03"));
    const vehicle = createVehicle(id);
    server.vehicles.set(vehicle.reference, vehicle);
  }
});

async function startSignedInPhone(name = `phone-${++phones}`, clock: () => number = () => now): Promise<Phone> {
  const phone = await startPhone({ name, transport: server.transport, now: clock });
  await phone.signIn("ana");
  return phone;
}

const isWork = ({ path }: ReceivedRequest) => path.endsWith("/check-in-operations");
const isFile = ({ path }: ReceivedRequest) => path.includes("/check-in-files/");
const listStates = async (phone: Phone) =>
  (await phone.kept()).toSorted((a, b) => a.seq - b.seq).map(({ state }) => state);

async function drain(phone: Phone): Promise<void> {
  await phone.sync.run();
  for (let round = 0; round < 30 && phone.sync.nextAt() !== undefined; round++) {
    now = Math.max(now, phone.sync.nextAt() ?? now) + 1;
    await phone.sync.run();
  }
}

describe("a server restored to an earlier state", () => {
  const createVersions = (version: number) => ({ versions: new Map([[1, version]]), askedAt: now });

  // Proves "check-in.md": 23c
  test("resends confirmed operations with photos that a restored server no longer knows", async () => {
    const phone = await startSignedInPhone();
    const before = structuredClone(server.bookings.get(1));
    const { op_id } = await deliver(phone, 1, ["front", "rear"], now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    if (before) server.bookings.set(1, before);
    server.vehicles.set("V0001", createVehicle(1));
    server.operations.clear();
    server.files.clear();
    server.applications.clear();
    expect(await requeueWorkLostByServer(phone.database, createVersions(before?.version ?? 0))).toBe(true);
    expect(await listStates(phone)).toEqual(["queued"]);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.applications.get(op_id)).toBe(1);
    expect(server.files.size).toBe(2);
    expect(await requeueWorkLostByServer(phone.database, createVersions(server.bookings.get(1)?.version ?? 0))).toBe(
      false,
    );
  });

  test("resends no operation that a restored server still knows or that was confirmed during the check", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, [], now);
    await drain(phone);
    const [item] = await phone.items();
    expect(await requeueWorkLostByServer(phone.database, createVersions(item?.result?.version ?? 0))).toBe(false);
    expect(
      await requeueWorkLostByServer(phone.database, { ...createVersions(0), askedAt: (item?.confirmed_at ?? 0) - 1 }),
    ).toBe(false);
    expect(await requeueWorkLostByServer(phone.database, { ...createVersions(0), versions: new Map() })).toBe(false);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });
});

describe("an operation and its photos", () => {
  test("shows operations and photos as confirmed only after they arrived", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front", "rear"], now);
    expect(await listStates(phone)).toEqual(["queued"]);
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.files.size).toBe(2);
    expect(server.applications.size).toBe(1);
  });

  // Proves "check-in.md": 1
  test("resends an operation whose response was lost, and the vehicle is handed over once", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, ["front"], now);
    let attemptCount = 0;
    server.setFault((request) => (isWork(request) && attemptCount++ === 0 ? "drop_answer" : undefined));
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["queued"]);
    expect(phone.isReached()).toBe(false);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.applications.get(op_id)).toBe(1);
  });

  test("checks for a photo whose response was lost instead of sending it again", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front"], now);
    let attemptCount = 0;
    server.setFault((request) => (request.method === "PUT" && attemptCount++ === 0 ? "drop_answer" : undefined));
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  test("resends operations at the next start if the app was killed", async () => {
    const phone = await startSignedInPhone("killed");
    await deliver(phone, 1, ["front"], now);
    server.setFault((request) => {
      if (isWork(request)) void phone.kill();
      return undefined;
    });
    void phone.sync.run();
    await expect.poll(() => server.operations.size).toBe(1);
    server.setFault(() => undefined);
    const restarted = await startPhone({ name: "killed", transport: server.transport, now: () => now });
    expect(await listStates(restarted)).toEqual(["queued"]);
    await restarted.signIn("ana");
    await drain(restarted);
    expect(await listStates(restarted)).toEqual(["confirmed"]);
    expect([...server.applications.values()]).toEqual([1]);
  });

  // Proves "check-in.md": 4
  test("sends the operation and seven photos if one of eight permanently fails", async () => {
    const phone = await startSignedInPhone();
    const item = await deliver(phone, 1, ["a", "b", "c", "d", "e", "f", "g", "h"], now);
    const bad = item.files[3] ?? "";
    server.setFault(({ path, method }) => (method === "PUT" && path.endsWith(bad) ? { status: 500 } : undefined));
    await phone.sync.run();
    now += 10_000;
    await phone.sync.run();
    const [sent] = await phone.items();
    expect(sent?.state).toBe("sent");
    expect(sent?.result?.missing_photos).toEqual([bad]);
    await drain(phone);
    const [stuck] = await phone.items();
    expect(stuck).toMatchObject({ state: "blocked", reason: "photos", accepted: true });
    expect(stuck && (await listItemFiles(phone.database, stuck)).filter(({ arrived }) => arrived)).toHaveLength(7);
    server.setFault(() => undefined);
    await retryItems(phone.database, [item.op_id]);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  // Proves "check-in.md": 4b
  test("lets the user give up a photo only if the server permanently refuses it", async () => {
    const phone = await startSignedInPhone();
    const item = await deliver(phone, 1, ["a", "b"], now);
    const bad = item.files[1] ?? "";
    let status = 500;
    server.setFault(({ path, method }) => (method === "PUT" && path.endsWith(bad) ? { status } : undefined));
    await drain(phone);
    await closeBlockedItem(phone.database, item.op_id, now);
    expect(await listStates(phone)).toEqual(["blocked"]);
    status = 415;
    await retryItems(phone.database, [item.op_id]);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["blocked"]);
    await closeBlockedItem(phone.database, item.op_id, now);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  test("sends the photos of a conflict again if the user has read it before they arrived", async () => {
    const phone = await startSignedInPhone();
    server.bookings.set(1, createBooking(1, "2027-05-03", { status: "cancelled" }));
    const item = await deliver(phone, 1, ["a", "b"], now);
    const bad = item.files[1] ?? "";
    let isFailing = true;
    server.setFault(({ path, method }) =>
      isFailing && method === "PUT" && path.endsWith(bad) ? { status: 500 } : undefined,
    );
    await drain(phone);
    expect((await phone.items())[0]).toMatchObject({ state: "blocked", reason: "conflict" });
    await closeBlockedItem(phone.database, item.op_id, now);
    expect(await listStates(phone)).toEqual(["sent"]);
    isFailing = false;
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.files.size).toBe(2);
  });

  // Proves "check-in.md": 6
  test("stores an identical picture taken twice as one file with two references", async () => {
    const phone = await startSignedInPhone();
    const item = await deliver(phone, 1, ["same", "same"], now);
    expect(item.operation.photos).toHaveLength(2);
    expect(item.files).toHaveLength(1);
    await drain(phone);
    expect(server.files.size).toBe(1);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  // Proves "check-in.md": 5
  test("stores two signatures drawn at the same time as two files", async () => {
    const phone = await startSignedInPhone();
    await Promise.all([deliver(phone, 1, ["signature of Ana"], now), deliver(phone, 2, ["signature of Jordi"], now)]);
    await drain(phone);
    expect(server.files.size).toBe(2);
    expect((await phone.items()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test("marks a photo deleted after sending as discarded by an operation, and keeps it", async () => {
    const phone = await startSignedInPhone();
    const item = await deliver(phone, 1, ["front"], now);
    await drain(phone);
    const draft = createDraft(1, "evidence", { removed_photos: item.files });
    await finish(phone, draft, now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed"]);
    expect([...server.operations.values()].map(({ operation }) => operation.removed_photos)).toEqual([
      undefined,
      item.files,
    ]);
    expect([...server.files.keys()]).toEqual([expect.stringContaining(item.files[0] ?? "no photo")]);
  });
});

const countBytes = (text: string) => new TextEncoder().encode(text).byteLength;

/** Makes the server reject files above a size, like a strict proxy. */
function limitUploadSize(maxBytes: number, body = '{"error":"large","code":"too_large"}') {
  const refused: string[] = [];
  server.setFault(({ method, path, body: requestBody }) => {
    if (method !== "PUT" || (requestBody as ArrayBuffer).byteLength <= maxBytes) return undefined;
    refused.push(path);
    return { status: 413, body };
  });
  return refused;
}

describe("a photo that the server calls too large", () => {
  const LARGE = "a picture of twenty-eight by";

  // Proves "check-in.md": 11e
  test.each([
    ["in JSON", undefined],
    ["in a proxy's own page", "<html>413 Request Entity Too Large</html>"],
  ])(
    "shrinks a photo once if the server calls it too large %s, and sends the photo under its new hash",
    async (_name, page) => {
      const phone = await startSignedInPhone();
      const hash = (await deliver(phone, 1, [LARGE, "small"], now)).files[0] ?? "";
      limitUploadSize(countBytes(LARGE) - 1, page);
      await phone.sync.run();
      const [item] = await phone.items();
      expect(item?.state).toBe("confirmed");
      expect(item?.files).not.toContain(hash);
      expect(item?.operation.photos?.map((photo) => photo.hash)).toEqual(item?.files);
      expect(server.operations.get(item?.op_id ?? "")?.operation).toEqual(item?.operation);
      expect([...server.files.values()].map(({ bytes }) => new TextDecoder().decode(bytes)).toSorted()).toEqual([
        "small",
        LARGE.slice(-14),
      ]);
      // Nothing of the large file remains on the device.
      expect(await phone.database.use((db) => Promise.all([db.count("files"), db.count("contents")]))).toEqual([2, 2]);
    },
  );

  test("gives up a photo that is still too large after shrinking, and sends the operation and other photos", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, [LARGE, "small"], now);
    const refused = limitUploadSize(6);
    await drain(phone);
    const [item] = await phone.items();
    expect(item).toMatchObject({ state: "blocked", reason: "photos", accepted: true });
    const files = item ? await listItemFiles(phone.database, item) : [];
    expect(files.map(({ arrived, trouble }) => [arrived, trouble?.code])).toEqual([
      [false, "too_large"],
      [true, undefined],
    ]);
    // The app sends the photo once in full size and once smaller, and then gives up.
    expect(refused).toHaveLength(2);
  });

  test("keeps a photo's hash and size after a smaller upload limit if the server may know the operation already", async () => {
    const phone = await startSignedInPhone();
    const { op_id, files } = await deliver(phone, 1, [LARGE], now);
    server.setFault(({ method }) => (method === "PUT" ? { status: 500 } : undefined));
    await phone.sync.run();
    now += 10_000;
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["sent"]);
    limitUploadSize(6);
    await drain(phone);
    const [item] = await phone.items();
    expect(item).toMatchObject({ state: "blocked", reason: "photos", files });
    expect(server.operations.get(op_id)?.operation).toEqual(item?.operation);
  });

  test("keeps a photo's hash if only the response to its operation was lost", async () => {
    const phone = await startSignedInPhone();
    const { files } = await deliver(phone, 1, [LARGE], now);
    server.setFault(({ method, path }) => {
      if (method === "PUT") return { status: 500 };
      return path.endsWith("/check-in-operations") ? "drop_answer" : undefined;
    });
    await phone.sync.run();
    now += 10_000;
    await phone.sync.run();
    expect((await phone.items())[0]).toMatchObject({ state: "queued", accepted: false });
    limitUploadSize(6);
    await drain(phone);
    expect((await phone.items())[0]).toMatchObject({ state: "blocked", reason: "photos", files });
    expect([...server.applications.values()]).toEqual([1]);
  });

  test.each(["ops", "files", "contents"] as const)(
    "keeps a photo's bytes, name and operation consistent when %s can't be written",
    async (store) => {
      const phone = await startSignedInPhone();
      const before = await deliver(phone, 1, [LARGE], now);
      limitUploadSize(countBytes(LARGE) - 1);
      const original = IDBObjectStore.prototype.put;
      let failedWrites = 0;
      IDBObjectStore.prototype.put = function put(this: IDBObjectStore, ...args: [unknown]) {
        const isShrinking = this.transaction.objectStoreNames.length === 4;
        if (isShrinking && this.name === store) {
          failedWrites += 1;
          throw new DOMException("killed", "AbortError");
        }
        return original.apply(this, args);
      };
      await phone.sync.run().catch(() => undefined);
      IDBObjectStore.prototype.put = original;
      // The app repeats an interrupted write once, so two writes failed.
      expect(failedWrites).toBe(2);
      const [item] = await phone.items();
      expect(item?.files).toEqual(before.files);
      expect(item && (await listItemFiles(phone.database, item)).map(({ hash }) => hash)).toEqual(before.files);
      const restarted = await startPhone({ name: phone.name, transport: server.transport, now: () => now });
      await restarted.signIn("ana");
      await drain(restarted);
      expect(await listStates(restarted)).toEqual(["confirmed"]);
    },
  );

  test("keeps a photo that another draft also uses, and shrinks it when that draft is sent", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, [LARGE], now);
    const draft = await photograph(phone, createDraft(1, "evidence"), LARGE);
    limitUploadSize(countBytes(LARGE) - 1);
    await drain(phone);
    await finish(phone, draft, now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed"]);
    expect(server.files.size).toBe(1);
    expect(await phone.database.use((db) => db.count("contents"))).toBe(1);
  });
});

// Proves "check-in.md": 22b
test("sets aside an operation that is too large, lets the user export it, and sends other bookings", async () => {
  const phone = await startSignedInPhone();
  const large = await deliver(phone, 1, [], now);
  await deliver(phone, 2, [], now);
  server.setFault((request) =>
    isWork(request) && String(request.body).includes(large.op_id)
      ? { status: 413, body: '{"error":"large","code":"too_large"}' }
      : undefined,
  );
  await phone.sync.run();
  expect((await phone.items()).map(({ state, tries }) => [state, tries])).toEqual([
    ["blocked", 1],
    ["confirmed", 0],
  ]);
  const zip = Buffer.from(await (await exportUnsentWork(phone.database)).arrayBuffer()).toString("latin1");
  expect(zip).toContain(large.op_id);
});

describe("a photo and the draft that refers to it", () => {
  // Proves "check-in.md": 3
  test.each(["files", "contents", "drafts"] as const)(
    "stores neither the photo nor its draft if the IndexedDB store %s can't be written",
    async (store) => {
      const phone = await startSignedInPhone();
      const original = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function put(this: IDBObjectStore, ...args: [unknown]) {
        if (this.name === store) throw new DOMException("killed", "AbortError");
        return original.apply(this, args);
      };
      const photoAttempt = photograph(phone, createDraft(1, "delivery"), "front").catch(() => "failed");
      expect(await photoAttempt).toBe("failed");
      IDBObjectStore.prototype.put = original;
      const storedFiles = await phone.database.use((db) =>
        Promise.all([db.count("files"), db.count("contents"), db.count("drafts")]),
      );
      expect(storedFiles).toEqual([0, 0, 0]);
    },
  );

  // Proves "check-in.md": 14
  test("reopens a database connection that the system closed, and completes the write", async () => {
    const phone = await startSignedInPhone();
    await phone.database.use(async (db) => db.close());
    await saveDraft(phone.database, createDraft(1, "delivery", { notes: "kept" }));
    const { drafts } = await decryptStoredWork(phone.database, await readStoredWork(phone.database));
    expect(drafts.map(({ notes }) => notes)).toEqual(["kept"]);
  });

  test("reopens the database once if several operations fail on the closed connection", async () => {
    const phone = await startSignedInPhone();
    await phone.database.use(async (db) => db.close());
    const connect = vi.spyOn(indexedDB, "open");
    let failLater = () => {};
    const isLate = new Promise<void>((resolve) => {
      failLater = resolve;
    });
    const late = phone.database.use(async (db) => {
      await isLate;
      return db.count("drafts");
    });
    expect(await phone.database.use((db) => db.count("drafts"))).toBe(0);
    failLater();
    expect(await late).toBe(0);
    expect(connect).toHaveBeenCalledTimes(1);
    connect.mockRestore();
  });

  test("deletes the photos of a discarded draft, and no other draft's", async () => {
    const phone = await startSignedInPhone();
    const { files } = await deliver(phone, 1, ["shared"], now);
    const draft = await photograph(phone, await photograph(phone, createDraft(1, "evidence"), "shared"), "own");
    const listPhotos = () => phone.database.use((db) => db.getAllKeys("contents"));
    expect(await listPhotos()).toHaveLength(2);
    await deleteDraft(phone.database, draft);
    expect(await listPhotos()).toEqual(files.map((hash) => `1/${hash}`));
  });
});

describe("interrupted uploads of photos over a slow connection", () => {
  const breaking =
    (shouldBreak: (request: ReceivedRequest) => boolean) =>
    async (outgoingRequest: Parameters<typeof server.transport>[0]) => {
      if (!shouldBreak({ ...outgoingRequest, body: undefined })) return server.transport(outgoingRequest);
      tried += 1;
      throw new TypeError("the connection was cut");
    };
  let tried = 0;

  // Proves "check-in.md": 23b
  test("retries interrupted uploads with growing delays, and sends the operation without the photos", async () => {
    tried = 0;
    const uploadTimes: number[] = [];
    const transport = breaking((request) => {
      if (request.method === "PUT") uploadTimes.push(now);
      return request.method === "PUT";
    });
    const phone = await startPhone({ name: `phone-${++phones}`, transport, now: () => now });
    await phone.signIn("ana");
    await deliver(phone, 1, ["front"], now);
    const end = now + 60_000;
    while (now < end) {
      await phone.sync.run();
      now += 250;
    }
    expect(tried).toBeLessThanOrEqual(7);
    const delays = uploadTimes.slice(1).map((at, index) => at - (uploadTimes[index] ?? 0));
    expect(delays.length).toBeGreaterThan(3);
    expect(delays).toEqual([...new Set(delays)].toSorted((a, b) => a - b));
    expect(await listStates(phone)).toEqual(["sent"]);
    expect(server.applications.size).toBe(1);
  });

  test("sends the operations of other bookings while the uploads of one booking fail", async () => {
    tried = 0;
    const transport = breaking(({ method, path }) => method === "PUT" && path.includes("/booking/1/"));
    const phone = await startPhone({ name: `phone-${++phones}`, transport, now: () => now });
    await phone.signIn("ana");
    await deliver(phone, 1, ["front"], now);
    await deliver(phone, 2, ["front"], now);
    for (let round = 0; round < 240; round++) {
      await phone.sync.run();
      now += 250;
    }
    expect(await listStates(phone)).toEqual(["sent", "confirmed"]);
  });
});

describe("the author of queued operations", () => {
  test("keeps operations while the token is expired, and sends them after a sign-in", async () => {
    const phone = await startSignedInPhone();
    server.expireTokens();
    await deliver(phone, 1, ["front"], now);
    await deliver(phone, 2, ["front"], now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["queued", "queued"]);
    expect(phone.session()?.expired).toBe(true);
    const requestCount = server.requests.length;
    await phone.sync.run();
    expect(server.requests.length).toBe(requestCount);
    await phone.signIn("ana");
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed"]);
  });

  // Proves "check-in.md": 7e
  test("keeps operations if the company requires a second factor, and sends them after a sign-in with one", async () => {
    const phone = await startSignedInPhone();
    const body = '{"error":"The company asks for a second factor","code":"second_factor_missing"}';
    server.setFault((request) => (isWork(request) ? { status: 403, body } : undefined));
    await deliver(phone, 1, ["front"], now);
    await deliver(phone, 2, ["front"], now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["queued", "queued"]);
    expect(phone.session()?.expired).toBe(true);
    server.setFault(() => undefined);
    await phone.signIn("ana");
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed"]);
  });

  // Proves "check-in.md": N2b
  test("holds operations while a colleague is signed in, and sends them when their author is back", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, ["front"], now);
    await phone.signIn("jordi");
    await drain(phone);
    expect(server.requests.filter((request) => isWork(request) || isFile(request))).toEqual([]);
    expect(await listStates(phone)).toEqual(["queued"]);
    await deliver(phone, 2, [], now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["queued", "confirmed"]);
    await phone.signIn("ana");
    await drain(phone);
    expect(server.operations.get(op_id)?.operation.author).toBe("ana");
  });

  test("sends a colleague's operation in the author's name when a manager chose to", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, [], now);
    await phone.signIn("manager@acme.test");
    phone.approve("ana");
    await drain(phone);
    expect(server.operations.get(op_id)?.operation.author).toBe("ana");
  });

  // Proves "check-in.md": 7g
  test("retries a refused operation when its author signs in, but not for a colleague", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, [], now);
    const [item] = await phone.items();
    const failure = { status: 404, code: "unknown_booking", message: "" };
    await phone.database.write(["ops"], (transaction) =>
      transaction
        .objectStore("ops")
        .put({ ...(item as OutboxItem), state: "blocked", reason: "rejected", trouble: failure }),
    );
    await requeueRejectedWork(phone.database, { author: "jordi" });
    expect(await listStates(phone)).toEqual(["blocked"]);
    await requeueRejectedWork(phone.database, { author: "ana" });
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  test("doesn't resend a refused operation while a draft corrects it", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, [], now);
    const [item] = await phone.items();
    const failure = { status: 404, code: "unknown_booking", message: "" };
    await phone.database.write(["ops"], (transaction) =>
      transaction
        .objectStore("ops")
        .put({ ...(item as OutboxItem), state: "blocked", reason: "rejected", trouble: failure }),
    );
    const correction = createDraft(1, "delivery", { replaces: op_id });
    await saveDraft(phone.database, correction);
    await requeueRejectedWork(phone.database, { author: "ana" });
    await retryItems(phone.database, [op_id]);
    expect(await listStates(phone)).toEqual(["blocked"]);
    await finish(phone, correction, now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.operations.size).toBe(1);
  });

  test("keeps an operation that the server accepted while it was being corrected", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, [], now);
    await drain(phone);
    await finish(phone, createDraft(1, "delivery", { replaces: op_id }), now);
    expect(await listStates(phone)).toEqual(["confirmed", "queued"]);
  });

  test("resends a user's operations refused for a missing right, and keeps those refused otherwise", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, [], now);
    server.setFault((request) => (isWork(request) ? { status: 403, body: '{"code":"forbidden"}' } : undefined));
    await drain(phone);
    server.setFault(() => undefined);
    expect(await requeueRejectedWork(phone.database, { author: "ana" }, [404])).toBe(false);
    expect(await listStates(phone)).toEqual(["blocked"]);
    expect(await requeueRejectedWork(phone.database, { author: "ana" }, [403])).toBe(true);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.operations.has(op_id)).toBe(true);
  });

  // Proves "check-in.md": 8
  test("keeps operations of a user disabled in the meantime for an export and for the office", async () => {
    const phone = await startSignedInPhone();
    const { op_id, files } = await deliver(phone, 1, ["front"], now);
    const ana = server.users.get("ana");
    if (ana) ana.disabled = true;
    await drain(phone);
    expect(phone.session()?.expired).toBe(true);
    const [item] = await phone.items();
    expect(item).toMatchObject({ state: "queued", accepted: false });
    const zip = Buffer.from(await (await exportUnsentWork(phone.database)).arrayBuffer()).toString("latin1");
    expect(zip).toContain(op_id);
    expect(zip).toContain(`photos/1/${files[0]}.jpg`);
    expect(await phone.signIn("ana")).toBe(false);
    expect(await phone.signIn("manager@acme.test")).toBe(true);
    phone.approve("ana");
    await drain(phone);
    expect(server.operations.get(op_id)?.operation.author).toBe("ana");
  });
});

describe("a phone whose clock is wrong", () => {
  // Proves "check-in.md": 9d
  test.each([
    ["operations that the server couldn't accept", { status: 500 }],
    ["operations that the server asked to resend in an hour", { status: 503, headers: { "Retry-After": "3600" } }],
  ])("sends %s as soon as the phone's clock, which was two days ahead, is corrected", async (_name, fault) => {
    let ahead = 48 * HOUR;
    const phone = await startSignedInPhone(undefined, () => now + ahead);
    await deliver(phone, 1, [], now + ahead);
    server.setFault((request) => (isWork(request) ? fault : undefined));
    await phone.sync.run();
    server.setFault(() => undefined);
    ahead = 0;
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  // Proves "check-in.md": 9c
  test("times a return after its hand-over although the phone's clock was set back two days, and sends the offset", async () => {
    let phoneClock = now;
    const phone = await startSignedInPhone(undefined, () => phoneClock);
    await phone.sync.run();
    await deliver(phone, 1, [], phoneClock);
    phoneClock -= 48 * HOUR;
    await finish(phone, createDraft(1, "collection"), phoneClock);
    const times = (await phone.items()).map(
      ({ operation }) => Date.parse(operation.recorded_at) + (operation.clock_offset_ms ?? 0),
    );
    expect(times[1]).toBeGreaterThan(times[0] ?? Number.POSITIVE_INFINITY);
    const offset = (await phone.items())[1]?.operation.clock_offset_ms ?? 0;
    expect(Math.abs(offset)).toBeGreaterThan(5 * 60_000);
  });

  // Proves "check-in.md": 9
  test.each([
    ["two days ahead", 48 * HOUR],
    ["an hour behind", -HOUR],
  ])("reports a clock offset of %s, and numbers the device's operations in order", async (_name, off) => {
    let ahead = off;
    const phone = await startSignedInPhone(undefined, () => now + ahead);
    await phone.client.call("GET", "/healthz");
    const first = await deliver(phone, 1, [], now + ahead);
    ahead = 0;
    const second = await deliver(phone, 2, [], now);
    expect([first.seq, second.seq]).toEqual([1, 2]);
    expect(Math.abs((first.operation.clock_offset_ms ?? 0) + off)).toBeLessThan(2000);
    expect((await listOutboxItems(phone.database)).map(({ op_id }) => op_id)).toEqual([first.op_id, second.op_id]);
  });
});

describe("responses that don't come from the server", () => {
  // Proves "check-in.md": 10c
  test("ignores the 401 response of a proxy, so the session stays valid", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front"], now);
    server.setFault(() => ({ status: 401, headers: { "Content-Type": "text/html" }, body: "<h1>Wi-Fi</h1>" }));
    await phone.sync.run();
    expect([phone.session()?.expired, await listStates(phone)]).toEqual([false, ["queued"]]);
    server.setFault(() => undefined);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
  });

  // Proves "check-in.md": 10d
  test("ignores the clock of a captive portal", async () => {
    const phone = await startSignedInPhone();
    await phone.client.call("GET", "/healthz");
    const headers = { "Content-Type": "text/html", Date: "Thu, 01 Jan 1970 00:00:10 GMT" };
    server.setFault(() => ({ status: 200, headers, body: "<h1>Welcome</h1>" }));
    await phone.client.call("GET", "/healthz");
    const { operation } = await deliver(phone, 1, [], now);
    expect(operation.clock_offset_ms).toBe(0);
  });

  // Proves "check-in.md": 10
  test("treats a captive portal's page as a failure, for operations and photos", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front"], now);
    server.setFault(() => "captive_portal");
    for (let round = 0; round < 4; round++) {
      await phone.sync.run();
      now += 600_000;
    }
    expect(await listStates(phone)).toEqual(["queued"]);
    server.setFault(() => undefined);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.files.size).toBe(1);
  });

  // Proves "check-in.md": 10e
  test("keeps all operations queued while the server doesn't know the account's host, and sends them later", async () => {
    const phone = await startSignedInPhone();
    for (let id = 1; id <= 3; id++) await deliver(phone, id, ["front"], now);
    server.setFault(() => ({ status: 404, body: '{"error":"Unknown account"}' }));
    for (let round = 0; round < 20; round++) {
      await phone.sync.run();
      now += 600_000;
    }
    expect(await listStates(phone)).toEqual(["queued", "queued", "queued"]);
    expect(phone.isReached()).toBe(false);
    server.setFault(() => undefined);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed", "confirmed"]);
    expect(server.files.size).toBe(3);
  });

  test("ignores an HTML page as the answer whether a photo exists", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front"], now);
    let puts = 0;
    let heads = 0;
    server.setFault(({ method }) => {
      if (method === "HEAD") return heads++ === 0 ? "captive_portal" : undefined;
      return method === "PUT" && puts++ === 0 ? "drop_request" : undefined;
    });
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.files.size).toBe(1);
  });

  test("treats a JSON response 200 without the operation's ID as a failure", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, [], now);
    server.setFault((request) =>
      isWork(request) ? { status: 200, body: '{"results":[{"op_id":"other"}]}' } : undefined,
    );
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["queued"]);
  });

  // Proves "check-in.md": 23
  test("retries at most once a second during a six-hour outage, and then sends everything", async () => {
    const phone = await startSignedInPhone();
    for (let id = 1; id <= 12; id++) await deliver(phone, id, [`front ${id}`], now);
    const requestTimes: number[] = [];
    server.setFault(() => {
      requestTimes.push(now);
      return { status: 503, body: "" };
    });
    const end = now + 6 * HOUR;
    while (now < end) {
      await phone.sync.run();
      now = Math.max(now + 1, phone.sync.nextAt() ?? end);
    }
    expect(requestTimes.length).toBeGreaterThan(10);
    expect(requestTimes.length).toBeLessThan(200);
    // Only the first attempt sends several bookings at once.
    const [firstTime = 0, ...retryTimes] = requestTimes.slice(requestTimes.lastIndexOf(requestTimes[0] ?? 0));
    const delays = retryTimes.map((at, index) => at - (retryTimes[index - 1] ?? firstTime));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000);
    expect((await phone.items()).every(({ tries, state }) => tries === 0 && state === "queued")).toBe(true);
    server.setFault(() => undefined);
    await drain(phone);
    expect(new Set(await listStates(phone))).toEqual(new Set(["confirmed"]));
    expect(server.applications.size).toBe(12);
  });

  // Proves "check-in.md": 22
  test("sets an operation aside after eight failed attempts, and sends other bookings in the meantime", async () => {
    const phone = await startSignedInPhone();
    const poison = await deliver(phone, 1, [], now);
    await deliver(phone, 2, [], now);
    server.setFault((request) => (String(request.body).includes(poison.op_id) ? { status: 500 } : undefined));
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["queued", "confirmed"]);
    await drain(phone);
    const [item] = await phone.items();
    expect(item).toMatchObject({ state: "blocked", reason: "rejected", tries: 8 });
  });

  // Proves "check-in.md": 24b
  test("keeps operations that an older server can't read until it is updated, and sends other bookings", async () => {
    const phone = await startSignedInPhone();
    const { op_id } = await deliver(phone, 1, [], now);
    await deliver(phone, 2, [], now);
    const detail = [{ field: "operations.0.kilometres", message: "must be a whole number", code: "whole_number" }];
    const body = JSON.stringify({ error: "kilometres: must be a whole number", code: "invalid_input", detail });
    const headers = { "Content-Type": "application/json" };
    server.setFault((request) => (String(request.body).includes(op_id) ? { status: 400, body, headers } : undefined));
    await phone.sync.run();
    expect(await listStates(phone)).toEqual(["queued", "confirmed"]);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["blocked", "confirmed"]);
    expect((await phone.items())[0]?.trouble).toMatchObject({ code: "invalid_input", detail });
    server.setFault(() => undefined);
    expect(await requeueRejectedWork(phone.database, { author: "ana" })).toBe(true);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed", "confirmed"]);
  });

  test("sends a booking's operations in order, and those of two bookings in parallel", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["front"], now);
    await finish(phone, createDraft(1, "evidence"), now);
    await finish(phone, createDraft(1, "collection"), now);
    let first = 0;
    server.setFault((request) => (isWork(request) && first++ === 0 ? { status: 500 } : undefined));
    await drain(phone);
    const kinds = [...server.operations.values()].map(({ operation }) => operation.kind);
    expect(kinds).toEqual(["delivery", "evidence", "collection"]);
    expect(new Set(await listStates(phone))).toEqual(new Set(["confirmed"]));
  });

  test("sends operations from only one of two tabs", async () => {
    let isLockHeld = false;
    const runLocked = async (work: () => Promise<void>) => {
      if (isLockHeld) return;
      isLockHeld = true;
      await work().finally(() => {
        isLockHeld = false;
      });
    };
    const tabs = await Promise.all(
      [1, 2].map(() =>
        startPhone({ name: "tabs", transport: server.transport, now: () => now, runInSingleTab: runLocked }),
      ),
    );
    const [item, two] = tabs as [Phone, Phone];
    await item.signIn("ana");
    await two.signIn("ana");
    await deliver(item, 1, ["front"], now);
    await Promise.all([item.sync.run(), two.sync.run()]);
    expect(server.requests.filter(isWork)).toHaveLength(1);
    expect(server.requests.filter(isFile)).toHaveLength(1);
  });
});

describe("one of several tabs that sends operations", () => {
  // Proves "check-in.md": 21b
  test("lets one other tab continue sending when the sending tab closes", async () => {
    const closed = Promise.withResolvers<void>();
    let [sent, tookOver] = [0, 0];
    const sending = createSingleTabRunner(() => undefined)(() => closed.promise);
    const next = createSingleTabRunner(() => {
      tookOver += 1;
      void next(async () => {
        sent += 1;
      });
    });
    for (let times = 0; times < 3; times++) await next(() => Promise.reject(new Error("two senders")));
    expect([sent, tookOver]).toEqual([0, 0]);
    closed.resolve();
    await sending;
    await expect.poll(() => [sent, tookOver]).toEqual([1, 1]);
  });
});

describe("conflicting changes by colleagues or the office", () => {
  test("shows which user already recorded a delivery, and sends the second user's photos as evidence", async () => {
    const [ana, jordi] = [await startSignedInPhone(), await startSignedInPhone()];
    await jordi.signIn("jordi");
    await deliver(jordi, 1, ["his"], now);
    await drain(jordi);
    await deliver(ana, 1, ["hers"], now);
    await drain(ana);
    const [item] = await ana.items();
    expect(item).toMatchObject({ state: "blocked", reason: "conflict", accepted: true });
    expect(item?.result).toMatchObject({ code: "already_delivered", by: "jordi" });
    expect(server.files.size).toBe(2);
    await closeBlockedItem(ana.database, item?.op_id ?? "", now);
    expect(await listStates(ana)).toEqual(["confirmed"]);
  });

  // Proves "check-in.md": 18
  test("keeps operations on a booking that the office cancelled as evidence", async () => {
    const phone = await startSignedInPhone();
    server.bookings.set(1, createBooking(1, "2027-05-03", { status: "cancelled" }));
    await deliver(phone, 1, ["front"], now);
    await drain(phone);
    expect((await phone.items())[0]?.result).toMatchObject({ code: "booking_cancelled", state: "conflict" });
    expect(server.files.size).toBe(1);
  });

  // Proves "check-in.md": 19
  test("replaces an operation refused for a rented vehicle by a new operation with another vehicle", async () => {
    const phone = await startSignedInPhone();
    server.vehicles.set("V0001", createVehicle(1, { state: "out" }));
    const refused = await deliver(phone, 1, [], now);
    await drain(phone);
    expect((await phone.items())[0]?.result?.code).toBe("vehicle_unavailable");
    await finish(phone, createDraft(1, "delivery", { vehicle_reference: "V0002", replaces: refused.op_id }), now);
    await drain(phone);
    expect(await listStates(phone)).toEqual(["confirmed"]);
    expect(server.bookings.get(1)?.resources[0]?.vehicle?.reference).toBe("V0002");
  });

  // Proves "check-in.md": 20
  test("holds a return that arrives before its hand-over, and applies it after the hand-over", async () => {
    const [first, second] = [await startSignedInPhone(), await startSignedInPhone()];
    await finish(second, createDraft(1, "collection"), now);
    await drain(second);
    expect((await second.items())[0]).toMatchObject({ state: "confirmed", result: { state: "held" } });
    await deliver(first, 1, [], now);
    await drain(first);
    expect(server.bookings.get(1)?.resources[0]?.state).toBe("collected");
  });

  test("reuses an operation number only if the server stored nothing under it", async () => {
    const phone = await startSignedInPhone();
    const refused = await deliver(phone, 99, [], now);
    await drain(phone);
    expect((await phone.items())[0]?.trouble?.status).toBe(404);
    const again = await finish(phone, createDraft(1, "delivery", { replaces: refused.op_id }), now);
    expect(again.seq).toBe(1);
    expect((await deliver(phone, 2, [], now)).seq).toBe(2);
  });
});

describe("data retained on the device", () => {
  test("deletes only confirmed operations and their photos after 48 hours", async () => {
    const phone = await startSignedInPhone();
    await deliver(phone, 1, ["old"], now);
    await drain(phone);
    await deliver(phone, 2, ["waiting"], now);
    await deleteOldConfirmedWork(phone.database, now + 47 * HOUR);
    expect(await phone.items()).toHaveLength(2);
    await photograph(phone, createDraft(3, "evidence"), "removed from its draft");
    await saveDraft(phone.database, createDraft(3, "evidence"));
    await deleteOldConfirmedWork(phone.database, now + 49 * HOUR, true);
    expect(await phone.database.use((db) => db.count("contents"))).toBe(2);
    await deleteOldConfirmedWork(phone.database, now + 49 * HOUR);
    expect((await phone.items()).map(({ booking_id }) => booking_id)).toEqual([2]);
    expect(await phone.database.use((db) => db.count("contents"))).toBe(1);
  });

  test("keeps and exports a signature image that is still used by a draft", async () => {
    const phone = await startSignedInPhone();
    const bytes = new TextEncoder().encode("ink").buffer as ArrayBuffer;
    const signed = (draft: WorkDraft) =>
      saveDraftWithPicture(phone.database, { bytes, type: "image/png" }, (hash) => ({
        ...draft,
        signature: { method: "drawn", name: "Ana", signed_at: new Date(now).toISOString(), contract_hash: "c0", hash },
      }));
    await finish(phone, await signed(createDraft(1, "delivery", { vehicle_reference: "V0001" })), now);
    await drain(phone);
    const { signature } = await signed(createDraft(1, "evidence"));
    await deleteOldConfirmedWork(phone.database, now + 49 * HOUR);
    expect(await phone.items()).toEqual([]);
    const zip = Buffer.from(await (await exportUnsentWork(phone.database)).arrayBuffer()).toString("latin1");
    expect(zip).toContain(`photos/1/${signature?.hash}.png`);
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": The text arrives with its signature
  test("sends the contract text that was signed, and deletes an earlier text that was replaced", async () => {
    const phone = await startSignedInPhone();
    const save = (text: string, type: string, withHash: (hash: string) => WorkDraft) =>
      saveDraftWithPicture(phone.database, { bytes: new TextEncoder().encode(text).slice().buffer, type }, withHash);
    const draft = createDraft(1, "delivery", { vehicle_reference: "V0001" });
    await save("# Contract 1\n", "text/plain", () => draft);
    let contractHash = "";
    await save("# Contract 1\nchanged\n", "text/plain", (hash) => {
      contractHash = hash;
      return draft;
    });
    const signed = await save("ink", "image/png", (hash) => {
      const names = { contract_hash: contractHash, contract_language: "en" } as const;
      const signature = {
        method: "drawn",
        name: "Ana",
        signed_at: new Date(now).toISOString(),
        ...names,
        hash,
      } as const;
      return { ...draft, signature };
    });
    await finish(phone, signed, now);
    await drain(phone);
    const storedFiles = server.files.get(`1/${contractHash}`);
    expect(new TextDecoder().decode(storedFiles?.bytes)).toBe("# Contract 1\nchanged\n");
    expect((await phone.items()).map(({ state }) => state)).toEqual(["confirmed"]);
    await deleteOldConfirmedWork(phone.database, now);
    expect(await phone.database.use((db) => db.count("files"))).toBe(2);
  });

  // Proves "check-in.md": 24
  test("sends operations recorded by the app's first version unchanged", async () => {
    const operation = (await deliver(await startSignedInPhone(), 1, ["front"], now)).operation;
    const old = await openDB("first-version", 1, {
      upgrade: (db) => {
        for (const store of ["ops", "drafts", "files", "contents", "cache"]) {
          db.createObjectStore(store, { keyPath: store === "ops" ? "op_id" : "key" });
        }
        db.createObjectStore("meta");
      },
    });
    const base = {
      op_id: operation.op_id,
      seq: 1,
      booking_id: 1,
      kind: "delivery",
      author: "ana",
      label: "Ana",
      plate: "",
    };
    const rest = { operation, state: "sending", tries: 0, next_at: 0, trouble: null, result: null, queued_at: now };
    await old.put("ops", { ...base, ...rest, confirmed_at: null });
    old.close();
    const phone = await startSignedInPhone("first-version");
    const [item] = await phone.items();
    expect(item).toMatchObject({ state: "queued", layout: 2, files: operation.photos?.map(({ hash }) => hash) });
    await drain(phone);
    expect(server.operations.get(operation.op_id)?.operation).toEqual(operation);
  });

  test("gives a wiped phone a new device ID, so that the office sees the old one's missing operations", async () => {
    const name = `wiped-${++phones}`;
    const phone = await startSignedInPhone(name);
    const before = await deliver(phone, 1, [], now);
    await phone.database.close();
    indexedDB.deleteDatabase(name);
    const after = await deliver(await startSignedInPhone(name), 2, [], now);
    expect(after.seq).toBe(1);
    expect(after.operation.device_id).not.toBe(before.operation.device_id);
    await openDatabase(name).close();
  });
});
