import { useEffect, useState } from "preact/hooks";
import { type Problem, readSentence } from "#domain/catalogue/resources/problems.ts";
import { type Answer, ask, office } from "../api.ts";
import { t } from "../texts.ts";
import { Select, sentence } from "./field-input.tsx";
import { lengthText, type PriceTable, pasted, toSpreadsheet, withCell, withColumn } from "./price-cells.ts";
import { Preview } from "./price-preview.tsx";
import type { Options } from "./things.ts";

interface Key {
  readonly season: string;
  readonly channel: string;
}

/** The prices of a season and a channel, edited as a spreadsheet is: pasted, previewed, saved and undone. */
export default function PriceTablePage() {
  const [key, setKey] = useState<Key>({ season: "", channel: "" });
  const [options, setOptions] = useState<Options>({});
  const [kept, setKept] = useState<PriceTable>();
  const [table, setTable] = useState<PriceTable>();
  const [undoable, setUndoable] = useState<PriceTable>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [notice, setNotice] = useState("");
  const query = `?${new URLSearchParams({ ...(key.season && { season: key.season }), ...(key.channel && { sales_channel: key.channel }) })}`;
  const show = (next: PriceTable | undefined) => {
    setKept(next);
    setTable(next);
    setProblems([]);
  };
  useEffect(() => {
    ask("GET", office("/prices?options=true&page_size=1")).then(
      ({ body }) => setOptions((body["options"] ?? {}) as Options),
      () => setNotice(t("failed")),
    );
  }, []);
  useEffect(() => {
    setUndoable(undefined);
    ask("GET", office(`/prices/table${query}`)).then(
      ({ body }) => show(body["table"] as PriceTable | undefined),
      () => setNotice(t("failed")),
    );
  }, [query]);
  const write = async (wanted: PriceTable, version: number, before: PriceTable | undefined) => {
    const body = {
      expected_version: version,
      brackets: wanted.brackets,
      rows: wanted.rows.map(({ name: _, ...row }) => row),
    };
    try {
      const answer = await ask("PUT", office(`/prices/table${query}`), { body });
      if (answer.status !== 200) return refuse(answer);
      show(answer.body["table"] as PriceTable);
      setUndoable(before);
      setNotice(`${t("saved")}. ${t("pricesKept")}`);
    } catch {
      setNotice(t("failed"));
    }
  };
  const refuse = ({ status, body }: Answer) => {
    const theirs = body["table"] as PriceTable | undefined;
    if (theirs) setKept(theirs);
    const detail = (body["detail"] ?? []) as readonly { readonly field: string; readonly message: string }[];
    setProblems(detail.flatMap(({ field, message }) => readSentence(field, message) ?? []));
    setNotice(theirs ? t("changedMeanwhile") : t(status === 403 ? "notAllowed" : "fixFields"));
  };
  const choicesOf = (name: string) => (options[name] ?? []).map((one) => [one.id, one.name] as const);
  return (
    <main>
      <h1>{t("priceTable")}</h1>
      <div class="line">
        <label>
          {t("season")}
          <Select
            value={key.season}
            choices={choicesOf("season_id")}
            onChange={(event) => setKey({ ...key, season: event.currentTarget.value })}
          />
        </label>
        <label>
          {t("channel")}
          <Select
            value={key.channel}
            choices={choicesOf("sales_channel_code")}
            onChange={(event) => setKey({ ...key, channel: event.currentTarget.value })}
          />
        </label>
        <AddColumn onAdd={(from, to) => table && setTable(withColumn(table, from, to))} />
      </div>
      <p>{t("pasteHint")}</p>
      {!table && !notice && <p>{t("loading")}…</p>}
      {table && <Grid table={table} kept={kept} problems={problems} onChange={setTable} />}
      <p role="status">{notice}</p>
      {problems.map((one) => (
        <p key={one.field} class="problem">
          {cellName(table, one.field)}: {sentence(one)}
        </p>
      ))}
      {table && kept && (
        <div class="foot">
          <button type="button" class="main" onClick={() => write(table, kept.version, kept)}>
            {t("save")}
          </button>
          {undoable && (
            <button type="button" onClick={() => write(whole(undoable, kept), kept.version, undefined)}>
              {t("undo")}
            </button>
          )}
          <button type="button" onClick={() => navigator.clipboard.writeText(toSpreadsheet(table))}>
            {t("copyTable")}
          </button>
        </div>
      )}
      {table && <Preview table={table} query={query} />}
    </main>
  );
}

// What had no prices before has none again.
function whole(before: PriceTable, now: PriceTable): PriceTable {
  const known = new Set(before.rows.map(({ category_code }) => category_code));
  const emptied = now.rows
    .filter(({ category_code }) => !known.has(category_code))
    .map((row) => ({ ...row, prices: [] }));
  return { ...before, rows: [...before.rows, ...emptied] };
}

function cellName(table: PriceTable | undefined, field: string): string {
  const [, row, , column] = field.split(".");
  const bracket = table?.brackets[Number(column)];
  return [table?.rows[Number(row)]?.name, bracket && lengthText(bracket)].filter(Boolean).join(", ");
}

interface GridProps {
  readonly table: PriceTable;
  readonly kept: PriceTable | undefined;
  readonly problems: readonly Problem[];
  readonly onChange: (table: PriceTable) => void;
}

function Grid({ table, kept, problems, onChange }: GridProps) {
  const wrong = new Set(problems.map(({ field }) => field));
  const before = new Map(kept?.rows.map((row) => [row.category_code, row.prices]));
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    onChange(pasted(table, text, row, column));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys.
    <section class="table grid" aria-label={t("priceTable")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("category")}</th>
            {table.brackets.map((one) => (
              <th key={lengthText(one)} scope="col">
                {lengthText(one)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={row.category_code}>
              <th scope="row">{row.name}</th>
              {table.brackets.map((one, column) => {
                const value = row.prices[column] ?? "";
                const isChanged = value !== (before.get(row.category_code)?.[column] ?? "");
                return (
                  <td key={lengthText(one)} class={isChanged ? "changed" : ""}>
                    <input
                      aria-label={`${row.name}, ${lengthText(one)}`}
                      aria-invalid={wrong.has(`rows.${at}.prices.${column}`)}
                      inputMode="decimal"
                      value={value}
                      onInput={(event) => onChange(withCell(table, at, column, event.currentTarget.value))}
                      onPaste={(event) => paste(event, at, column)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function AddColumn({ onAdd }: { readonly onAdd: (from: number, to: number | null) => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  return (
    <>
      <label>
        {t("firstDay")}
        <input inputMode="numeric" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      </label>
      <label>
        {t("lastDay")}
        <input inputMode="numeric" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </label>
      <button
        type="button"
        disabled={!/^[1-9]\d{0,2}$/.test(from)}
        onClick={() => onAdd(Number(from), to ? Number(to) : null)}
      >
        {t("addColumn")}
      </button>
    </>
  );
}
