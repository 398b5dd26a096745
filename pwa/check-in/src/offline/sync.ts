import type { Client } from "../api/client.ts";
import { backoffMs, dueAt } from "./backoff.ts";
import type { Database } from "./db.ts";
import type { OutboxItem, StoredFile } from "./items.ts";
import { listItems } from "./outbox.ts";
import { type ItemSending, sendItem } from "./send-item.ts";
import type { Shrink } from "./shrink-file.ts";

const LANES = 2;
const FAULTS_BEFORE_PAUSE = 3;

export interface SyncDeps {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Makes a photo smaller that the server calls too large. */
  readonly shrink: Shrink;
  /** Whether somebody is signed in whom the server knows. */
  readonly maySend: () => boolean;
  /** Whether who is signed in may send this work: its author, or the office. */
  readonly mayCarry: (item: OutboxItem) => boolean;
  /** Runs `work` unless another tab does already: one sender for the phone. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onItem: (item: OutboxItem) => void;
  readonly onProgress: (file: StoredFile, sent: number) => void;
  /** Whether the server can be reached, as far as is known. */
  readonly onReach: (isReached: boolean) => void;
}

/** Drains the outbox: bookings two at a time, the work of one booking in its order. */
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
    const wait = seconds === undefined ? backoffMs(count, deps.random()) : seconds * 1000 * (1 + deps.random() / 2);
    pausedAt = deps.now();
    pausedUntil = pausedAt + wait;
  };
  const sending: ItemSending = {
    ...deps,
    onLater: (retryAfterSeconds) => {
      failures += 1;
      pause(failures, retryAfterSeconds);
      deps.onReach(false);
    },
    onFault: () => {
      faults += 1;
      // A server that fails whatever it is sent is left in peace; a single item that it cannot take holds up nothing.
      if (faults >= FAULTS_BEFORE_PAUSE) pause(faults);
    },
    onSuccess: () => {
      failures = 0;
      faults = 0;
      deps.onReach(true);
    },
  };

  /** After a lost connection one small question goes first, and its answer must be the server's own. */
  async function isReached(): Promise<boolean> {
    if (failures === 0) return true;
    const answer = await deps.client.call<{ readonly status?: string }>("GET", "/healthz");
    // That it answers a small question says nothing of uploads: only what arrives ends the waiting.
    if (answer.kind === "ok" && answer.value?.status === "ok") {
      deps.onReach(true);
      return true;
    }
    sending.onLater(undefined);
    return false;
  }

  // A clock that goes back ends the pause.
  const isPaused = () => deps.now() >= pausedAt && deps.now() < pausedUntil;
  const mayGo = () => deps.maySend() && !isPaused();

  async function refresh(): Promise<void> {
    while (isStale) {
      isStale = false;
      pending = (await listItems(deps.database)).filter((item) => isPending(item) && deps.mayCarry(item));
    }
  }

  /** What may go as far as the order of its booking is concerned, each when its wait is over. */
  function candidates(): readonly OutboxItem[] {
    const before = new Set<number>(busy);
    return pending.filter((item) => {
      const mayFollow = !before.has(item.booking_id);
      // What comes later of the same booking waits for it; photos that lag behind hold up nothing.
      if (!item.accepted) before.add(item.booking_id);
      return mayFollow;
    });
  }

  const nextDue = () => candidates().find(({ next_at }) => dueAt(next_at, deps.now()) <= deps.now());

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
      // Each lane that ends frees a booking whose next work another lane may take.
      do await Promise.all(Array.from({ length: LANES }, lane));
      while (isStale && mayGo());
    });
  }

  return {
    /** Sends what is due; resolves when nothing more is, for now. */
    run(): Promise<void> {
      isStale = true;
      running ??= drain().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** The network came back, or a person asks: no need to wait any longer. */
    hurry(): Promise<void> {
      pausedUntil = 0;
      return this.run();
    },
    /** When there is something to do next, by the phone's clock; undefined for nothing. */
    nextAt(): number | undefined {
      const due = candidates().map(({ next_at }) => dueAt(next_at, deps.now()));
      return due.length === 0 ? undefined : Math.max(isPaused() ? pausedUntil : 0, Math.min(...due));
    },
  };
}

const isPending = ({ state }: OutboxItem) => state !== "confirmed" && state !== "blocked";
