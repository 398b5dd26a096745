import { useState } from "preact/hooks";
import { account, formatCents } from "../account.ts";
import { Select } from "../desk/inputs.tsx";
import { parseTypedAmount } from "../desk/typed-amount.ts";
import { t } from "../texts.ts";
import type { PriceTable } from "./price-cells.ts";
import { changePrices } from "./price-change.ts";

interface ChangePricesProps {
  readonly table: PriceTable;
  readonly onChange: (table: PriceTable) => void;
  readonly isBusy: boolean;
  /** Saves the changed table immediately. An undo restores the table as it was before. */
  readonly onSave: (table: PriceTable) => void;
}

const HUNDRED = 100;

/** Changes the prices of a category or of all by a percentage. The table shows them before they are saved. */
export function ChangePrices({ table, isBusy, onChange, onSave }: ChangePricesProps) {
  const [category, setCategory] = useState("");
  const [percent, setPercent] = useState("");
  const [step, setStep] = useState("1");
  const rate = Math.round(Number(parseTypedAmount(percent)) * HUNDRED);
  const isWrong = percent.trim() === "" || !Number.isFinite(rate) || rate <= -HUNDRED * HUNDRED;
  const unit = 10 ** account.value.currency_decimals;
  const steps = [...new Set([1, unit / 10, unit / 2, unit, unit * 5])].filter((item) => Number.isInteger(item));
  const change = (take: (table: PriceTable) => void) => {
    if (isWrong) return;
    take(changePrices(table, { rate, step: Number(step), category }, account.value.currency_decimals));
    setPercent("");
  };
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        change(onChange);
      }}
    >
      <label>
        {t("category")}
        <Select
          name="change_category"
          value={category}
          none={t("all")}
          choices={table.rows.map((row) => [row.category_code, row.name] as const)}
          onChange={setCategory}
        />
      </label>
      <label>
        {t("changeByPercent")}
        <input
          name="change_percent"
          inputMode="decimal"
          autocomplete="off"
          placeholder="+8"
          value={percent}
          onInput={({ currentTarget: { value } }) => setPercent(value)}
        />
      </label>
      <label>
        {t("roundTo")}
        <Select
          name="change_step"
          value={step}
          choices={steps.map((item) => [item, formatCents(item)] as const)}
          onChange={setStep}
        />
      </label>
      <button type="submit" disabled={isWrong}>
        {t("changePrices")}
      </button>
      <button type="button" disabled={isWrong || isBusy} onClick={() => change(onSave)}>
        {t("changePricesAndSave")}
      </button>
    </form>
  );
}
