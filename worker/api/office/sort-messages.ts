import { z } from "zod";
import type { CivilDate } from "#domain/dates.ts";
import {
  formatSort,
  LIST_VIEWS,
  type ListSort,
  type ListViewName,
  parseSort,
  SORTABLE_FIELDS,
  type SortableListName,
  type SortedPageRequest,
  type SortField,
} from "#domain/reporting/list-sort.ts";
import { createProblemIssue } from "#worker/api/primitives.ts";
import {
  type CursorParser,
  createCursorField,
  createSingleValueCursorParser,
  parseCursorId,
} from "./cursor-messages.ts";

/** Cursor of a page. `plain` is valid in the list's default order, `sorted` in the named sort. */
interface Cursor<Plain, Key> {
  readonly plain: Plain | undefined;
  readonly sorted: { readonly sort: string; readonly key: Key } | undefined;
}

const SORT = /^-?[a-z_]+$/;

/** Creates the schema of a cursor that is valid for the default order and for each sort. */
export function createSortedCursorField<Plain, Key>(
  parsePlain: CursorParser<Plain>,
  parseKey: (text: string) => Key | undefined,
) {
  return createCursorField((values): Cursor<Plain, Key> | undefined => {
    const [sort = "", keyText = ""] = values;
    const key = values.length === 2 && SORT.test(sort) ? parseKey(keyText) : undefined;
    if (key !== undefined) return { plain: undefined, sorted: { sort, key } };
    const plain = parsePlain(values);
    return plain === undefined ? undefined : { plain, sorted: undefined };
  }, "`next` of the previous page, with the same `sort`");
}

/** Schema of a cursor of a list whose key is an id. */
export const sortedIdCursorField = createSortedCursorField(createSingleValueCursorParser(parseCursorId), parseCursorId);

/** Creates the query fields that sort a list and choose a built-in view of it. */
export function createSortFields<List extends SortableListName>(list: List) {
  const fields: readonly SortField<List>[] = SORTABLE_FIELDS[list];
  const both = fields.flatMap((field) => [field, `-${field}` as const]);
  const views: readonly ListViewName<List>[] = LIST_VIEWS[list];
  return {
    sort: z
      .enum(both, `must be one of ${fields.join(", ")}, with - for descending`)
      .transform((text): ListSort<SortField<List>> => parseSort<SortField<List>>(text as SortField<List>))
      .optional()
      .meta({ type: "string", description: `Field to sort by, \`-\` for descending: ${fields.join(", ")}` }),
    view: z
      .enum(views, `must be one of ${views.join(", ")}`)
      .optional()
      .meta({ description: "Built-in view, in addition to the other filters" }),
  };
}

interface PageQuery<Field extends string, Plain, Key> {
  readonly sort?: ListSort<Field> | undefined;
  readonly after?: Cursor<Plain, Key> | undefined;
}

/** Rejects a cursor of another sort, so that no row is skipped or repeated. */
export function checkCursorMatchesSort(
  { sort, after }: PageQuery<string, unknown, unknown>,
  context: z.RefinementCtx,
): void {
  if (after === undefined || after.sorted?.sort === (sort && formatSort(sort))) return;
  context.addIssue({ ...createProblemIssue("not_in_list"), path: ["after"] });
}

/** Returns the cursor of a query: `after` for the default order, or `sorted` with the sort and its cursor. */
export function toSortedQuery<Field extends string, Plain, Key>({
  sort,
  after,
}: PageQuery<Field, Plain, Key>): {
  readonly after: Plain | undefined;
  readonly sorted: SortedPageRequest<Field, Key> | undefined;
} {
  return { after: after?.plain, sorted: sort && { sort, after: after?.sorted?.key } };
}

/** Returns the first day of the current month or year. */
export function getViewPeriodStart(view: "this_month" | "this_year", today: CivilDate): CivilDate {
  return (view === "this_month" ? `${today.slice(0, 7)}-01` : `${today.slice(0, 4)}-01-01`) as CivilDate;
}
