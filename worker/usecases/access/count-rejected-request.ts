import { createHash } from "node:crypto";
import { type CallerKind, toRejectionReason } from "#domain/access/rejected-requests.ts";
import { findPartnerKey } from "#worker/auth/signature.ts";
import { addRejectedRequestCounts, type NewRejectedRequestCount } from "#worker/store/access/rejected-requests.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Rejected request: its caller, operation, answer and id. */
export interface RejectedRequest {
  readonly caller: { readonly kind: CallerKind; readonly apiKey: string };
  readonly operation: string;
  readonly answered: Parameters<typeof toRejectionReason>[0];
  readonly requestId: string;
}

/** Rejected requests that aren't saved yet, and the caller whose limit in the buffer they count towards. */
interface UnsavedRequestCount extends NewRejectedRequestCount {
  readonly callerKey: string;
}

/** Unsaved requests of an account in an isolate, and its recent number of writes. */
interface AccountRequestBuffer {
  readonly calls: Map<string, UnsavedRequestCount>;
  /** Start of the current write, or undefined. */
  writingSince: number | undefined;
  hour: number;
  writes: number;
  /** Time of the last write, epoch ms. */
  wroteAt: number;
}

const HOUR = 3_600_000;
/** Maximum number of immediate writes per account and hour. Further writes are delayed. */
const PROMPT_WRITES = 30;
const PAUSE_MILLISECONDS = 25_000;
/** The platform ends work after a response at this limit. A later request writes the rest. */
const MAX_WRITE_MS = 30_000;
/**
 * Maximum number of unsaved entries for each known key, and for all unknown keys together. One caller can't displace
 * another.
 */
const MAX_UNSAVED_CALLS = 60;
const UNKNOWN_CALLER = "";
const MAX_CACHED_ACCOUNTS = 50;
const callBuffers = new Map<string, AccountRequestBuffer>();

type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * Counts a rejected request. Run it after its response. A few are written immediately, a flood in batches every half
 * minute.
 */
export async function countRejectedRequest(
  tenant: Tenant,
  rejectedRequest: RejectedRequest,
  now: number,
  pause: Pause = (milliseconds) => scheduler.wait(milliseconds),
): Promise<void> {
  const { catalogue, partnerKeys, engineKeys } = await tenant.snapshot();
  const own = getCallBuffer(tenant.name);
  const { kind, apiKey } = rejectedRequest.caller;
  const isKnown = kind === "website" ? engineKeys.has(apiKey) : findPartnerKey(partnerKeys, apiKey) !== undefined;
  const callerKey = isKnown ? `${kind}\n${apiKey}` : UNKNOWN_CALLER;
  add(own.calls, rejectedRequest, { callerKey, day: toCivilNow(catalogue.settings.timezone, now).date, now });
  if (own.writingSince !== undefined && now - own.writingSince < MAX_WRITE_MS) return;
  own.writingSince = now;
  try {
    const milliseconds = getWriteDelay(own, now);
    await pause(milliseconds);
    await writeUnsavedCounts(tenant, own);
    // In a flood, the next write includes requests that arrived in between.
    if (milliseconds === 0 && own.calls.size > 0) await writeUnsavedCounts(tenant, own);
  } finally {
    own.writingSince = undefined;
  }
}

async function writeUnsavedCounts({ db }: Tenant, { calls }: AccountRequestBuffer): Promise<void> {
  const counted = [...calls.values()];
  calls.clear();
  await addRejectedRequestCounts(db, counted);
}

// Returns how long to wait before a write. Even without a wait, the response is sent first.
function getWriteDelay(own: AccountRequestBuffer, now: number): number {
  const hour = Math.floor(now / HOUR);
  if (own.hour !== hour) [own.hour, own.writes] = [hour, 0];
  own.writes += 1;
  const due = own.writes > PROMPT_WRITES ? Math.max(now, own.wroteAt + PAUSE_MILLISECONDS) : now;
  own.wroteAt = due;
  return Math.min(due - now, PAUSE_MILLISECONDS);
}

function getCallBuffer(account: string): AccountRequestBuffer {
  const known = callBuffers.get(account);
  if (known) return known;
  const [oldest] = callBuffers.keys();
  if (callBuffers.size >= MAX_CACHED_ACCOUNTS && oldest !== undefined) callBuffers.delete(oldest);
  const own: AccountRequestBuffer = { calls: new Map(), writingSince: undefined, hour: 0, writes: 0, wroteAt: 0 };
  callBuffers.set(account, own);
  return own;
}

function add(
  calls: Map<string, UnsavedRequestCount>,
  { caller: { kind, apiKey }, operation, answered, requestId }: RejectedRequest,
  {
    callerKey,
    day,
    now,
  }: { readonly callerKey: string; readonly day: NewRejectedRequestCount["day"]; readonly now: number },
): void {
  const reason = toRejectionReason(answered);
  const key = [day, kind, apiKey, operation, reason.code, reason.field, reason.kindOfMessage].join("\n");
  const known = calls.get(key);
  if (
    !known &&
    [...calls.values()].filter((waitingCalls) => waitingCalls.callerKey === callerKey).length >= MAX_UNSAVED_CALLS
  )
    return;
  calls.set(key, {
    ...reason,
    callerKey,
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
