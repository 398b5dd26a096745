import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type CodeList, findCode, isCodeList, type ListEntries } from "#domain/communications/lists.ts";
import { ok, type Result } from "#domain/result.ts";
import { codeListsQuery, fleetTermsQuery, listAgesQuery, oneListQuery } from "#worker/store/communications/lists.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { refreshLists } from "./refresh-lists.ts";

/** A word of the fleet, and what the ministry is told of it. */
export interface FleetTerm {
  readonly list: CodeList;
  readonly word: string;
  readonly vehicles: number;
  /** The company's own choice. */
  readonly chosen: string | undefined;
  /** What is told; undefined where a person has to choose. */
  readonly code: string | undefined;
}

export interface ListsAnswer {
  readonly settings: Settings;
  readonly lists: Readonly<Partial<Record<CodeList, ListEntries>>>;
  readonly words: readonly FleetTerm[];
  /** When the lists were fetched, epoch ms; undefined: never. */
  readonly fetchedAt: number | undefined;
  readonly municipalities: number;
  /** What could not be fetched just now. */
  readonly failed: readonly string[];
}

/**
 * The ministry's lists as they were fetched, and the words of the fleet with their codes. `refresh`: fetched anew
 * before.
 */
export async function readLists(
  request: StaffRequest,
  refresh = false,
): Promise<Result<OfficeAnswer<ListsAnswer>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = () => [codeListsQuery(db), fleetTermsQuery(db), listAgesQuery(db)] as const;
  const first = await readAsStaff(request, read);
  if (!first.ok) return first;
  const { staff, freshToken, catalogue } = first.value;
  const missing = refuseWithout(staff, refresh ? "administer" : "see");
  if (missing) return missing;
  const { settings } = catalogue;
  const failed = refresh ? await refreshLists({ tenant: request.tenant, settings }, request.now, true) : [];
  const [item, words, ages] = refresh ? await db.batch(read()) : first.value.rows;
  const lists: Readonly<Partial<Record<CodeList, ListEntries>>> = Object.fromEntries(
    item.map(({ name, entries }) => [name, entries]),
  );
  const codes = { chosen: settings.sesCodes, lists: Object.fromEntries(item.map((item) => [item.name, item.entries])) };
  const fetched = ages.flatMap(({ name, fetchedAt }) => (isCodeList(name) ? [fetchedAt] : []));
  return ok({
    value: {
      settings,
      lists,
      words: words.flatMap(({ list, word, count }) =>
        isCodeList(list) ? [{ list, word, vehicles: count, ...getReportedCode(codes, list, word) }] : [],
      ),
      fetchedAt: fetched.length > 0 ? Math.min(...fetched) : undefined,
      municipalities: ages.reduce((sum, { name, count }) => sum + (name.startsWith("municipalities:") ? count : 0), 0),
      failed,
    },
    freshToken,
  });
}

// Kinds of vehicles are the company's categories: they are passenger cars unless it says otherwise.
function getReportedCode(codes: Parameters<typeof findCode>[0], list: CodeList, word: string) {
  const chosen = codes.chosen[`${list}:${word}`];
  return {
    chosen,
    code: list === "type" ? (chosen ?? codes.chosen["type:*"] ?? "TURISMO") : findCode(codes, list, word),
  };
}

/** The municipalities of a province by its two digits, as the statistical office names them. */
export async function readMunicipalities(
  request: StaffRequest,
  province: string,
): Promise<Result<OfficeAnswer<ListEntries>, OfficeRefusal>> {
  const read = await readAsStaff(
    request,
    () => [oneListQuery(request.tenant.db, `municipalities:${province}`)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  return ok({ value: rows[0][0]?.entries ?? [], freshToken });
}
