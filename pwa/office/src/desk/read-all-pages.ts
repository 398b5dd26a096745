import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";

const MAX_PAGES = 25;

/** Response of a list. */
interface ListContent {
  readonly data: readonly unknown[];
  readonly next: string | null;
  readonly options?: unknown;
}

/**
 * Reads all rows of a list, page by page, with its options. `path` must end so that query parameters can be appended.
 */
export async function readAllPages<List extends ListContent>(
  path: string,
): Promise<{ readonly rows: readonly List["data"][number][]; readonly options: List["options"] }> {
  const rows: List["data"][number][] = [];
  let after = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await sendOfficeRequest<List>("GET", toOfficePath(`${path}page_size=200${after}`));
    const content = getSuccessfulContent(answer) as List | undefined;
    if (!content) throw new Error(String(answer.status));
    rows.push(...content.data);
    if (!content.next) return { rows, options: content.options };
    after = `&after=${encodeURIComponent(content.next)}`;
  }
  return { rows, options: undefined };
}
