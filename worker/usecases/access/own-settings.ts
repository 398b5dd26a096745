import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { ok, type Result } from "#domain/result.ts";
import { languageStatement } from "#worker/store/access/users.ts";
import type { OfficeAnswer, OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { writeOfficeOnce } from "#worker/usecases/office/office-write.ts";

/** Settings that staff change for themselves. */
export interface OwnSettings {
  /** Undefined means the language of the browser or the company. */
  readonly language: PlatformLanguage | undefined;
}

/** Changes the signed-in user's own settings. Two round trips. */
export function changeOwnSettings(
  write: OfficeWrite,
  settings: OwnSettings,
): Promise<Result<OfficeAnswer<OwnSettings>, OfficeRefusal>> {
  const { tenant, now } = write;
  return writeOfficeOnce(write, {
    right: "see",
    content: settings,
    read: () => [],
    decide: ({ staff }) => {
      const statements = [languageStatement(tenant.db, staff.userId, settings.language, now)];
      return ok({ statements, resource: String(staff.userId) });
    },
    readBack: () => [],
    answer: () => ok(settings),
  });
}
