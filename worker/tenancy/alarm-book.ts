import type { Ringing } from "#domain/operations/alarms.ts";

/** Beside the copies, not in an account's database: it must be there when that is not. */
const PATH = "operations/alarms.json";

export interface AlarmBook {
  readonly ringing: readonly Ringing[];
  /** Keeps what rings now; false where somebody else has written meanwhile. */
  readonly save: (ringing: readonly Ringing[]) => Promise<boolean>;
}

/** What rings in this deployment; undefined where no bucket of copies is bound. */
export async function openAlarmBook(env: Cloudflare.Env): Promise<AlarmBook | undefined> {
  const bucket = env.BACKUPS;
  if (!bucket) return undefined;
  const kept = await bucket.get(PATH);
  const ringing = kept ? await kept.json<readonly Ringing[]>() : [];
  const onlyIf = kept ? { etagMatches: kept.etag } : { etagDoesNotMatch: "*" };
  return {
    ringing,
    save: async (now) => (await bucket.put(PATH, JSON.stringify(now), { onlyIf })) !== null,
  };
}
