import { createHash } from "node:crypto";
import { type CallerKind, toReason } from "#domain/access/refused-calls.ts";
import { findKey } from "#worker/auth/signature.ts";
import { countRefusedCalls, type NewRefusedCalls } from "#worker/store/access/refused-calls.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** A call that was refused: whose key it showed, what it asked, and what was answered. */
export interface RefusedCall {
  readonly caller: { readonly kind: CallerKind; readonly apiKey: string };
  readonly operation: string;
  readonly answered: Parameters<typeof toReason>[0];
  readonly requestId: string;
}

/** Calls that wait to be counted, and of whose share they are. */
interface UnsavedCalls extends NewRefusedCalls {
  readonly share: string;
}

/** What an isolate has yet to write of an account, and how often it has written lately. */
interface AccountCallBuffer {
  readonly calls: Map<string, UnsavedCalls>;
  /** When the writing that is under way was begun; undefined while none is. */
  writingSince: number | undefined;
  hour: number;
  writes: number;
  /** When it wrote last, epoch ms. */
  wroteAt: number;
}

const HOUR = 3_600_000;
/** As many writes of an account's hour go at once; those beyond keep a distance. */
const PROMPT_WRITES = 30;
const PAUSE_MILLISECONDS = 25_000;
/** Work after an answer is ended by the platform after so long: what it had yet to write another one writes. */
const MAX_WRITE_MS = 30_000;
/** Of a key of the account's, and of all names together that are none that is known: nobody crowds out another. */
const MAX_UNSAVED_CALLS = 60;
const UNKNOWN_CALLER = "";
const MAX_CACHED_ACCOUNTS = 50;
const callBuffers = new Map<string, AccountCallBuffer>();

type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * Counts a refused call, to be done after its answer: few of them are written as they come, a flood in a batch every
 * half a minute.
 */
export async function noteRefusedCall(
  tenant: Tenant,
  call: RefusedCall,
  now: number,
  pause: Pause = (milliseconds) => scheduler.wait(milliseconds),
): Promise<void> {
  const { catalogue, partnerKeys, engineKeys } = await tenant.snapshot();
  const own = getCallBuffer(tenant.name);
  const { kind, apiKey } = call.caller;
  const isKnown = kind === "website" ? engineKeys.has(apiKey) : findKey(partnerKeys, apiKey) !== undefined;
  const share = isKnown ? `${kind}\n${apiKey}` : UNKNOWN_CALLER;
  add(own.calls, call, { share, day: civilNow(catalogue.settings.timezone, now).date, now });
  if (own.writingSince !== undefined && now - own.writingSince < MAX_WRITE_MS) return;
  own.writingSince = now;
  try {
    const milliseconds = getWriteDelay(own, now);
    await pause(milliseconds);
    await writeUnsavedCalls(tenant, own);
    // In a flood the next one writes what came meanwhile.
    if (milliseconds === 0 && own.calls.size > 0) await writeUnsavedCalls(tenant, own);
  } finally {
    own.writingSince = undefined;
  }
}

async function writeUnsavedCalls({ db }: Tenant, { calls }: AccountCallBuffer): Promise<void> {
  const counted = [...calls.values()];
  calls.clear();
  await countRefusedCalls(db, counted);
}

// Without a pause, too, the answer goes first.
function getWriteDelay(own: AccountCallBuffer, now: number): number {
  const hour = Math.floor(now / HOUR);
  if (own.hour !== hour) [own.hour, own.writes] = [hour, 0];
  own.writes += 1;
  const due = own.writes > PROMPT_WRITES ? Math.max(now, own.wroteAt + PAUSE_MILLISECONDS) : now;
  own.wroteAt = due;
  return Math.min(due - now, PAUSE_MILLISECONDS);
}

function getCallBuffer(account: string): AccountCallBuffer {
  const known = callBuffers.get(account);
  if (known) return known;
  const [oldest] = callBuffers.keys();
  if (callBuffers.size >= MAX_CACHED_ACCOUNTS && oldest !== undefined) callBuffers.delete(oldest);
  const own: AccountCallBuffer = { calls: new Map(), writingSince: undefined, hour: 0, writes: 0, wroteAt: 0 };
  callBuffers.set(account, own);
  return own;
}

function add(
  calls: Map<string, UnsavedCalls>,
  { caller: { kind, apiKey }, operation, answered, requestId }: RefusedCall,
  { share, day, now }: { readonly share: string; readonly day: NewRefusedCalls["day"]; readonly now: number },
): void {
  const reason = toReason(answered);
  const key = [day, kind, apiKey, operation, reason.code, reason.field, reason.kindOfMessage].join("\n");
  const known = calls.get(key);
  if (!known && [...calls.values()].filter((waitingCalls) => waitingCalls.share === share).length >= MAX_UNSAVED_CALLS)
    return;
  calls.set(key, {
    ...reason,
    share,
    day,
    kind,
    apiKey,
    keyHash: known?.keyHash ?? hashKey(apiKey),
    operation,
    count: (known?.count ?? 0) + 1,
    firstAt: known?.firstAt ?? now,
    lastAt: now,
    requestId,
  });
}

const hashKey = (apiKey: string) => createHash("sha256").update(apiKey).digest("hex");
