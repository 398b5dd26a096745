import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { MILLISECONDS_PER_MINUTE } from "#domain/dates.ts";
import type { AttentionItem, AttentionKind, PendingTask } from "#domain/operations/attention.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  dismissTaskStatement,
  LOCAL_TIME_ATTENTION_KINDS,
  officeAttentionQueries,
  pickNewestStock,
  toPendingTasks,
} from "#worker/store/operations/office-attention.ts";
import type { CachedStock } from "#worker/store/operations/stock-attention.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

export interface AttentionTaskList {
  readonly items: readonly AttentionItem[];
  readonly currencyDecimals: number;
}

/** Maximum number of accounts with cached stock. A stock has thousands of rows and only changes with bookings. */
const MAX_CACHED_ACCOUNTS = 20;
const cachedStocks = new Map<string, CachedStock>();

/** Kinds of tasks that users mark as done. Other tasks disappear after a booking action, a payment or a decision. */
const KINDS_MARKED_AS_DONE: ReadonlySet<AttentionKind> = new Set([
  "deposit_held", // for fines that may still arrive
  "card_hold",
  "check_in_to_review",
  "device_work_missing", // the device is lost
  "einvoice_incomplete", // an issued document's customer can't change
  "payment_mismatch",
  "quote_sold_out",
  "security_alert",
  "tax_record_flawed",
  "vehicle_due",
  "webhook_failing", // a disabled webhook
]);
/** Kinds of tasks that concern the full account and that only administrators see. */
const KINDS_FOR_ADMINISTRATORS: ReadonlySet<AttentionKind> = new Set([
  "backup_overdue",
  "certificate_expiring",
  "drill_overdue",
  "nearly_full",
  "security_alert",
  "tax_records_unsent",
  "webhook_failing",
]);

/** Lists the pending tasks at the user's branches, newest first. One round trip. */
export async function listAttentionTasks(
  request: StaffRequest,
): Promise<Result<StaffAnswer<AttentionTaskList>, OfficeRefusal>> {
  const attentionItems = await readAttention(request);
  if (!attentionItems.ok) return attentionItems;
  const { items, freshToken, currencyDecimals } = attentionItems.value;
  return ok({ value: { items, currencyDecimals }, freshToken });
}

async function readAttention(request: StaffRequest) {
  const { tenant, now } = request;
  const cachedStock = tenant.canCacheReads ? cachedStocks.get(tenant.name) : undefined;
  const read = await readAsStaff(request, ({ settings }) => {
    const { date, time } = toCivilNow(settings.timezone, now);
    return officeAttentionQueries(tenant.db, { civilNow: `${date} ${time}`, at: now, cachedStock });
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const stock = pickNewestStock(rows, cachedStock);
  if (stock) cacheStock(tenant.name, stock);
  const finishedItems = new Set(rows[2].map(({ item }) => item));
  const items = toPendingTasks(rows, { at: now, cachedStock, catalogue })
    .filter((item) => isVisibleTo(item, staff))
    .map((item) => ({
      ...item,
      id: toTaskId(item),
      at: toTaskInstant(item, catalogue.settings.timezone),
      canBeDone: KINDS_MARKED_AS_DONE.has(item.kind),
    }))
    .filter(({ id }) => !finishedItems.has(id))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  return ok({ items, staff, freshToken, currencyDecimals: catalogue.settings.currencyDecimals });
}

function cacheStock(account: string, stock: CachedStock): void {
  cachedStocks.delete(account);
  cachedStocks.set(account, stock);
  const [oldest] = cachedStocks.keys();
  if (cachedStocks.size > MAX_CACHED_ACCOUNTS && oldest !== undefined) cachedStocks.delete(oldest);
}

// Tasks without a booking are visible to users of all branches.
function isVisibleTo({ kind, branchCode, returnBranchCode }: PendingTask, staff: SignedInUser): boolean {
  if (KINDS_FOR_ADMINISTRATORS.has(kind)) return hasRight(staff.role, "administer");
  if (branchCode === null || returnBranchCode === null) return staff.branches === "all";
  return canAccessBranch(staff, branchCode, returnBranchCode);
}

// Agreed times are stored in the account's local time.
function toTaskInstant({ kind, at }: PendingTask, timezone: string): number {
  return LOCAL_TIME_ATTENTION_KINDS.has(kind) ? toEpochInstant(timezone, at / MILLISECONDS_PER_MINUTE) : at;
}

function toTaskId({ kind, resource, state }: PendingTask): string {
  return `${kind}-${resource}-${state}`;
}

/** Marks a task as done if no other action is needed. Safe to repeat. */
export async function markAttentionTaskDone(
  write: OfficeWrite,
  id: string,
): Promise<Result<StaffAnswer<AttentionTaskList>, OfficeRefusal>> {
  const attentionItems = await readAttention(write);
  if (!attentionItems.ok) return attentionItems;
  const { items, staff, freshToken, currencyDecimals } = attentionItems.value;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  const item = items.find((item) => item.id === id);
  if (item && !item.canBeDone) return err({ kind: "attentionNotLookedAt" });
  const { db } = write.tenant;
  if (item) await db.batch([dismissTaskStatement(db, { item: id, userId: staff.userId, at: write.now })]);
  return ok({ value: { items: items.filter((item) => item.id !== id), currencyDecimals }, freshToken });
}
