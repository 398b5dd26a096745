import { ask, office } from "../api.ts";

const MAX_PAGES = 25;

/**
 * Reads all rows of a list, page by page, with its options. `path` must end so that query parameters can be appended.
 */
export async function readAll<Row>(
  path: string,
): Promise<{ readonly rows: readonly Row[]; readonly options: unknown }> {
  const rows: Row[] = [];
  let after = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { status, body } = await ask("GET", office(`${path}page_size=200${after}`));
    if (status !== 200) throw new Error(String(status));
    rows.push(...(body["data"] as readonly Row[]));
    if ((body["next"] ?? null) === null) return { rows, options: body["options"] };
    after = `&after=${encodeURIComponent(String(body["next"]))}`;
  }
  return { rows, options: undefined };
}
