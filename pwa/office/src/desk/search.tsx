import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { getCountFormat } from "#shared/locale.ts";
import { getUserLocale } from "../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import { readLoadedRowCount, saveLoadedRowCount, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { readFilterValue } from "./chosen-branch.ts";
import { ListTools } from "./list-tools.tsx";
import { isRetryable, LoadErrorMessage } from "./load-error.tsx";
import { toRefusalTexts } from "./refusals.ts";
import { Skeleton } from "./skeleton.tsx";
import { deferredNotice } from "./submit-once.ts";

const WAIT_MILLISECONDS = 200;
const PAGE = 50;
const MAX_PAGE = 200;

/** Response of a list. */
interface ListContent {
  readonly data: readonly unknown[];
  readonly total: number;
  readonly total_is_exact?: boolean | undefined;
  readonly next: string | null;
}

type RowOf<List extends ListContent> = Immutable<List["data"][number]>;

interface SearchResult<Row, Content = unknown> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly isExact: boolean;
  readonly next: string | null;
  /** Response of the last page, with additional data such as totals and filter options. */
  readonly answer: Content;
}

/** State of a list's search, with functions to load it again or its next page. */
export interface ListSearchState<Row, Content = unknown> {
  readonly result: SearchResult<Row, Content> | undefined;
  readonly problem: string;
  readonly isFiltered: boolean;
  readonly again: () => void;
  /** Not set if a retry would be refused again. */
  readonly retry: (() => void) | undefined;
  readonly more: () => void;
}

/** Searches an office list with the query of the URL, page by page. Only the latest response counts. */
export function useSearch<List extends ListContent>(
  path: string,
  names: readonly string[],
): ListSearchState<RowOf<List>, Immutable<List>> {
  const [results, setResults] = useState<SearchResult<RowOf<List>, Immutable<List>>>();
  const [problem, setProblem] = useState("");
  const [canRetry, setCanRetry] = useState(true);
  const last = useRef(0);
  const lastListKey = useRef<string | undefined>(undefined);
  const queryPairs = names.flatMap((name) => {
    const value = readFilterValue(urlQuery.value, name);
    return value === "" ? [] : [[name, value] as [string, string]];
  });
  const read = async (before: readonly RowOf<List>[], after: string | null, pageSize = PAGE) => {
    last.current += 1;
    const requestNumber = last.current;
    const openHash = location.hash;
    const params = createPageQuery(queryPairs, after, pageSize);
    try {
      const answer = await sendOfficeRequest<List>("GET", toOfficePath(`${path}?${params}`));
      if (requestNumber !== last.current) return;
      const content = getSuccessfulContent(answer) as (Immutable<List> & ListContent) | undefined;
      if (!content) {
        const { fields, notice } = toRefusalTexts(answer);
        setCanRetry(isRetryable(answer.status));
        return setProblem([notice, ...Object.values(fields)].join(" "));
      }
      const { data, total, total_is_exact: isExact = true, next } = content;
      setProblem("");
      const rows = [...before, ...(data as readonly RowOf<List>[])];
      saveRowsOfPage(openHash, rows.length);
      setResults({
        rows,
        total: Math.max(total, rows.length),
        isExact: isExact || next === null,
        next,
        answer: content,
      });
    } catch {
      if (requestNumber !== last.current) return;
      setCanRetry(true);
      setProblem(t("notLoaded"));
    }
  };
  const listKey = JSON.stringify([path, queryPairs]);
  // Reloads the same list with as many rows as are shown, or as the history stores if no load succeeded.
  const again = () => void read([], null, results?.rows.length ?? readLoadedRowCount());
  useEffect(() => {
    const isOtherList = lastListKey.current !== undefined && lastListKey.current !== listKey;
    lastListKey.current = listKey;
    const timer = setTimeout(() => (isOtherList ? void read([], null) : again()), results ? WAIT_MILLISECONDS : 0);
    return () => clearTimeout(timer);
  }, [listKey, deferredNotice.value.turn]);
  return {
    result: results,
    problem,
    isFiltered: queryPairs.length > 0,
    again,
    retry: canRetry ? again : undefined,
    more: () => results && void read(results.rows, results.next),
  };
}

function createPageQuery(queryPairs: readonly [string, string][], after: string | null, pageSize: number) {
  const size = String(Math.min(MAX_PAGE, Math.max(PAGE, pageSize)));
  return new URLSearchParams([...queryPairs, ["page_size", size], ...(after ? [["after", after]] : [])]);
}

// Stores how many rows of a long list are loaded, unless the user is already leaving the list's page.
function saveRowsOfPage(hash: string, rows: number): void {
  if (location.hash === hash && Math.max(rows, readLoadedRowCount()) > PAGE) saveLoadedRowCount(rows);
}

interface ResultsProps<Row> {
  readonly search: ListSearchState<Row>;
  /** Text and advice if the list is empty. */
  readonly empty: string;
  /** Text if nothing matches the filters. */
  readonly none: string;
  /** Buttons next to the number of results. */
  readonly tools?: ComponentChildren;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

const formatCount = ({ total, isExact }: SearchResult<unknown>) =>
  t(isExact ? "found" : "foundAtLeast", { n: total }).replace(
    String(total),
    getCountFormat(getUserLocale()).format(total),
  );

/** Whether the end date of a filter is before its start date, so that nothing matches. */
export function hasReversedDates(query: Iterable<readonly [name: string, value: string]>): boolean {
  const values = new Map(query);
  return [...values].some(([name, from]) => {
    const to = name.endsWith("_from") ? values.get(name.replace(/_from$/, "_to")) : undefined;
    return to !== undefined && to !== "" && to < from;
  });
}

/** Search results, or the reason why there are none. */
export function ListSearchResults<Row>({ search, empty, none, tools, children }: ResultsProps<Row>) {
  const { result, problem, isFiltered, retry, more } = search;
  const count = result && result.total > 0 ? formatCount(result) : "";
  return (
    <>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      <div class="counted">
        <p aria-live="polite" class="count">
          {result && (count || (hasReversedDates(urlQuery.value) ? t("datesReversed") : isFiltered ? none : empty))}
        </p>
        {tools && <ListTools name={count}>{tools}</ListTools>}
      </div>
      {!result && !problem && (
        <div class="table">
          <Skeleton />
        </div>
      )}
      {result && result.rows.length > 0 && children(result.rows)}
      {result?.next && (
        <button type="button" class="more" onClick={more}>
          {t("more")}
        </button>
      )}
    </>
  );
}
