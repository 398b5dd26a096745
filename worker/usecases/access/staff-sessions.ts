import type { ListedSession } from "#domain/access/sessions.ts";
import { ok, type Result } from "#domain/result.ts";
import { createSecurityEventStatement } from "#worker/store/access/security-events.ts";
import { endSessionStatement, sessionListQuery } from "#worker/store/access/session-list.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Lists the staff's sessions and devices, for administrators. */
export async function listAllStaffSessions(
  request: StaffRequest,
): Promise<
  Result<StaffAnswer<{ readonly sessions: readonly ListedSession[]; readonly current: string }>, OfficeRefusal>
> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [sessionListQuery(tenant.db, "staff", now)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "administer");
  return missing ?? ok({ value: { sessions: rows[0], current: staff.sessionId }, freshToken });
}

/**
 * Ends a session of a staff member or customer. `forgets`: the device is lost and deletes its data on its next request.
 */
export function endStaffSession(
  write: OfficeWrite,
  content: { readonly id: string; readonly forgets: boolean },
): Promise<Result<StaffAnswer<true>, OfficeRefusal>> {
  const { tenant, now } = write;
  const { id, forgets } = content;
  const kind = forgets ? "device_lost" : "sessions_ended";
  const statements = [
    endSessionStatement(tenant.db, id, forgets, now),
    createSecurityEventStatement(tenant.db, { kind, detail: { session: id.slice(0, 8) } }, now),
  ];
  return runOfficeWriteOnce(write, {
    right: "administer",
    content,
    read: () => [],
    decide: () => ok({ statements, resource: id }),
    readBack: () => [],
    answer: () => ok(true as const),
  });
}
