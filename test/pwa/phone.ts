import { createClient } from "#app/api/client.ts";
import type { Operation } from "#app/api/messages.ts";
import type { Transport } from "#app/api/wire.ts";
import { type DeviceSession, openDatabase } from "#app/offline/db.ts";
import { getDraftKey, saveDraft, saveDraftWithPicture } from "#app/offline/drafts.ts";
import { deleteEncryptionKeys, fetchEncryptionKeys, loadEncryptionKeys } from "#app/offline/encryption-keys.ts";
import type { WorkDraft } from "#app/offline/items.ts";
import { listWorkKeyNumbers } from "#app/offline/locked-work.ts";
import { enqueueFinishedWork, listOutboxItems, requeueInterruptedItems } from "#app/offline/outbox.ts";
import type { PhotoShrinker } from "#app/offline/shrink-rejected-photo.ts";
import { readDeviceState, saveDeviceState } from "#app/offline/stored-metadata.ts";
import { createSync } from "#app/offline/sync.ts";
import type { LoginRequest } from "#worker/api/customer-access/messages.ts";

export interface PhoneOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly now: () => number;
  /** Lock held by another tab of the device. */
  readonly runInSingleTab?: (work: () => Promise<void>) => Promise<void>;
  /** Shrinks a picture to its last half. */
  readonly shrink?: PhotoShrinker;
}

export type Phone = Awaited<ReturnType<typeof startPhone>>;

async function lastHalf(picture: Blob) {
  const bytes = await picture.arrayBuffer();
  return bytes.byteLength < 2
    ? undefined
    : { bytes: bytes.slice(-Math.ceil(bytes.byteLength / 2)), type: picture.type };
}

/** Starts the app without screens, on a database that survives it. */
export async function startPhone({
  name,
  transport,
  now,
  runInSingleTab = (work) => work(),
  shrink = lastHalf,
}: PhoneOptions) {
  const database = openDatabase(name);
  const approved = new Set<string>();
  let session: DeviceSession | undefined;
  let isDead = false;
  let isReached: boolean | undefined;
  const client = createClient({
    transport: async (outgoingRequest) => {
      if (isDead) return new Promise(() => undefined);
      const received = await transport(outgoingRequest);
      return isDead ? new Promise(() => undefined) : received;
    },
    now,
    token: () => session?.token,
    onToken: (token) => {
      if (session) session = { ...session, token };
    },
    onClock: (offset) => {
      if (!isDead) void saveDeviceState(database, "clock_offset_ms", offset);
    },
    onSignedOut: () => {
      if (session) session = { ...session, expired: true };
      if (!isDead) void deleteEncryptionKeys(database, { inMemory: false });
    },
  });
  const sync = createSync({
    database,
    client,
    now,
    random: () => 0.5,
    shrink,
    maySend: () => session !== undefined && !session.expired,
    mayCarry: ({ author }) => session?.username === author || (session?.role === "manager" && approved.has(author)),
    alone: runInSingleTab,
    onItem: () => undefined,
    onProgress: () => undefined,
    onPhoto: () => undefined,
    onReach: (reached) => {
      isReached = reached;
    },
  });
  await requeueInterruptedItems(database);
  return {
    name,
    database,
    client,
    sync,
    isReached: () => isReached,
    session: () => session,
    /** Lets a manager send the work of a colleague. */
    approve: (author: string) => void approved.add(author),
    items: () => listOutboxItems(database),
    /** Reads all stored outbox items, encrypted or not. */
    kept: () => database.use((db) => db.getAll("ops")),
    async signIn(username: string): Promise<boolean> {
      session = { token: "", username, full_name: username, role: "operator", expired: true };
      const answer = await client.call<
        { readonly connected: boolean; readonly user?: { readonly role: string } },
        LoginRequest
      >("POST", "/api/v1/login", {
        json: { username, password: "right" },
      });
      if (answer.kind !== "ok" || !answer.value.connected) return false;
      session = { ...session, role: answer.value.user?.role ?? "operator", expired: false };
      loadEncryptionKeys(database, username, await readDeviceState(database, "ring"));
      await fetchEncryptionKeys(
        database,
        client,
        username,
        session.role === "manager" ? await listWorkKeyNumbers(database) : [],
      );
      return true;
    },
    /** Kills the app. Pending promises never resolve. */
    async kill(): Promise<void> {
      isDead = true;
      // It writes nothing more. Only pending disk writes finish.
      database.use = () => new Promise(() => undefined);
      await database.close();
    },
  };
}

/** Creates a draft like the screens. */
export function createDraft(bookingId: number, kind: Operation["kind"], changes: Partial<WorkDraft> = {}): WorkDraft {
  const unitId = kind === "evidence" ? null : bookingId * 10;
  return {
    key: getDraftKey(bookingId, unitId, kind),
    booking_id: bookingId,
    resource_id: unitId,
    kind,
    base_version: 1,
    label: `Customer ${bookingId}`,
    plate: "",
    step: "vehicle",
    author: "ana",
    updated_at: 0,
    replaces: null,
    vehicle_reference: "V0002",
    kilometres: "",
    fuel_eighths: null,
    notes: "",
    extras: [],
    damages: [],
    charges: [],
    checks: [],
    photos: [],
    removed_photos: [],
    signature: null,
    strokes: null,
    ...changes,
  };
}

const toBuffer = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

/** Adds a photo to a draft. */
export async function photograph(phone: Phone, draft: WorkDraft, picture: string): Promise<WorkDraft> {
  return saveDraftWithPicture(phone.database, { bytes: toBuffer(picture), type: "image/jpeg" }, (hash) => ({
    ...draft,
    photos: [...draft.photos, { hash, view: "front", taken_at: "2027-05-03T10:00:00.000Z" }],
  }));
}

/** Finishes a draft, which moves it to the outbox. */
export async function finish(phone: Phone, draft: WorkDraft, now: number) {
  await saveDraft(phone.database, draft);
  const { booking_id, kind, base_version, author, photos, damages, vehicle_reference, signature } = draft;
  const { removed_photos } = draft;
  const operation = {
    ...{ booking_id, kind, base_version, author, photos, damages, vehicle_reference },
    recorded_at: new Date(now).toISOString(),
    ...(draft.resource_id === null ? {} : { resource_id: draft.resource_id }),
    ...(signature ? { signature } : {}),
    ...(removed_photos.length > 0 ? { removed_photos: [...removed_photos] } : {}),
  };
  return enqueueFinishedWork(phone.database, { draft, operation, now });
}

/** Creates a finished delivery with photos. */
export async function deliver(phone: Phone, bookingId: number, pictures: readonly string[], now: number) {
  const author = phone.session()?.username ?? "ana";
  let draft = createDraft(bookingId, "delivery", {
    author,
    vehicle_reference: `V${String(bookingId).padStart(4, "0")}`,
  });
  for (const picture of pictures) draft = await photograph(phone, draft, picture);
  return finish(phone, draft, now);
}
