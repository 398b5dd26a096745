import { z } from "zod";
import { SORTS, type SortedList } from "#domain/reporting/list-sort.ts";
import { textLine } from "#worker/api/primitives.ts";

const MAX_NAME = 60;
const MAX_QUERY = 500;

const LISTS = Object.keys(SORTS) as [SortedList, ...SortedList[]];

/** A view to save. */
export const viewBody = z
  .strictObject({
    list: z.enum(LISTS, `must be one of ${LISTS.join(", ")}`),
    name: textLine(MAX_NAME).refine((name) => name.trim() !== "", "is required"),
    query: textLine(MAX_QUERY)
      .refine((query) => query !== "", "is required")
      .meta({ description: "Filters, `view` and `sort` as a URL query" }),
    shared: z.boolean().default(false).meta({ description: "For all users. Needs `manage`" }),
  })
  .meta({ id: "NewView" });
export type ViewRequest = z.input<typeof viewBody>;

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

export const viewAnswer = z.object({ view });
export const viewList = z.object({ data: z.array(view) });
export type ViewListMessage = z.output<typeof viewList>;
export type ViewAnswerMessage = z.output<typeof viewAnswer>;

/** Saved view of a list, with the fields that the API returns. */
interface Stored extends Pick<z.output<typeof view>, "id" | "list" | "name" | "query"> {
  readonly isShared: boolean;
  readonly isOwn: boolean;
}

export const toListViewMessage = ({ id, list, name, query, isShared, isOwn }: Stored): z.output<typeof view> => ({
  ...{ id, list, name, query },
  shared: isShared,
  own: isOwn,
});
