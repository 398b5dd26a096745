import { useState } from "preact/hooks";
import type { Problem } from "#domain/catalogue/resources/problems.ts";
import { t } from "../texts.ts";
import { lengthText, type PriceTable, pasted, withCell } from "./price-cells.ts";

interface GridProps {
  readonly table: PriceTable;
  readonly kept: PriceTable | undefined;
  readonly problems: readonly Problem[];
  readonly onChange: (table: PriceTable) => void;
}

/** The prices as a spreadsheet: typed, or pasted from one. */
export function Grid({ table, kept, problems, onChange }: GridProps) {
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

/** Another length, from a first day to a last. */
export function AddColumn({ onAdd }: { readonly onAdd: (from: number, to: number | null) => void }) {
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
