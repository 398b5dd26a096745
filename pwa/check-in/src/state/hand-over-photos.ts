import type { OperationRecord } from "../api/messages.ts";
import { findCachedList, refreshCachedList } from "../offline/cache.ts";
import type { WorkDraft } from "../offline/items.ts";
import { database } from "./device-session.ts";
import { visibleItems } from "./outbox.ts";
import { cacheRefreshDeps } from "./settings.ts";

type View = WorkDraft["photos"][number]["view"];

/** File names of the hand-over photos by vehicle side. */
export type HandOverPhotoHashes = Readonly<Partial<Record<View, string>>>;

interface BookingWork {
  readonly operations: readonly OperationRecord[];
}

interface Shot {
  readonly hash: string;
  readonly view: View;
}

const toWorkKey = (bookingId: number) => `work|${bookingId}`;

/** Loads the hand-over photos of a unit from this device or the server. */
export async function loadHandOverPhotos({ booking_id, resource_id }: WorkDraft): Promise<HandOverPhotoHashes> {
  const handOverItem = [...visibleItems.peek().values()].find(
    ({ kind, operation }) =>
      kind === "delivery" && operation.booking_id === booking_id && operation.resource_id === resource_id,
  );
  if (handOverItem) return byView(handOverItem.operation.photos ?? []);
  const key = toWorkKey(booking_id);
  const reportedShots =
    (await refreshCachedList<BookingWork>(cacheRefreshDeps, key, `/api/v1/booking/${booking_id}/check-in`)) ??
    (await findCachedList<BookingWork>(database, key));
  const delivery = reportedShots?.data.operations.find(
    ({ kind, resource_id: unit, state }) => kind === "delivery" && unit === resource_id && state === "applied",
  );
  return byView((delivery?.operation["photos"] ?? []) as readonly Shot[]);
}

const byView = (shots: readonly Shot[]): HandOverPhotoHashes =>
  Object.fromEntries(shots.map(({ view, hash }) => [view, hash]));
