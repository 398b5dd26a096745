import { getResource } from "#domain/catalogue/resources/resources.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { removeAllSecondFactorsStatements, staffSecondFactorsQuery } from "#worker/store/access/second-factors.ts";
import { createSecurityEventStatement } from "#worker/store/access/security-events.ts";
import { sendSecurityNoticeMail } from "#worker/usecases/access/send-notice.ts";
import type { ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import { getResourceWriteOptions, writeResource } from "#worker/usecases/catalogue/resources/write-resource.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";

const USERS = getResource("users");

/**
 * Removes all second factors of a user who lost them, ends their sessions and notifies them by mail. Returns the number
 * of factors. Without any, nothing changes (docs/interfaces/office.md#security).
 */
export async function resetStaffSecondFactors(
  write: OfficeWrite,
  id: number,
): Promise<Result<StaffAnswer<number>, ResourceRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  let notifiedUser: { readonly email: string; readonly language: string | undefined } | undefined;
  const resetResult = await writeResource(write, {
    ...getResourceWriteOptions(USERS),
    content: { resource: USERS.name, forget_factors: id },
    read: () => [staffSecondFactorsQuery(db, id)],
    decide: ({ staff, rows: [[user]] }) => {
      if (!user) return err({ kind: "resourceNotFound" });
      const resource = String(user.factors);
      if (user.factors === 0) return ok({ resource, statements: [] });
      notifiedUser = { email: user.email, language: user.language ?? undefined };
      // The database records the removal itself. This records the actor.
      const event = { kind: "sessions_ended", userId: id, detail: { by: staff.userId } } as const;
      return ok({
        resource,
        statements: [...removeAllSecondFactorsStatements(db, id, now), createSecurityEventStatement(db, event, now)],
      });
    },
    readBack: () => [],
    answer: (_, { resource }) => ok(Number(resource)),
  });
  if (resetResult.ok && notifiedUser) await sendSecurityNoticeMail(tenant, notifiedUser, "second_factor_changed", now);
  return resetResult;
}
