import type { Settings } from "#domain/catalogue/catalogue.ts";
import {
  type AuthorityCodeEntries,
  type AuthorityCodeList,
  findAuthorityCode,
  isAuthorityCodeList,
} from "#domain/ministry-reports/lists.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  fleetMakesAndColorsQuery,
  ministryCodeListsQuery,
  ministryListAgesQuery,
  ministryListQuery,
} from "#worker/store/ministry-reports/lists.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { refreshMinistryCodeLists } from "./refresh-lists.ts";

/** Term of the fleet with its reported code. */
export interface FleetWordMapping {
  readonly list: AuthorityCodeList;
  readonly word: string;
  readonly vehicles: number;
  /** Code chosen by the company. */
  readonly chosen: string | undefined;
  /** Reported code. Undefined if the company must choose one. */
  readonly code: string | undefined;
}

export interface MinistryListsAnswer {
  readonly settings: Settings;
  readonly lists: Readonly<Partial<Record<AuthorityCodeList, AuthorityCodeEntries>>>;
  readonly words: readonly FleetWordMapping[];
  /** Time when the lists were fetched, epoch ms. Undefined if never. */
  readonly fetchedAt: number | undefined;
  readonly municipalities: number;
  /** Lists that couldn't be fetched now. */
  readonly failed: readonly string[];
}

/**
 * Returns the fetched lists of the ministry, and the fleet's terms with their codes. With `refresh`, fetches the lists
 * first.
 */
export async function readMinistryLists(
  request: StaffRequest,
  refresh = false,
): Promise<Result<StaffAnswer<MinistryListsAnswer>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = () => [ministryCodeListsQuery(db), fleetMakesAndColorsQuery(db), ministryListAgesQuery(db)] as const;
  const first = await readAsStaff(request, read);
  if (!first.ok) return first;
  const { staff, freshToken, catalogue } = first.value;
  const missing = findMissingRightRefusal(staff, refresh ? "administer" : "see");
  if (missing) return missing;
  const { settings } = catalogue;
  const failed = refresh ? await refreshMinistryCodeLists({ tenant: request.tenant, settings }, request.now, true) : [];
  const [item, words, ages] = refresh ? await db.batch(read()) : first.value.rows;
  const lists: Readonly<Partial<Record<AuthorityCodeList, AuthorityCodeEntries>>> = Object.fromEntries(
    item.map(({ name, entries }) => [name, entries]),
  );
  const codes = { chosen: settings.sesCodes, lists: Object.fromEntries(item.map((item) => [item.name, item.entries])) };
  const fetched = ages.flatMap(({ name, fetchedAt }) => (isAuthorityCodeList(name) ? [fetchedAt] : []));
  return ok({
    value: {
      settings,
      lists,
      words: words.flatMap(({ list, word, count }) =>
        isAuthorityCodeList(list) ? [{ list, word, vehicles: count, ...getReportedCode(codes, list, word) }] : [],
      ),
      fetchedAt: fetched.length > 0 ? Math.min(...fetched) : undefined,
      municipalities: ages.reduce((sum, { name, count }) => sum + (name.startsWith("municipalities:") ? count : 0), 0),
      failed,
    },
    freshToken,
  });
}

// Vehicle types are the company's categories. They default to passenger cars.
function getReportedCode(codes: Parameters<typeof findAuthorityCode>[0], list: AuthorityCodeList, word: string) {
  const chosen = codes.chosen[`${list}:${word}`];
  return {
    chosen,
    code: list === "type" ? (chosen ?? codes.chosen["type:*"] ?? "TURISMO") : findAuthorityCode(codes, list, word),
  };
}

/** Returns the municipalities of a province by its two-digit code, with the statistical office's names. */
export async function readMunicipalities(
  request: StaffRequest,
  province: string,
): Promise<Result<StaffAnswer<AuthorityCodeEntries>, OfficeRefusal>> {
  const read = await readAsStaff(
    request,
    () => [ministryListQuery(request.tenant.db, `municipalities:${province}`)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  return ok({ value: rows[0][0]?.entries ?? [], freshToken });
}
