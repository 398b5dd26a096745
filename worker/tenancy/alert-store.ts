import type { ActiveAlert } from "#domain/operations/alerts.ts";
import { getCellName } from "./deployment.ts";

/**
 * Returns the path of a cell's alerts. They are stored with the backups instead of in an account's database, so that
 * they are available if the database isn't. Cells share the bucket, and each one writes every minute.
 */
const getAlertPath = (env: Cloudflare.Env) => `operations/alarms-${getCellName(env)}.json`;

/** Stored active alerts of a cell's accounts. */
export interface AlertStore {
  readonly activeAlerts: readonly ActiveAlert[];
  /** Saves the active alerts. Returns false after a concurrent write. */
  readonly save: (activeAlerts: readonly ActiveAlert[]) => Promise<boolean>;
}

/** Opens the cell's stored alerts. Undefined if no backup bucket is bound. */
export async function openAlertStore(env: Cloudflare.Env): Promise<AlertStore | undefined> {
  const bucket = env.BACKUPS;
  if (!bucket) return undefined;
  const path = getAlertPath(env);
  const storedAlerts = await bucket.get(path);
  const activeAlerts = storedAlerts ? await storedAlerts.json<readonly ActiveAlert[]>() : [];
  const onlyIf = storedAlerts ? { etagMatches: storedAlerts.etag } : { etagDoesNotMatch: "*" };
  return {
    activeAlerts,
    save: async (now) => (await bucket.put(path, JSON.stringify(now), { onlyIf })) !== null,
  };
}
