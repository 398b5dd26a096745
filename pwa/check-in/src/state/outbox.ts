import { batch, computed, signal } from "@preact/signals";
import type { OutboxItem, StoredWorkFile, WorkDraft } from "../offline/items.ts";
import type { LockedWork } from "../offline/locked-work.ts";
import type { PhotoBeingSent } from "../offline/send-item.ts";

// Screen update interval, because sending changes items hundreds of times.
const SCREEN_MS = 150;

/** The user viewing the data: own work only, or all work for office staff. */
export interface Viewer {
  readonly username: string;
  /** Number of the user's key, the same for all their user names. */
  readonly seal: number | undefined;
  readonly isOffice: boolean;
}

export const viewer = signal<Viewer | undefined>(undefined);

const allItems = signal<ReadonlyMap<string, OutboxItem>>(new Map());
const allDrafts = signal<ReadonlyMap<string, WorkDraft>>(new Map());

interface Authored {
  readonly author: string;
  readonly seal?: number | undefined;
}

/** Whether the signed-in user is the author. */
export const isOwnWork = ({ author, seal }: Authored): boolean => {
  const currentViewer = viewer.value;
  return (
    currentViewer !== undefined &&
    (currentViewer.username === author || (seal !== undefined && seal === currentViewer.seal))
  );
};

/** Whether the user may see work, as its author or as office staff. */
export const canSeeWork = (work: Authored): boolean =>
  viewer.value === undefined || viewer.value.isOffice || isOwnWork(work);

/** Work that no key on this device can decrypt. It stays pending until its author or the office signs in. */
const locked = signal<readonly LockedWork[]>([]);
/** The user's own encrypted work, after the session ended or before its key could be fetched. */
export const ownLockedWork = computed(() => locked.value.filter(isOwnWork));

/** The work that the viewer may see. */
export const visibleItems = computed(() => visibleWork(allItems.value));
export const visibleDrafts = computed(() => visibleWork(allDrafts.value));

const visibleWork = <Work extends { readonly author: string }>(
  all: ReadonlyMap<string, Work>,
): ReadonlyMap<string, Work> => new Map([...all].filter(([, work]) => canSeeWork(work)));

/** Number of unsent items of other users, by user name, without any details. */
export const otherUsersWorkCounts = computed(() => {
  const counted = new Map<string, number>();
  const unconfirmedItems = [...allItems.value.values()].filter(({ state }) => state !== "confirmed");
  const open = [...unconfirmedItems, ...allDrafts.value.values()].filter((work) => !canSeeWork(work));
  for (const { author } of [...open, ...locked.value.filter((work) => !isOwnWork(work))]) {
    counted.set(author, (counted.get(author) ?? 0) + 1);
  }
  return counted;
});

/** Authors whose work on this device the signed-in office user chose to send. */
export const approvedAuthors = signal<ReadonlySet<string>>(new Set());

/** Whether work may be sent: own work, and a colleague's once the signed-in office user chose to send it. */
export const maySendWork = (work: Authored): boolean =>
  isOwnWork(work) || (canSeeWork(work) && approvedAuthors.value.has(work.author));

/** Number of colleagues' unsent items that the office user may send but hasn't decided on, by author. */
export const undecidedWorkCounts = computed(() => {
  const items = [...visibleItems.value.values()].filter((item) => item.state !== "confirmed" && !maySendWork(item));
  return new Map([...Map.groupBy(items, ({ author }) => author)].map(([author, { length }]) => [author, length]));
});

/** Bytes sent, by file key. */
export const uploadProgress = signal<ReadonlyMap<string, number>>(new Map());
/** Photo sent last, by item. Two bookings are sent in parallel. */
export const photosSending = signal<ReadonlyMap<string, PhotoBeingSent>>(new Map());
/** Whether the server answered the last request. Undefined before the first response. */
export const isServerReachable = signal<boolean | undefined>(undefined);
/** Whether the device reports a network. */
export const isOnline = signal(navigator.onLine);
/** Time at which the server last received work, epoch ms of the device's clock. */
export const lastReceivedByServerAt = signal<number | undefined>(undefined);
/** Counter that increases with each uploaded file, so that file lists refresh. */
export const fileChangeCounter = signal(0);

const changedItems = new Map<string, OutboxItem>();
const pendingProgress = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a changed item with the next screen update. */
export function handleItemChange(item: OutboxItem): void {
  changedItems.set(item.op_id, item);
  if (timer === undefined) timer = setTimeout(flush, SCREEN_MS);
}

/** Shows the sent bytes of a file with the next screen update. */
export function handleUploadProgress(file: StoredWorkFile, sentBytes: number): void {
  pendingProgress.set(file.key, sentBytes);
  if (timer === undefined) timer = setTimeout(flush, SCREEN_MS);
}

/** Shows which photo is being sent. */
export function handlePhotoSending(photo: PhotoBeingSent): void {
  photosSending.value = new Map(photosSending.peek()).set(photo.opId, photo);
}

function flush(): void {
  timer = undefined;
  batch(() => {
    if (changedItems.size > 0) {
      allItems.value = new Map([...allItems.value, ...changedItems]);
      fileChangeCounter.value += 1;
    }
    if (pendingProgress.size > 0) uploadProgress.value = new Map([...uploadProgress.value, ...pendingProgress]);
  });
  changedItems.clear();
  pendingProgress.clear();
}

/** Replaces all items of the outbox on screen. */
export function replaceItems(all: readonly OutboxItem[]): void {
  changedItems.clear();
  allItems.value = new Map(all.map((item) => [item.op_id, item]));
}

/** Replaces the list of work that no key on this device can decrypt. */
export function replaceLocked(all: readonly LockedWork[]): void {
  locked.value = all;
}

/** Replaces all drafts on screen. */
export function replaceDrafts(all: readonly WorkDraft[]): void {
  allDrafts.value = new Map(all.map((draft) => [draft.key, draft]));
}

export function handleDraftChange(draft: WorkDraft): void {
  allDrafts.value = new Map(allDrafts.peek()).set(draft.key, draft);
}

/** Number of items that are pending, sending, needing attention and received. */
export const itemCounts = computed(() => {
  const unstartedCount = ownLockedWork.value.filter(({ isDraft }) => !isDraft).length;
  const count = { waiting: unstartedCount, sending: 0, blocked: 0, confirmed: 0 };
  for (const { state } of visibleItems.value.values()) {
    if (state === "sending") count.sending += 1;
    else if (state === "blocked") count.blocked += 1;
    else if (state === "confirmed") count.confirmed += 1;
    else count.waiting += 1;
  }
  return count;
});

export const unsentItemCount = computed(() => {
  const { waiting, sending, blocked } = itemCounts.value;
  return waiting + sending + blocked;
});

/** Time of the oldest unsent work. */
export const oldestUnsentAt = computed(() => {
  const unstartedCount = [...visibleItems.value.values()].filter(({ state }) => state !== "confirmed");
  return unstartedCount.length === 0 ? undefined : Math.min(...unstartedCount.map(({ queued_at }) => queued_at));
});

/** Items of each booking, latest last. */
export const itemsByBooking = computed(() => {
  const byBooking = new Map<number, OutboxItem[]>();
  for (const item of visibleItems.value.values()) {
    const list = byBooking.get(item.booking_id);
    if (list) list.push(item);
    else byBooking.set(item.booking_id, [item]);
  }
  return byBooking;
});

/** Drafts of each booking. */
export const draftsByBooking = computed(() =>
  Map.groupBy(visibleDrafts.value.values(), ({ booking_id }) => booking_id),
);
