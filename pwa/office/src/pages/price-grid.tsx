import { useState } from "preact/hooks";
import type { Problem } from "#domain/problems.ts";
import { AmountInput } from "../desk/amount-input.tsx";
import { formatAmountInput } from "../desk/typed-amount.ts";
import { t } from "../texts.ts";
import { formatBracketLength, getRowName, type PriceTable, pastePriceCells, setPriceCell } from "./price-cells.ts";
import { type ConflictingPrices, toPriceCellKey } from "./price-merge.ts";

interface GridProps {
  readonly table: PriceTable;
  readonly storedTable: PriceTable | undefined;
  readonly problems: readonly Problem[];
  /** Prices set by another user in cells changed here. */
  readonly conflictingPrices: ConflictingPrices;
  readonly onChange: (table: PriceTable) => void;
}

/** Price grid for typing or pasting from a spreadsheet. */
export function PriceGrid({ table, storedTable, problems, conflictingPrices, onChange }: GridProps) {
  const problemFields = new Set(problems.map(({ field }) => field));
  const before = new Map(storedTable?.rows.map((row) => [row.category_code, row.prices]));
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    onChange(pastePriceCells(table, text, row, column));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys.
    <section class="table grid" aria-label={t("priceTable")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("category")}</th>
            {table.brackets.map((bracket) => (
              <th key={formatBracketLength(bracket)} scope="col">
                {formatBracketLength(bracket)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={row.category_code}>
              <th scope="row">{getRowName(row)}</th>
              {table.brackets.map((bracket, column) => {
                const value = row.prices[column] ?? "";
                const their = conflictingPrices.get(toPriceCellKey(row.category_code, bracket));
                const isChanged = value !== (before.get(row.category_code)?.[column] ?? "");
                return (
                  <td
                    key={formatBracketLength(bracket)}
                    class={isChanged ? "changed" : ""}
                    data-label={formatBracketLength(bracket)}
                  >
                    <AmountInput
                      aria-label={`${getRowName(row)}, ${formatBracketLength(bracket)}`}
                      aria-invalid={problemFields.has(`rows.${at}.prices.${column}`)}
                      value={value}
                      onChange={(price) => onChange(setPriceCell(table, at, column, price))}
                      onPaste={(event) => paste(event, at, column)}
                    />
                    {their !== undefined && (
                      <small class="problem">{t("theirs", { value: formatAmountInput(their) || t("noPrice") })}</small>
                    )}
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

const LENGTH = /^[1-9]\d{0,2}$/;

/** Adds a duration from a first to a last day. Invalid ones are reported immediately. */
export function AddPriceColumn({ onAdd }: { readonly onAdd: (from: number, to: number | null) => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [isSubmitted, setSubmitted] = useState(false);
  const isFromRight = LENGTH.test(from.trim());
  const isToRight = to.trim() === "" || (LENGTH.test(to.trim()) && Number(to) >= Number(from));
  const isWrong = isSubmitted && !(isFromRight && isToRight);
  const add = () => {
    setSubmitted(true);
    if (!isFromRight || !isToRight) return;
    onAdd(Number(from), to.trim() === "" ? null : Number(to));
    setFrom(to.trim() === "" ? "" : String(Number(to) + 1));
    setTo("");
    setSubmitted(false);
  };
  return (
    <form
      class="line"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label>
        {t("firstDay")}
        <input
          inputMode="numeric"
          value={from}
          aria-invalid={isSubmitted && !isFromRight}
          aria-describedby={isWrong ? "wrong-length" : undefined}
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("lastDay")}
        <input
          inputMode="numeric"
          value={to}
          aria-invalid={isSubmitted && !isToRight}
          aria-describedby={isWrong ? "wrong-length" : undefined}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{t("addColumn")}</button>
      {isWrong && (
        <p class="problem wide" id="wrong-length" role="alert">
          {t("wrongLength")}
        </p>
      )}
    </form>
  );
}
