import type { Settings } from "#domain/catalogue/catalogue.ts";
import { CODE_LISTS, type ListEntries } from "#domain/communications/lists.ts";
import { keepListStatement, listAgesQuery } from "#worker/store/communications/lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openChannel } from "./channel.ts";
import { fetchMunicipalities } from "./municipalities.ts";

const DAY = 24 * 3_600_000;
const CODES_FOR = 7 * DAY;
const MUNICIPALITIES_FOR = 90 * DAY;
/** After a list that could not be fetched. */
const AGAIN_AFTER = 3_600_000;
/** Says when it was tried last; never a list that words are looked for in. */
const TRIED = "tried";

/**
 * Fetches the lists of codes and of municipalities that are missing or old, at most hourly; what cannot be fetched
 * stays as it was. `isAsked`: somebody wants them anew now. Answers what could not be fetched, by its name.
 */
export async function refreshLists(
  { tenant, settings }: { readonly tenant: Tenant; readonly settings: Settings },
  now: number,
  isRequested = false,
): Promise<readonly string[]> {
  const { db } = tenant;
  const { sesEnvironment: environment } = settings;
  const [ages] = isRequested ? [[]] : await db.batch([listAgesQuery(db)]);
  const age = (name: string) => now - (ages.find((age) => age.name.startsWith(name))?.fetchedAt ?? 0);
  const codes = CODE_LISTS.filter((list) => isRequested || age(list) > CODES_FOR);
  const wantsMunicipalities = isRequested || age("municipalities:") > MUNICIPALITIES_FOR;
  if (!isRequested && ((codes.length === 0 && !wantsMunicipalities) || age(TRIED) < AGAIN_AFTER)) return [];
  const keep = (name: string, entries: ListEntries) => keepListStatement(db, { name, environment, entries }, now);
  const tried = keep(TRIED, []);
  // What kills the clock in the middle does not make it ask again at once.
  if (!isRequested) await db.batch([tried]);
  const failed: string[] = [];
  const fetched: Record<string, ListEntries> = {};
  const take = async (name: string, fetch: () => Promise<Readonly<Record<string, ListEntries>>>) => {
    const lists = await fetch().catch(() => ({}));
    if (Object.keys(lists).length === 0) failed.push(name);
    Object.assign(fetched, lists);
  };
  const channel = await openChannel(tenant, settings);
  for (const list of codes) await take(list, async () => listed(list, (await channel?.list(list)) ?? []));
  if (wantsMunicipalities) await take("municipalities", () => fetchMunicipalities(tenant));
  await db.batch([tried, ...Object.entries(fetched).map(([name, entries]) => keep(name, entries))]);
  return failed;
}

// An empty list is no list: the words would all be wrong.
const listed = (list: string, entries: ListEntries) => (entries.length > 0 ? { [list]: entries } : {});
