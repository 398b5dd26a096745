import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "#domain/problems.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { PriceTableChangeRequest, PriceTableMessage } from "#worker/api/office/resources/price-table-messages.ts";
import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import { hasUserRight } from "../account.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { Select } from "../desk/inputs.tsx";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { formatReason } from "../desk/problem-texts.ts";
import { isProblemCode, listRefusedFields, toRefusalTexts } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { Skeleton } from "../desk/skeleton.tsx";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { useLoadedChoices } from "../desk/use-choices.tsx";
import { linkTo, replaceQueryValues, urlQuery } from "../route.ts";
import { reloadSetup } from "../setup-state.ts";
import { t } from "../texts.ts";
import { PriceChangeForm } from "./change-prices.tsx";
import { deleteFormDraft, readFormDraft, saveFormDraft } from "./form-drafts.ts";
import {
  addPriceColumn,
  formatBracketLength,
  formatForSpreadsheet,
  getRowName,
  type PriceTable,
} from "./price-cells.ts";
import { AddPriceColumn, PriceGrid } from "./price-grid.tsx";
import { type ConflictingPrices, mergePriceTables } from "./price-merge.ts";
import { PricePreview } from "./price-preview.tsx";
import type { ResourceOptions } from "./resources.ts";

interface Key {
  readonly season: string;
  readonly channel: string;
}

/** Prices of a selected season and sales channel. */
export default function PriceTablePage() {
  const key: Key = { season: urlQuery.value.get("season") ?? "", channel: urlQuery.value.get("channel") ?? "" };
  const options = useLoadedChoices("prices", readOptions) ?? {};
  const query = `?${new URLSearchParams({ ...(key.season && { season: key.season }), ...(key.channel && { sales_channel: key.channel }) })}`;
  const listChoices = (name: string) => (options[name] ?? []).map((item) => [item.id, item.name] as const);
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("priceTable")}</h1>
      <div class="line">
        <label>
          {t("season")}
          <Select
            value={key.season}
            none={t("noSeason")}
            choices={listChoices("season_id")}
            onChange={(season) => replaceQueryValues({ season })}
          />
        </label>
        <label>
          {t("channel")}
          <Select
            value={key.channel}
            none={t("allChannels")}
            choices={listChoices("sales_channel_code")}
            onChange={(channel) => replaceQueryValues({ channel })}
          />
        </label>
      </div>
      <Prices key={query} query={query} />
    </main>
  );
}

/** Price table with paste, preview, save and undo. */
function Prices({ query }: { readonly query: string }) {
  const [priceTable, setKept] = useState<PriceTable>();
  const [table, setTable] = useState<PriceTable>();
  const [theirs, setTheirs] = useState<ConflictingPrices>(NO_OTHER_PRICES);
  const [undoable, setUndoable] = useState<PriceTable>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [notice, setNotice] = useState("");
  const [unread, setUnread] = useState("");
  const [turn, setTurn] = useState(0);
  // Table that an undo would restore.
  const replaced = useRef<PriceTable | undefined>(undefined);
  const show = (next: PriceTable | undefined) => {
    setKept(next);
    setTable(next);
    setProblems([]);
    setTheirs(NO_OTHER_PRICES);
  };
  const updateTable = (next: PriceTable, originalTable = priceTable) => {
    const { brackets, rows } = next;
    saveFormDraft(DRAFT, query, { brackets, rows, version: originalTable?.version, seen: originalTable });
    setTable(next);
    setNotice("");
  };
  const leave = () => {
    deleteFormDraft(DRAFT, query);
    show(priceTable);
    setNotice("");
  };
  useEffect(() => {
    setUndoable(undefined);
    setUnread("");
    sendOfficeRequest<PriceTableMessage>("GET", toOfficePath(`/prices/table${query}`)).then(
      (answer) => {
        const read = getSuccessfulContent(answer)?.table;
        const draft = read && readFormDraft(DRAFT, query);
        show(read);
        setNotice("");
        if (!read) return setUnread(toRefusalTexts(answer).notice);
        if (!isTable(draft)) return;
        // Restore the draft with the table it was based on, so that later changes of others are shown before
        // overwriting.
        setKept(draft.seen);
        setTable(draft);
        setNotice(t("draftKept"));
      },
      () => {
        show(undefined);
        setUnread(t("notLoaded"));
      },
    );
  }, [turn]);
  const { isBusy, send } = useSubmitOnce<PriceTableMessage>({
    draft: [DRAFT, query],
    title: t("priceTable"),
    take: (answer) => {
      if (!answer) return setNotice(t("notSent"));
      if (answer.status !== 200) return handleRejection(answer);
      show(answer.body.table);
      setUndoable(replaced.current);
      setNotice(`${t("saved")}. ${t("pricesKept")}`);
    },
  });
  const write = (desiredTable: PriceTable, version: number, before: PriceTable | undefined) => {
    const rows = desiredTable.rows.map(({ name: _, ...row }) => row);
    const body: Typed<PriceTableChangeRequest> = { expected_version: version, brackets: desiredTable.brackets, rows };
    replaced.current = before;
    return send(body, async (key) => {
      const answer = await sendOfficeRequest<PriceTableMessage, Typed<PriceTableChangeRequest>>(
        "PUT",
        toOfficePath(`/prices/table${query}`),
        {
          body,
          key,
        },
      );
      if (answer.status === 200) reloadSetup();
      return answer;
    });
  };
  const handleRejection = (answer: OfficeResponse<PriceTableMessage>) => {
    const { body } = answer;
    const now = body.table;
    if (now && table && priceTable) {
      const merged = mergePriceTables(priceTable, table, now);
      setKept(now);
      setTheirs(merged.clashes);
      setUndoable(undefined);
      updateTable(merged.table, now);
    }
    setProblems(
      listRefusedFields(body).flatMap(({ field, code, params }) =>
        isProblemCode(code) ? [{ field, code, params }] : [],
      ),
    );
    setNotice(now ? t("changedMeanwhile") : toRefusalTexts(answer).notice);
  };
  return (
    <>
      <div class="line">
        <AddPriceColumn onAdd={(from, to) => table && updateTable(addPriceColumn(table, from, to))} />
      </div>
      {table && table.rows.length > 0 && table.brackets.length > 0 && hasUserRight("prices") && (
        <PriceChangeForm
          table={table}
          isBusy={isBusy}
          onChange={updateTable}
          onSave={(next) => {
            updateTable(next);
            if (priceTable) void write(next, priceTable.version, priceTable);
          }}
        />
      )}
      <p>
        {t("pasteHint")} {t("emptyPrice")}
      </p>
      <LoadErrorMessage problem={unread} onRetry={() => setTurn(turn + 1)} />
      {!table && !unread && <Skeleton />}
      {table?.rows.length === 0 && (
        <p class="waits">
          {t("noCategoryToPrice")} <a href={linkTo("list", "categories", "new")}>{t("stepDo.categories")}</a>
        </p>
      )}
      {table && table.rows.length > 0 && table.brackets.length === 0 && <p class="waits">{t("noLengthYet")}</p>}
      {table && table.brackets.length > 0 && (
        <PriceGrid
          {...{ table, storedTable: priceTable, problems, conflictingPrices: theirs }}
          onChange={updateTable}
        />
      )}
      <p role="status">{notice}</p>
      {problems.map((problem) => (
        <p key={problem.field} class="problem">
          {cellName(table, problem.field)}: {formatReason(problem)}
        </p>
      ))}
      {table && priceTable && table.brackets.length > 0 && (
        <div class="foot">
          {hasUserRight("prices") && (
            <button
              type="button"
              class="main"
              disabled={isBusy}
              onClick={() => write(table, priceTable.version, priceTable)}
            >
              {t("save")}
            </button>
          )}
          {table !== priceTable && isOther(table, priceTable) && (
            <button type="button" onClick={leave}>
              {t("discard")}
            </button>
          )}
          {undoable && (
            <button
              type="button"
              disabled={isBusy}
              onClick={() => write(getFullTable(undoable, priceTable), priceTable.version, undefined)}
            >
              {t("undo")}
            </button>
          )}
          <button type="button" onClick={() => navigator.clipboard.writeText(formatForSpreadsheet(table))}>
            {t("copyTable")}
          </button>
        </div>
      )}
      {table && table.brackets.length > 0 && <PricePreview table={table} query={query} onRefused={handleRejection} />}
    </>
  );
}

// Loads the seasons and sales channels that can be chosen.
async function readOptions(): Promise<ResourceOptions> {
  const answer = await sendOfficeRequest<ResourceListMessage>("GET", toOfficePath("/prices?options=true&page_size=1"));
  const content = getSuccessfulContent(answer);
  if (!content) throw new Error(String(answer.status));
  return content.options ?? {};
}

const DRAFT = "prices-table";
const NO_OTHER_PRICES: ConflictingPrices = new Map();

function isTable(
  draft: Readonly<Record<string, unknown>> | undefined,
): draft is Readonly<Record<string, unknown>> & PriceTable & { readonly seen: PriceTable } {
  return draft !== undefined && "brackets" in draft && "rows" in draft && "seen" in draft;
}

function isOther(priceTable: PriceTable, other: PriceTable): boolean {
  return JSON.stringify([priceTable.brackets, priceTable.rows]) !== JSON.stringify([other.brackets, other.rows]);
}

// Restores the table including cells that had no price before.
function getFullTable(before: PriceTable, now: PriceTable): PriceTable {
  const known = new Set(before.rows.map(({ category_code }) => category_code));
  const emptied = now.rows
    .filter(({ category_code }) => !known.has(category_code))
    .map((row) => ({ ...row, prices: [] }));
  return { ...before, rows: [...before.rows, ...emptied] };
}

function cellName(table: PriceTable | undefined, field: string): string {
  const [, row, , column] = field.split(".");
  const bracket = table?.brackets[Number(column)];
  const tableRow = table?.rows[Number(row)];
  return [tableRow && getRowName(tableRow), bracket && formatBracketLength(bracket)].filter(Boolean).join(", ");
}
