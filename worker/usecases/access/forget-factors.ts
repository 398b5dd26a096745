import { resourceOf } from "#domain/catalogue/resources/resources.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { forgetFactorStatements, ownFactorsQuery } from "#worker/store/access/second-factors.ts";
import { eventStatement } from "#worker/store/access/security-events.ts";
import type { OfficeAnswer, OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import type { ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import { writeResource, writingOf } from "#worker/usecases/catalogue/resources/write-thing-once.ts";
import { sendNotice } from "./send-notice.ts";

const USERS = resourceOf("users");

/**
 * Takes every second factor from somebody who lost them, ends their sessions and tells them by mail; answers how many
 * there were. Of who has none nothing changes (docs/interfaces/office.md#security).
 */
export async function forgetStaffFactors(
  write: OfficeWrite,
  id: number,
): Promise<Result<OfficeAnswer<number>, ResourceRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  let told: { readonly email: string; readonly language: string | undefined } | undefined;
  const done = await writeResource(write, {
    ...writingOf(USERS),
    content: { resource: USERS.name, forget_factors: id },
    read: () => [ownFactorsQuery(db, id)],
    decide: ({ staff, rows: [[user]] }) => {
      if (!user) return refuse({ kind: "thingNotFound" });
      const resource = String(user.factors);
      if (user.factors === 0) return ok({ resource, statements: [] });
      told = { email: user.email, language: user.language ?? undefined };
      // That a factor went the database notes by itself; here who took it.
      const event = { kind: "sessions_ended", userId: id, detail: { by: staff.userId } } as const;
      return ok({ resource, statements: [...forgetFactorStatements(db, id, now), eventStatement(db, event, now)] });
    },
    readBack: () => [],
    answer: (_, { resource }) => ok(Number(resource)),
  });
  if (done.ok && told) await sendNotice(tenant, told, "second_factor_changed", now);
  return done;
}
