import { z } from "zod";
import { SORTABLE_FIELDS, type SortableListName } from "#domain/reporting/list-sort.ts";
import { createRefineOptions, textLineSchema } from "#worker/api/primitives.ts";

const MAX_NAME = 60;
const MAX_QUERY = 500;

const LISTS = Object.keys(SORTABLE_FIELDS) as [SortableListName, ...SortableListName[]];

/** A view to save. */
export const savedViewBody = z
  .strictObject({
    list: z.enum(LISTS, `must be one of ${LISTS.join(", ")}`),
    name: textLineSchema(MAX_NAME).refine((name) => name.trim() !== "", createRefineOptions("empty")),
    query: textLineSchema(MAX_QUERY)
      .refine((query) => query !== "", createRefineOptions("empty"))
      .meta({ description: "Filters, `view` and `sort` as a URL query" }),
    shared: z.boolean().default(false).meta({ description: "For all users. Needs `manage`" }),
  })
  .meta({ id: "NewView" });
export type SavedViewRequest = z.input<typeof savedViewBody>;

const view = z
  .object({
    id: z.int(),
    list: z.string(),
    name: z.string(),
    query: z.string(),
    shared: z.boolean(),
    own: z.boolean().meta({ description: "Whether the signed-in user saved it" }),
  })
  .meta({ id: "SavedView" });

export const savedViewAnswer = z.object({ view });
export const savedViewList = z.object({ data: z.array(view) });
export type SavedViewListMessage = z.output<typeof savedViewList>;
export type SavedViewMessage = z.output<typeof savedViewAnswer>;

/** Saved view of a list, with the fields that the API returns. */
interface StoredListView extends Pick<z.output<typeof view>, "id" | "list" | "name" | "query"> {
  readonly isShared: boolean;
  readonly isOwn: boolean;
}

export const toSavedViewMessage = ({
  id,
  list,
  name,
  query,
  isShared,
  isOwn,
}: StoredListView): z.output<typeof view> => ({
  ...{ id, list, name, query },
  shared: isShared,
  own: isOwn,
});
