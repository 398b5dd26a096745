import type { Settings } from "#domain/catalogue/catalogue.ts";
import { AUTHORITY_CODE_LISTS, type AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import { ministryListAgesQuery, saveMinistryReportListStatement } from "#worker/store/ministry-reports/lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openMinistryConnection } from "./ministry-connection.ts";
import { fetchMunicipalities } from "./municipalities.ts";

const DAY = 24 * 3_600_000;
const CODES_FOR = 7 * DAY;
const MUNICIPALITIES_FOR = 90 * DAY;
/** Delay after a failed fetch. */
const AGAIN_AFTER = 3_600_000;
/** Name under which the time of the last attempt is stored. It isn't a list of codes. */
const TRIED = "tried";

/**
 * Fetches missing or old lists of codes and municipalities, at most hourly. A list that can't be fetched stays as it
 * was. `isRequested`: a user requests a refresh now. Returns the names of failed lists.
 */
export async function refreshMinistryCodeLists(
  { tenant, settings }: { readonly tenant: Tenant; readonly settings: Settings },
  now: number,
  isForced = false,
): Promise<readonly string[]> {
  const { db } = tenant;
  const { sesEnvironment: environment } = settings;
  const [ages] = isForced ? [[]] : await db.batch([ministryListAgesQuery(db)]);
  const age = (name: string) => now - (ages.find((age) => age.name.startsWith(name))?.fetchedAt ?? 0);
  const codes = AUTHORITY_CODE_LISTS.filter((list) => isForced || age(list) > CODES_FOR);
  const wantsMunicipalities = isForced || age("municipalities:") > MUNICIPALITIES_FOR;
  if (!isForced && ((codes.length === 0 && !wantsMunicipalities) || age(TRIED) < AGAIN_AFTER)) return [];
  const keep = (name: string, entries: AuthorityCodeEntries) =>
    saveMinistryReportListStatement(db, { name, environment, entries }, now);
  const tried = keep(TRIED, []);
  // Saved first, so that an aborted cron run doesn't retry immediately.
  if (!isForced) await db.batch([tried]);
  const failed: string[] = [];
  const fetched: Record<string, AuthorityCodeEntries> = {};
  const take = async (name: string, fetch: () => Promise<Readonly<Record<string, AuthorityCodeEntries>>>) => {
    const lists = await fetch().catch(() => ({}));
    if (Object.keys(lists).length === 0) failed.push(name);
    Object.assign(fetched, lists);
  };
  const channel = await openMinistryConnection(tenant, settings);
  for (const list of codes) await take(list, async () => listed(list, (await channel?.readCodeList(list)) ?? []));
  if (wantsMunicipalities) await take("municipalities", () => fetchMunicipalities(tenant));
  await db.batch([tried, ...Object.entries(fetched).map(([name, entries]) => keep(name, entries))]);
  return failed;
}

// Reject empty lists, because every term would become unknown.
const listed = (list: string, entries: AuthorityCodeEntries) => (entries.length > 0 ? { [list]: entries } : {});
