import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { ok, type Result } from "#domain/result.ts";
import { changeOwnSettingsStatement, ownSettingsQuery } from "#worker/store/access/users.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";

/** Settings that staff change for themselves. Absent ones stay unchanged. */
export interface OwnSettings {
  /** Null means the language of the browser or the company. */
  readonly language?: PlatformLanguage | null;
  /** Null means the theme of the system. */
  readonly theme?: "light" | "dark" | null;
}

/** Own settings as stored. */
interface StoredSettings {
  readonly language: string | null;
  readonly theme: "light" | "dark" | null;
}

/** Changes the signed-in user's own settings. Two round trips. */
export function changeOwnSettings(
  write: OfficeWrite,
  settings: OwnSettings,
): Promise<Result<StaffAnswer<StoredSettings>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    right: "see",
    content: settings,
    read: () => [],
    decide: ({ staff }) => {
      const statements = [changeOwnSettingsStatement(db, staff.userId, settings, write.now)];
      return ok({ statements, resource: String(staff.userId) });
    },
    readBack: (userId: string) => [ownSettingsQuery(db, Number(userId))] as const,
    answer: ([[stored]]) => ok(stored ?? { language: null, theme: null }),
  });
}
