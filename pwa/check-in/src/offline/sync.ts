import type { Client } from "../api/client.ts";
import { getBackoffMs, resetImplausibleRetryTime } from "./backoff.ts";
import type { Database } from "./db.ts";
import type { OutboxItem, StoredWorkFile } from "./items.ts";
import { listOutboxItems } from "./outbox.ts";
import { type ItemSendingDeps, type PhotoBeingSent, sendItem } from "./send-item.ts";
import type { PhotoShrinker } from "./shrink-rejected-photo.ts";

const LANES = 2;
const FAULTS_BEFORE_PAUSE = 3;

/** Inputs and callbacks for sending the outbox. */
export interface SyncDeps {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => number;
  /** Random number from 0 to 1. */
  readonly random: () => number;
  /** Shrinks a photo that the server rejects as too large. */
  readonly shrink: PhotoShrinker;
  /** Whether a user with a valid session is signed in. */
  readonly maySend: () => boolean;
  /** Whether the signed-in user may send this work, as its author or as office staff. */
  readonly mayCarry: (item: OutboxItem) => boolean;
  /** Runs `work` unless another tab does, so that the device has only one sender. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onItem: (item: OutboxItem) => void;
  readonly onProgress: (file: StoredWorkFile, sentBytes: number) => void;
  readonly onPhoto: (photo: PhotoBeingSent) => void;
  /** Called with the last known reachability of the server. */
  readonly onReach: (isReached: boolean) => void;
}

/** Creates the outbox sender. It sends two bookings in parallel and the work of each booking in order. */
export function createSync(deps: SyncDeps) {
  let pending: OutboxItem[] = [];
  const busy = new Set<number>();
  let pausedUntil = 0;
  let pausedAt = 0;
  let failures = 0;
  let faults = 0;
  let isStale = true;
  let running: Promise<void> | undefined;

  const pause = (count: number, seconds?: number) => {
    const wait = seconds === undefined ? getBackoffMs(count, deps.random()) : seconds * 1000 * (1 + deps.random() / 2);
    pausedAt = deps.now();
    pausedUntil = pausedAt + wait;
  };
  const sending: ItemSendingDeps = {
    ...deps,
    onLater: (retryAfterSeconds) => {
      failures += 1;
      pause(failures, retryAfterSeconds);
      deps.onReach(false);
    },
    onFault: () => {
      faults += 1;
      // Pause if the server fails repeatedly. A single item that it can't process blocks nothing.
      if (faults >= FAULTS_BEFORE_PAUSE) pause(faults);
    },
    onSuccess: () => {
      failures = 0;
      faults = 0;
      deps.onReach(true);
    },
  };

  /**
   * Whether the server can be reached. After a lost connection, sends a small request and verifies that the server
   * itself responded.
   */
  async function isReached(): Promise<boolean> {
    if (failures === 0) return true;
    const answer = await deps.client.call<{ readonly status?: string }>("GET", "/healthz");
    // A successful health check doesn't prove that uploads work. Only a completed upload ends the delay.
    if (answer.kind === "ok" && answer.value?.status === "ok") {
      deps.onReach(true);
      return true;
    }
    sending.onLater(undefined);
    return false;
  }

  // A time before the start of the pause means that the clock was set back. The pause is over then.
  const isPaused = () => deps.now() >= pausedAt && deps.now() < pausedUntil;
  const mayGo = () => deps.maySend() && !isPaused();

  async function refresh(): Promise<void> {
    while (isStale) {
      isStale = false;
      pending = (await listOutboxItems(deps.database)).filter((item) => isPending(item) && deps.mayCarry(item));
    }
  }

  /**
   * Lists the pending items that may be sent next: their booking isn't being sent and has no earlier unaccepted item.
   */
  function candidates(): readonly OutboxItem[] {
    const before = new Set<number>(busy);
    return pending.filter((item) => {
      const mayFollow = !before.has(item.booking_id);
      // Later work of the same booking must wait. Missing photos of earlier work don't block it.
      if (!item.accepted) before.add(item.booking_id);
      return mayFollow;
    });
  }

  const nextDue = () =>
    candidates().find(({ next_at }) => resetImplausibleRetryTime(next_at, deps.now()) <= deps.now());

  async function lane(): Promise<void> {
    while (mayGo()) {
      await refresh();
      const item = nextDue();
      if (!item) return;
      busy.add(item.booking_id);
      try {
        const after = await sendItem(sending, item);
        const isDone = !isPending(after);
        pending = pending.flatMap((other) => (other.op_id !== after.op_id ? [other] : isDone ? [] : [after]));
      } finally {
        busy.delete(item.booking_id);
      }
    }
  }

  async function drain(): Promise<void> {
    await deps.alone(async () => {
      await refresh();
      if (pending.length === 0 || !mayGo() || !(await isReached())) return;
      // A finished lane may free a booking for another lane.
      do await Promise.all(Array.from({ length: LANES }, lane));
      while (isStale && mayGo());
    });
  }

  return {
    /** Sends all due items. Resolves once nothing else is due. */
    run(): Promise<void> {
      isStale = true;
      running ??= drain().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Ends the delay because the network is back or the user asked for it. */
    hurry(): Promise<void> {
      pausedUntil = 0;
      return this.run();
    },
    /** Returns when the next item is due by the device's clock, or undefined if there's none. */
    nextAt(): number | undefined {
      const due = candidates().map(({ next_at }) => resetImplausibleRetryTime(next_at, deps.now()));
      return due.length === 0 ? undefined : Math.max(isPaused() ? pausedUntil : 0, Math.min(...due));
    },
  };
}

const isPending = ({ state }: OutboxItem) => state !== "confirmed" && state !== "blocked";
