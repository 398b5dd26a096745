import type { ActiveAlert } from "#domain/operations/alerts.ts";

/**
 * Path of the stored alerts. They are stored with the backups instead of in an account's database, so that they are
 * available if the database isn't.
 */
const PATH = "operations/alarms.json";

/** Stored active alerts of all accounts. */
export interface AlertStore {
  readonly activeAlerts: readonly ActiveAlert[];
  /** Saves the active alerts. Returns false after a concurrent write. */
  readonly save: (activeAlerts: readonly ActiveAlert[]) => Promise<boolean>;
}

/** Opens the deployment's stored alerts. Undefined if no backup bucket is bound. */
export async function openAlertStore(env: Cloudflare.Env): Promise<AlertStore | undefined> {
  const bucket = env.BACKUPS;
  if (!bucket) return undefined;
  const storedAlerts = await bucket.get(PATH);
  const activeAlerts = storedAlerts ? await storedAlerts.json<readonly ActiveAlert[]>() : [];
  const onlyIf = storedAlerts ? { etagMatches: storedAlerts.etag } : { etagDoesNotMatch: "*" };
  return {
    activeAlerts,
    save: async (now) => (await bucket.put(PATH, JSON.stringify(now), { onlyIf })) !== null,
  };
}
