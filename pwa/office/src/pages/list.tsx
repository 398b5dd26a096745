import { useEffect, useRef, useState } from "preact/hooks";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import { hasUserRight } from "../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import { ListDownload } from "../desk/list-download.tsx";
import { isRetryable, LoadErrorMessage } from "../desk/load-error.tsx";
import { toRefusalTexts } from "../desk/refusals.ts";
import { RowsTable } from "../desk/rows.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { Skeleton } from "../desk/skeleton.tsx";
import { deferredNotice } from "../desk/submit-once.ts";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";
import { formatCell } from "./cell-text.ts";
import { getNewRecordTitle } from "./record-title.ts";
import type { ResourceOptions, ResourceRecord } from "./resources.ts";

const COLUMNS = 6;
const VISIBLE_FIELD_KINDS: ReadonlySet<ResourceField["kind"]> = new Set([
  "text",
  "whole",
  "money",
  "percent",
  "measured",
  "flag",
  "date",
  "time",
  "choice",
  "reference",
  "rows",
]);
const LONG = 200;
const WAIT_MILLISECONDS = 200;

interface RecordPage extends Pick<ResourceListMessage, "total" | "next"> {
  readonly records: readonly ResourceRecord[];
  readonly options: ResourceOptions;
}

interface ListError {
  readonly problem: string;
  readonly canRetry: boolean;
}

const NO_ERROR: ListError = { problem: "", canRetry: true };

/** List of a resource with search and paging. */
export function ResourceListPage({ resource }: { readonly resource: Resource }) {
  const [text, setText] = useState("");
  const [page, setFound] = useState<RecordPage>();
  const [{ problem, canRetry }, setError] = useState(NO_ERROR);
  const last = useRef(0);
  const read = async (before: readonly ResourceRecord[], after: string | null) => {
    last.current += 1;
    const requestNumber = last.current;
    const page = await findRecords(resource, text, after).catch(() => ({ problem: t("notLoaded"), canRetry: true }));
    // Only the response to the latest request counts.
    if (requestNumber !== last.current) return;
    setError("problem" in page ? page : NO_ERROR);
    if ("records" in page) setFound({ ...page, records: [...before, ...page.records] });
  };
  useEffect(() => {
    const timer = setTimeout(() => read([], null), text ? WAIT_MILLISECONDS : 0);
    return () => clearTimeout(timer);
  }, [text, deferredNotice.value.turn]);
  const fields = listColumns(resource, page?.records ?? []);
  return (
    <main>
      <SettingsCrumbs />
      <div class="head">
        <h1>{t(`list.${resource.name}`)}</h1>
        {hasUserRight(resource.writeRight) && (
          <a class="button main" data-new href={linkTo("list", resource.name, "new")}>
            {getNewRecordTitle(resource)}
          </a>
        )}
      </div>
      <p class="soft">{t(`about.${resource.name}`)}</p>
      <search class="narrowing">
        <label class="searched">
          <span class="unseen">{t("search")}</span>
          <input
            type="search"
            value={text}
            placeholder={t("search")}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </search>
      <LoadErrorMessage problem={problem} onRetry={canRetry ? () => read([], null) : undefined} />
      {!page && !problem && <Skeleton />}
      <div class="counted">
        <p aria-live="polite" class="count">
          {page && formatCount(page, text, resource)}
        </p>
        <TableOfAgencies resource={resource} text={text} />
      </div>
      {page && page.total > 0 && (
        <RowsTable<ResourceRecord>
          name={t(`list.${resource.name}`)}
          rows={page.records}
          columns={fields.map((field, at) => ({
            head: tOr(`field.${field.name}`, field.name),
            cell: (record) =>
              at === 0 && !hasValue(field, record)
                ? t("numbered", { n: record.id })
                : formatCell(field, record, page.options),
            is: getCellKind(field),
          }))}
          keyOf={({ id }) => id}
          to={({ id }) => ["list", resource.name, id]}
        />
      )}
      {page?.next && (
        <button type="button" onClick={() => read(page.records, page.next)}>
          {t("more")}
        </button>
      )}
    </main>
  );
}

function formatCount({ total }: RecordPage, text: string, { writeRight }: Resource): string {
  if (total > 0) return t("found", { n: total });
  if (text) return t("nothingFound");
  return t(hasUserRight(writeRight) ? "empty" : "noneYet");
}

// Shows a download for the list of agencies only. The other lists of this page are settings.
function TableOfAgencies({ resource: { name }, text }: { readonly resource: Resource; readonly text: string }) {
  return name === "agencies" ? <ListDownload path={`/${name}`} names={[]} also={text ? { q: text } : {}} /> : null;
}

/** Loads a page of search results, or returns why the server refused it. */
async function findRecords({ name }: Resource, text: string, after: string | null): Promise<RecordPage | ListError> {
  const query = new URLSearchParams({
    options: "true",
    page_size: "100",
    ...(text && { q: text }),
    ...(after && { after }),
  });
  const answer = await sendOfficeRequest<ResourceListMessage>("GET", toOfficePath(`/${name}?${query}`));
  const content = getSuccessfulContent(answer);
  if (!content) return { problem: toRefusalTexts(answer).notice, canRetry: isRetryable(answer.status) };
  const { data, total, next, options = {} } = content;
  return { records: data, total, next, options };
}

const NUMBERS: ReadonlySet<ResourceField["kind"]> = new Set(["money", "percent", "whole", "rows"]);

/** Length from which a text gets the free space of the table. */
const WIDE_TEXT = 60;

function getCellKind(field: ResourceField): "date" | "flag" | "number" | "wide" | undefined {
  const { kind, name } = field;
  if (kind === "date" || kind === "flag") return kind;
  if (field.kind === "text" && field.longest >= WIDE_TEXT) return "wide";
  return NUMBERS.has(kind) && name !== "weekday" ? "number" : undefined;
}

// Chooses the columns: short fields in declared order. Empty fields are omitted except the first.
function listColumns({ fields }: Resource, records: readonly ResourceRecord[]): readonly ResourceField[] {
  const short = fields.filter(
    (field) =>
      VISIBLE_FIELD_KINDS.has(field.kind) &&
      (field.kind !== "text" || field.longest < LONG) &&
      !field.name.startsWith("address_"),
  );
  return short.filter((field, at) => at === 0 || records.some((record) => hasValue(field, record))).slice(0, COLUMNS);
}

function hasValue({ name }: ResourceField, record: ResourceRecord): boolean {
  const value = record[name];
  return value !== null && value !== undefined && value !== "";
}
