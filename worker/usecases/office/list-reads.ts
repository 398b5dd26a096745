import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "./office-context.ts";
import { getTokenUserId, readAsStaff, type StaffAnswer, type StaffRequest } from "./read-as-staff.ts";

/** Queries of a list, and the conversion of their rows. */
interface PreparedList<Value> {
  readonly queries: readonly Query[];
  readonly toValue: (rows: readonly unknown[]) => Value;
}

/** Read of a list, whose queries depend on the catalogue and the user. */
export type ListRead<Value> = (catalogue: Catalogue, userId: number) => PreparedList<Value>;

/** Creates the read of a list from its queries and the function that converts their rows. */
export const createListRead =
  <const T extends readonly Query[], Value>(
    createQueries: (catalogue: Catalogue, userId: number) => T,
    convert: (rows: QueryResults<T>, catalogue: Catalogue) => Value,
  ): ListRead<Value> =>
  (catalogue, userId) => ({
    queries: createQueries(catalogue, userId),
    // The rows are the results of the queries above, in their order.
    toValue: (rows) => convert(rows as QueryResults<T>, catalogue),
  });

type ListValues<Lists extends Readonly<Record<string, ListRead<unknown>>>> = {
  readonly [Name in keyof Lists]: Lists[Name] extends ListRead<infer Value> ? Value : never;
};

/** Reads several lists for a user who may see them. One round trip. */
export async function readLists<Lists extends Readonly<Record<string, ListRead<unknown>>>>(
  request: StaffRequest,
  lists: Lists,
): Promise<Result<StaffAnswer<ListValues<Lists>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  let prepared: readonly (readonly [string, PreparedList<unknown>])[] = [];
  const read = await readAsStaff(request, (catalogue) => {
    prepared = Object.entries(lists).map(([name, list]) => [name, list(catalogue, userId)] as const);
    return prepared.flatMap(([, { queries }]) => queries);
  });
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  let first = 0;
  const values = prepared.map(([name, { queries, toValue }]) => {
    const own = rows.slice(first, first + queries.length);
    first += queries.length;
    return [name, toValue(own)] as const;
  });
  return ok({ value: Object.fromEntries(values) as ListValues<Lists>, freshToken });
}

/** Reads a list for a user who may see it. One round trip. */
export async function readList<Value>(
  request: StaffRequest,
  list: ListRead<Value>,
): Promise<Result<StaffAnswer<Value>, OfficeRefusal>> {
  const read = await readLists(request, { list });
  return read.ok ? ok({ value: read.value.value.list, freshToken: read.value.freshToken }) : read;
}
