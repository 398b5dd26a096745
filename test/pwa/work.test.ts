import "./page.ts";
import { createElement, Fragment, type FunctionComponent, type VNode } from "preact";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loadTexts } from "#app/i18n/texts.ts";
import { deleteDraft, findDraft } from "#app/offline/drafts.ts";
import type { StoredWorkFile, WorkDraft } from "#app/offline/items.ts";
import { listOutboxItems } from "#app/offline/outbox.ts";
import { createSessionEncryptionKey, encryptWithSessionKey } from "#app/offline/session-encryption.ts";
import { DamageStep } from "#app/screens/work/damage-step.tsx";
import { calculateUnsettledAmounts } from "#app/screens/work/draft-settlement.ts";
import { MoneyStep } from "#app/screens/work/money-step.tsx";
import { ReviewStep } from "#app/screens/work/review-step.tsx";
import { calculateSoldExtrasCents, getDepositCentsAfterExtras } from "#app/state/booking-settlement.ts";
import { shownDay } from "#app/state/day.ts";
import { database, storeSession } from "#app/state/device-session.ts";
import { createDraft, toDraftFields, toOperation } from "#app/state/draft-operations.ts";
import { visibleDrafts } from "#app/state/outbox.ts";
import { addPhotosToWork, addPhotoToWork, saveDrawnSignature } from "#app/state/save-captures.ts";
import { settings } from "#app/state/settings.ts";
import {
  changeOpenWork,
  enqueueEvidence,
  finishWork,
  getOpenDraft,
  isLastChangeUnsaved,
  openWorkByKey,
  openWorkDraft,
  reopenRejectedWork,
  startWork,
} from "#app/state/work.ts";
import { createBooking, createCheckInSettings, createDay, createUnit, createVehicle } from "#support/check-in/day.ts";
import { findButton, renderComponent, type View } from "./render.ts";

const TODAY = "2027-05-03";

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

let bookings = 0;

/** Opens work on a new booking. */
async function openDelivery(): Promise<string> {
  bookings += 1;
  const booking = createBooking(bookings, TODAY, {
    resources: [createUnit(bookings, { vehicle: createVehicle(bookings) })],
  });
  shownDay.value = { data: createDay(TODAY, [booking], []), fetchedAt: Date.now() };
  await storeSession({ token: "t", username: "ana", full_name: "Ana", role: "operator", expired: true });
  const key = (await startWork(booking, booking.resources[0], "delivery")) ?? "";
  await openWorkByKey(key);
  return key;
}

const lastItem = async () => (await listOutboxItems(database)).at(-1);

afterEach(() => {
  compressing = undefined;
  openWorkDraft.value = undefined;
});

test("keeps prices and deposit of extras when a refused operation is reopened", async () => {
  await openDelivery();
  const offered = { ...{ extra_code: "GPS", name: "Navi", unit_price: "12.00" }, total_deposit: "100.00" };
  await createSessionEncryptionKey(database);
  const sealed = await encryptWithSessionKey(database, { booking_id: bookings, data: [offered], total: 1 });
  if (!sealed) throw new Error("There is no key.");
  await database.use((db) => db.put("cache", { key: `extras|${bookings}`, etag: null, fetched_at: 0, sealed }));
  await changeOpenWork({ extras: [{ extra_code: "GPS", quantity: 2 }] });
  const item = await finishWork();
  await openWorkByKey((await reopenRejectedWork({ ...item, state: "blocked", reason: "rejected" })) ?? "");
  expect([calculateSoldExtrasCents(getOpenDraft()), getDepositCentsAfterExtras(getOpenDraft())]).toEqual([
    2400, 10_000,
  ]);
});

// Proves "check-in.md": 12k
test("rejects a photo that would make the server refuse the whole operation", async () => {
  await openDelivery();
  const taken_at = new Date().toISOString();
  const photos = Array.from({ length: 100 }, (_, index) => ({ hash: String(index), view: "other" as const, taken_at }));
  await changeOpenWork({ photos });
  expect(await addPhotoToWork(new Blob(["one more"]), "other")).toBe("too_many");
  expect(openWorkDraft.value?.photos).toHaveLength(100);
});

describe("finishing an operation", () => {
  test("includes a signature still being saved when an operation is finished", async () => {
    await openDelivery();
    const signing = saveDrawnSignature(new Blob(["drawn"]), "Ana Ruiz", { hash: "c0ffee" }, []);
    const finishing = finishWork();
    await Promise.all([signing, finishing]);
    expect((await lastItem())?.operation.signature?.name).toBe("Ana Ruiz");
  });

  // Proves "check-in.md": T3
  test("includes a photo still being shrunk when an operation is finished", async () => {
    await openDelivery();
    compressing = Promise.withResolvers();
    const taking = addPhotoToWork(new Blob(["front"]), "front");
    const finishing = finishWork();
    compressing.resolve();
    expect(await taking).toBe("kept");
    await finishing;
    expect((await lastItem())?.operation.photos?.map(({ view }) => view)).toEqual(["front"]);
  });

  test("finishes the open operation once, even if another is open when its photos are saved", async () => {
    const key = await openDelivery();
    compressing = Promise.withResolvers();
    const taking = addPhotoToWork(new Blob(["front"]), "front");
    const finishing = finishWork();
    const again = finishWork();
    const other = await openDelivery();
    compressing.resolve();
    await taking;
    await expect(again).rejects.toThrow();
    expect((await finishing).booking_id).toBe(bookings - 1);
    expect([openWorkDraft.value?.key, visibleDrafts.value.has(other), visibleDrafts.value.has(key)]).toEqual([
      other,
      true,
      false,
    ]);
    const outboxItems = (await listOutboxItems(database)).filter(({ booking_id }) => booking_id >= bookings - 1);
    expect(outboxItems.map(({ operation }) => [operation.booking_id, operation.photos?.length])).toEqual([
      [bookings - 1, 1],
    ]);
  });

  test("includes a field changed just before an operation is finished", async () => {
    await openDelivery();
    void changeOpenWork({ kilometres: "12345" });
    await finishWork();
    expect((await lastItem())?.operation.kilometres).toBe(12345);
  });
});

test("keeps a photo and the input typed while the photo is being saved", async () => {
  const key = await openDelivery();
  const taking = addPhotoToWork(new Blob(["front"]), "front");
  for (const kilometres of ["1", "12", "123", "1234"]) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    void changeOpenWork({ kilometres });
  }
  await taking;
  await changeOpenWork({ fuel_eighths: 8 });
  openWorkDraft.value = undefined;
  await openWorkByKey(key);
  expect(openWorkDraft.value).toMatchObject({ kilometres: "1234", fuel_eighths: 8, photos: [{ view: "front" }] });
});

const dent = {
  ...{ damage_id: "01890000-0000-7000-8000-000000000001", part: "roof", kind: "dent", severity: "light" },
  ...{ x: 500, y: 483, note: "", photos: [] },
} as WorkDraft["damages"][number];

function showStep(Step: unknown) {
  const frame = (action: VNode, content: VNode) => createElement(Fragment, null, action, content);
  const props = { draft: getOpenDraft(), part: undefined, onNext: () => undefined, frame };
  return renderComponent(createElement(Step as FunctionComponent<object>, props));
}

describe("the checks before a hand-over", () => {
  const review = () => {
    const step = showStep(ReviewStep);
    const [text, isDisabled] = [step.readText(), findButton(step, "Complete handover")?.disabled === true];
    step.close();
    return { text, isDisabled };
  };

  async function openUnidentified(role: "operator" | "manager"): Promise<void> {
    await openDelivery();
    await loadTexts("en");
    const [known] = shownDay.value?.data.deliveries ?? [];
    const booking = createBooking(bookings, TODAY, {
      ...{ resources: known?.resources ?? [], drivers: [], do_not_rent: { reason: "Left debts" } },
      customer: { ...createBooking(bookings, TODAY).customer, document_id: null },
    });
    shownDay.value = { data: createDay(TODAY, [booking], []), fetchedAt: Date.now() };
    settings.value = { ...createCheckInSettings("Ana", role), handover_checks: { ...MODES, identity: "block" } };
    await storeSession({ token: "t", username: "ana", full_name: "Ana", role, expired: true });
    await changeOpenWork({ kilometres: "1000", fuel_eighths: 8, readings_confirmed: true });
    await changeOpenWork({ open_confirmed: calculateUnsettledAmounts(getOpenDraft()).sum });
  }
  const MODES = createCheckInSettings("Ana", "operator").handover_checks;
  afterEach(() => {
    settings.value = undefined;
  });

  test("shows the customer's mark and what is missing, and lets an operator keep the record", async () => {
    await openUnidentified("operator");
    const { text, isDisabled } = review();
    expect(text).toContain("Do not rent: Left debts");
    expect(text).toContain(
      "Missing before the handover: payment, security deposit, driving licence, identity document, signature",
    );
    expect(text).toContain("Don't hand over without a manager: identity document");
    expect([text.includes("Reason to hand over anyway"), isDisabled]).toEqual([false, false]);
    await changeOpenWork({ driver: { document_id: "12345678Z" } });
    expect(review().text).not.toContain("identity document");
  });

  test("requires a manager's reason, separate from the notes, and sends it", async () => {
    await openUnidentified("manager");
    await changeOpenWork({ notes: "Scratch on the door" });
    expect(review()).toMatchObject({ text: expect.stringContaining("Reason to hand over anyway"), isDisabled: true });
    await changeOpenWork({ override_reason: " Passport seen " });
    expect(review().isDisabled).toBe(false);
    expect(toOperation(getOpenDraft())).toMatchObject({
      notes: "Scratch on the door",
      override_reason: "Passport seen",
    });
  });
});

test("takes the money due with the main button, and continues with it once nothing is due", async () => {
  await openDelivery();
  await loadTexts("en");
  const listButtons = (view: View) =>
    view.list("button").map((button) => [Reflect.get(button, "class"), button.textContent]);
  const step = showStep(MoneyStep);
  const suggested = "Take payment €100.00 · Take deposit €300.00";
  expect(listButtons(step)).toEqual([
    ["main suggestion", suggested],
    ["other", "Continue without payment"],
  ]);
  findButton(step, suggested)?.dispatch("click");
  step.close();
  await expect.poll(() => getOpenDraft().charges).toHaveLength(2);
  const paid = showStep(MoneyStep);
  expect(listButtons(paid)[0]).toEqual(["main", "Continue"]);
  paid.close();
});

describe("damage that was described and not saved", () => {
  test.each([
    ["a photo", { photos: ["a1"] }],
    ["a note", { note: "to the metal" }],
  ])("prevents finishing and marking the step as without damage if it has %s", async (_, changes) => {
    await openDelivery();
    await changeOpenWork({ kilometres: "1000", fuel_eighths: 8, open_damage: { ...dent, ...changes } });
    await loadTexts("en");
    const review = showStep(ReviewStep);
    expect(findButton(review, "Complete handover")?.disabled).toBe(true);
    expect(review.readText()).toContain("Unfinished damage: Roof");
    review.close();
    const step = showStep(DamageStep);
    expect(findButton(step, "No new damage")).toBeUndefined();
    step.close();
  });

  test("is dropped after an accidental tap", async () => {
    await openDelivery();
    await changeOpenWork({ open_damage: dent });
    const review = showStep(ReviewStep);
    expect(review.readText()).not.toContain("Unfinished damage");
    review.close();
  });
});

describe("device with a full disk", () => {
  const full = () => new DOMException("full", "QuotaExceededError");
  const fill = () =>
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw full();
    });

  // Proves "check-in.md": 12d
  test("reports an operation that can't start on a full disk, and starts it once there is space", async () => {
    await openDelivery();
    const [booking] = shownDay.value?.data.deliveries ?? [];
    const putSpy = fill();
    expect(booking && (await startWork(booking, undefined, "evidence"))).toBeUndefined();
    expect([isLastChangeUnsaved.value, visibleDrafts.value.has(`${bookings}:0:evidence`)]).toEqual([true, false]);
    await enqueueEvidence({ label: "", plate: "" }, { booking_id: bookings, base_version: 1, removed_photos: ["a"] });
    expect(isLastChangeUnsaved.value).toBe(true);
    putSpy.mockRestore();
    expect(booking && (await startWork(booking, undefined, "evidence"))).toBe(`${bookings}:0:evidence`);
    expect([isLastChangeUnsaved.value, visibleDrafts.value.has(`${bookings}:0:evidence`)]).toEqual([false, true]);
  });

  test("finishes an operation on a full disk by replacing lists that the server can send again", async () => {
    await openDelivery();
    const sealed = { iv: new Uint8Array(), bytes: new ArrayBuffer() };
    await database.use((db) => db.put("cache", { key: "fleet|1", etag: null, fetched_at: 0, sealed }));
    const putSpy = vi.spyOn(IDBObjectStore.prototype, "put");
    const isCacheEmpty = async () => (await database.use((db) => db.count("cache"))) === 0;
    let hasSpace = false;
    putSpy.mockImplementationOnce(() => {
      throw full();
    });
    await finishWork();
    hasSpace = await isCacheEmpty();
    putSpy.mockRestore();
    expect(hasSpace).toBe(true);
    expect((await lastItem())?.booking_id).toBe(bookings);
  });

  // Proves "check-in.md": 12c
  test("reports an operation that can't be finished, keeps it open and finishes it later", async () => {
    await openDelivery();
    const putSpy = fill();
    await expect(finishWork()).rejects.toThrow("full");
    putSpy.mockRestore();
    expect(openWorkDraft.value?.booking_id).toBe(bookings);
    await finishWork();
    expect((await lastItem())?.booking_id).toBe(bookings);
  });

  test("keeps all other data of an operation if a photo couldn't be saved", async () => {
    await openDelivery();
    await changeOpenWork({ kilometres: "77" });
    const putSpy = fill();
    expect(await addPhotoToWork(new Blob(["front"]), "front")).toBe("no_room");
    putSpy.mockRestore();
    expect(openWorkDraft.value).toMatchObject({ kilometres: "77", photos: [] });
  });

  // Proves "check-in.md": 12g
  test("saves a photo on a full disk by replacing photos already on the server", async () => {
    const key = await openDelivery();
    await addPhotoToWork(new Blob(["arrived"]), "front");
    const [file] = await database.use((db) => db.getAll("files"));
    await database.use((db) => db.put("files", { ...file, arrived: true } as StoredWorkFile));
    const contents = () => database.use((db) => db.count("contents", file?.key));
    const { put } = IDBObjectStore.prototype;
    let isFull = (await contents()) > 0;
    expect(isFull).toBe(true);
    const spy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
      if (isFull && this.name === "contents") throw full();
      return put.apply(this, args);
    });
    const originalDelete = IDBObjectStore.prototype.delete;
    const freed = vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (
      this: IDBObjectStore,
      item,
    ) {
      if (this.name === "contents" && item === file?.key) isFull = false;
      return originalDelete.call(this, item);
    });
    const rearPhoto = await addPhotoToWork(new Blob(["rear"]), "rear");
    const signed = await saveDrawnSignature(new Blob(["drawn"]), "Ana Ruiz", { hash: "c0ffee" }, []);
    spy.mockRestore();
    freed.mockRestore();
    expect([rearPhoto, signed, await contents()]).toEqual(["kept", "kept", 0]);
    openWorkDraft.value = undefined;
    await openWorkByKey(key);
    expect(getOpenDraft().photos.map(({ view }) => view)).toEqual(["front", "rear"]);
  });

  // Proves "check-in.md": 12i
  test("keeps input typed while a photo fails to be saved, without a reference to the missing photo", async () => {
    const key = await openDelivery();
    const { put } = IDBObjectStore.prototype;
    let contents = 0;
    const spy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
      // The first write only probes the available storage.
      if (this.name === "contents" && ++contents > 1) {
        void changeOpenWork({ kilometres: "1234", damages: [dent] });
        throw full();
      }
      return put.apply(this, args);
    });
    expect(await addPhotoToWork(new Blob(["front"]), "front")).toBe("no_room");
    spy.mockRestore();
    await changeOpenWork({ fuel_eighths: 8 });
    const typedDraft = { kilometres: "1234", damages: [dent], photos: [] };
    expect(openWorkDraft.value).toMatchObject(typedDraft);
    openWorkDraft.value = undefined;
    await openWorkByKey(key);
    expect(openWorkDraft.value).toMatchObject(typedDraft);
  });

  // Proves "check-in.md": 12h
  test("keeps unsaved input when an operation reopens, and saves it once there is space", async () => {
    const key = await openDelivery();
    const putSpy = fill();
    await changeOpenWork({ kilometres: "4321" });
    expect(isLastChangeUnsaved.value).toBe(true);
    const other = createBooking(900, TODAY, { resources: [createUnit(900)] });
    putSpy.mockRestore();
    const second = (await startWork(other, other.resources[0], "evidence")) ?? "";
    await openWorkByKey(second);
    await openWorkByKey(key);
    expect(getOpenDraft().kilometres).toBe("4321");
    expect(isLastChangeUnsaved.value).toBe(false);
    expect(await findDraft(database, key)).toMatchObject({ kilometres: "4321" });
  });
});

// Proves "check-in.md": T4
test("adds a photo to the operation it was taken for, whichever is open when it is shrunk", async () => {
  const first = await openDelivery();
  compressing = Promise.withResolvers();
  const taking = addPhotoToWork(new Blob(["of the first"]), "front");
  const second = await openDelivery();
  compressing.resolve();
  expect(await taking).toBe("kept");
  expect(openWorkDraft.value?.key).toBe(second);
  expect(openWorkDraft.value?.photos).toEqual([]);
  await openWorkByKey(first);
  expect(openWorkDraft.value?.photos).toHaveLength(1);
});

test("adds all photos of one choice to the operation they were chosen for, whichever is opened in between", async () => {
  const first = await openDelivery();
  compressing = Promise.withResolvers();
  const taking = addPhotosToWork(
    ["left", "right", "rear"].map((side) => new Blob([side])),
    "other",
  );
  const second = await openDelivery();
  compressing.resolve();
  expect(await taking).toBe("kept");
  expect([openWorkDraft.value?.key, openWorkDraft.value?.photos]).toEqual([second, []]);
  await openWorkByKey(first);
  expect(openWorkDraft.value?.photos).toHaveLength(3);
});

test("adds a drawn signature to the operation it was drawn for, whichever is opened in between", async () => {
  const first = await openDelivery();
  await openDelivery();
  expect(await saveDrawnSignature(new Blob(["drawn"]), "Ana Ruiz", { hash: "c0ffee" }, [], first)).toBe("kept");
  expect(openWorkDraft.value?.signature).toBeNull();
  await openWorkByKey(first);
  expect(openWorkDraft.value?.signature?.name).toBe("Ana Ruiz");
});

describe("photos that can't be saved", () => {
  /** Lets the system end the first write transactions of photos. */
  function failWrites(count: number) {
    const { put } = IDBObjectStore.prototype;
    let failures = 0;
    return vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === "contents" && args[0].key !== "probe" && failures++ < count)
        throw new DOMException("", "UnknownError");
      return put.apply(this, args);
    });
  }

  test("saves a photo again if the system ended its write", async () => {
    await openDelivery();
    const spy = failWrites(1);
    expect(await addPhotoToWork(new Blob(["front"]), "front")).toBe("kept");
    spy.mockRestore();
    expect(getOpenDraft().photos).toHaveLength(1);
  });

  test("reports a photo that fails twice, and saves the other chosen photos", async () => {
    await openDelivery();
    const spy = failWrites(2);
    expect(await addPhotosToWork([new Blob(["left"]), new Blob(["right"])], "other")).toBe("failed");
    spy.mockRestore();
    expect(getOpenDraft().photos).toHaveLength(1);
  });

  test("reports a camera that takes no picture", async () => {
    await openDelivery();
    expect(await addPhotoToWork(Promise.reject(new Error("no frame")), "front")).toBe("failed");
  });

  test("reports a photo whose operation was discarded in the meantime, or that belongs to no open operation", async () => {
    await openDelivery();
    compressing = Promise.withResolvers();
    const draft = getOpenDraft();
    const taking = addPhotoToWork(new Blob(["front"]), "front");
    await deleteDraft(database, draft);
    openWorkDraft.value = undefined;
    compressing.resolve();
    expect(await taking).toBe("gone");
    expect(await addPhotoToWork(new Blob(["rear"]), "rear")).toBe("gone");
  });
});

test("corrects work of a unit that the office removed for an open unit of the booking", async () => {
  await openDelivery();
  const item = await finishWork();
  const left = createBooking(bookings, TODAY, {
    resources: [createUnit(77, { state: "out" }), createUnit(78)],
  });
  shownDay.value = { data: createDay(TODAY, [left], []), fetchedAt: Date.now() };
  await openWorkByKey((await reopenRejectedWork({ ...item, state: "blocked", reason: "conflict" })) ?? "");
  expect(getOpenDraft().resource_id).toBe(left.resources[1]?.resource_id);
});

// Proves "check-in.md": P23
test("sends the return branch if it differs from the agreed one, and restores it for corrections", async () => {
  const booking = createBooking(1, TODAY, { resources: [createUnit(1, { vehicle: createVehicle(1) })] });
  const createOperation = (changes: Partial<WorkDraft>) =>
    toOperation({ ...createDraft(booking, booking.resources[0], "collection", "1:10:collection", "desk"), ...changes });
  const otherBranch = createOperation({ return_rental_location_code: "AIR" });
  expect(otherBranch).toMatchObject({ return_rental_location_code: "AIR" });
  expect(toDraftFields({ ...otherBranch, op_id: "1", device_id: "device-1", seq: 1 })).toMatchObject({
    return_rental_location_code: "AIR",
  });
  expect(createOperation({ return_rental_location_code: undefined })).not.toHaveProperty("return_rental_location_code");
});
