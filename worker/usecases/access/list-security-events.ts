import type { SecurityEvent, SecurityEventFilters } from "#domain/access/security-events.ts";
import { ok, type Result } from "#domain/result.ts";
import { recordSecurityEvent, securityEventQueries } from "#worker/store/access/security-events.ts";
import { getDayBounds } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type OfficeRefusal,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { toPage } from "#worker/usecases/shared/page.ts";

export interface SecurityEventPage {
  readonly events: readonly SecurityEvent[];
  readonly total: number;
  /** Cursor of the next page. Undefined on the last page. */
  readonly next: number | undefined;
}

/** Lists the account's security events, newest first, for administrators. One round trip. */
export async function listSecurityEvents(
  request: StaffRequest,
  filter: SecurityEventFilters,
): Promise<Result<StaffAnswer<SecurityEventPage>, OfficeRefusal>> {
  const read = await readEvents(request, filter);
  return read.ok ? ok({ value: read.value.page, freshToken: read.value.freshToken }) : read;
}

async function readEvents(request: StaffRequest, filter: SecurityEventFilters) {
  const read = await readAsStaff(request, ({ settings }) =>
    securityEventQueries(request.tenant.db, withEpochRange(filter, settings.timezone)),
  );
  if (!read.ok) return read;
  const { staff, factor, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "administer") ?? findStaleFactorRefusal(factor);
  if (missing) return missing;
  const [item, [counted]] = rows;
  const { rows: events, total, next } = toPage(item, counted, filter.pageSize, ({ id }) => id);
  return ok({ page: { events, total, next }, userId: staff.userId, freshToken });
}

// If an instant and a day are given, both apply.
function withEpochRange(filter: SecurityEventFilters, timezone: string): SecurityEventFilters {
  const { dateFrom, dateTo, from, to } = filter;
  const { from: first, until: end } = getDayBounds(timezone, { dateFrom, dateTo });
  return {
    ...filter,
    ...(first !== undefined && { from: Math.max(from ?? first, first) }),
    ...(end !== undefined && { to: Math.min(to ?? end, end) }),
  };
}

const MAX_EXPORTED_EVENTS = 10_000;

/** Exports the events up to a file's limit. The export is recorded as an event. */
export async function exportSecurityEvents(
  request: StaffRequest,
  filter: Omit<SecurityEventFilters, "pageSize" | "after">,
): Promise<Result<StaffAnswer<SecurityEventPage>, OfficeRefusal>> {
  const read = await readEvents(request, { ...filter, pageSize: MAX_EXPORTED_EVENTS });
  if (!read.ok) return read;
  const { page: value, userId, freshToken } = read.value;
  const detail = { what: "security_events", rows: value.events.length };
  await recordSecurityEvent(request.tenant.db, { kind: "data_exported", userId, detail }, request.now);
  return ok({ value, freshToken });
}
