import type { ListedSession } from "#domain/access/sessions.ts";
import { ok, type Result } from "#domain/result.ts";
import { noteEvent } from "#worker/store/access/security-events.ts";
import { endSessionStatement, sessionListQuery } from "#worker/store/access/session-list.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { writeOnce } from "#worker/usecases/operations/office-write.ts";
import { readAsStaff, type StaffRequest } from "./read-as-staff.ts";

/** Where the company's people are signed in, and on what; for administrators. */
export async function listStaffSessions(
  request: StaffRequest,
): Promise<
  Result<OfficeAnswer<{ readonly sessions: readonly ListedSession[]; readonly current: string }>, OfficeRefusal>
> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [sessionListQuery(tenant.db, "staff", now)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "administer");
  return missing ?? ok({ value: { sessions: rows[0], current: staff.sessionId }, freshToken });
}

/**
 * Ends a session of the company's people or customers; `forgets`: its device is lost, and forgets what it keeps as soon
 * as it asks for anything.
 */
export async function endStaffSession(
  write: OfficeWrite,
  content: { readonly id: string; readonly forgets: boolean },
): Promise<Result<OfficeAnswer<true>, OfficeRefusal>> {
  const { tenant, now } = write;
  const ended = await writeOnce(write, {
    right: "administer",
    content,
    read: () => [] as const,
    decide: () =>
      ok({ statements: [endSessionStatement(tenant.db, content.id, content.forgets, now)], resource: content.id }),
    answer: async () => ok({ value: true as const, freshToken: undefined }),
  });
  if (ended.ok) {
    const detail = { session: content.id.slice(0, 8) };
    await noteEvent(tenant.db, { kind: content.forgets ? "device_lost" : "sessions_ended", detail }, now);
  }
  return ended;
}
