import type { ActiveAlert } from "#domain/operations/alarms.ts";

/** Beside the copies, not in an account's database: it must be there when that is not. */
const PATH = "operations/alarms.json";

export interface AlertStore {
  readonly ringing: readonly ActiveAlert[];
  /** Keeps what rings now; false where somebody else has written meanwhile. */
  readonly save: (activeAlerts: readonly ActiveAlert[]) => Promise<boolean>;
}

/** What rings in this deployment; undefined where no bucket of copies is bound. */
export async function openAlertStore(env: Cloudflare.Env): Promise<AlertStore | undefined> {
  const bucket = env.BACKUPS;
  if (!bucket) return undefined;
  const storedAlerts = await bucket.get(PATH);
  const activeAlerts = storedAlerts ? await storedAlerts.json<readonly ActiveAlert[]>() : [];
  const onlyIf = storedAlerts ? { etagMatches: storedAlerts.etag } : { etagDoesNotMatch: "*" };
  return {
    ringing: activeAlerts,
    save: async (now) => (await bucket.put(PATH, JSON.stringify(now), { onlyIf })) !== null,
  };
}
