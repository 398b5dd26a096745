import { useId, useState } from "preact/hooks";
import { account, formatCents } from "../account.ts";
import { Select } from "../desk/inputs.tsx";
import { t } from "../texts.ts";
import { getRowName, type PriceTable } from "./price-cells.ts";
import { changePrices, findPercentProblem, type PercentProblem, parsePercentToBasisPoints } from "./price-change.ts";

interface ChangePricesProps {
  readonly table: PriceTable;
  readonly onChange: (table: PriceTable) => void;
  readonly isBusy: boolean;
  /** Saves the changed table immediately. An undo restores the table as it was before. */
  readonly onSave: (table: PriceTable) => void;
}

/** Changes the prices of a category or of all by a percentage. The table shows them before they are saved. */
export function PriceChangeForm({ table, isBusy, onChange, onSave }: ChangePricesProps) {
  const [category, setCategory] = useState("");
  const [percent, setPercent] = useState("");
  const [step, setStep] = useState("1");
  const [problem, setProblem] = useState<PercentProblem>();
  const id = useId();
  const unit = 10 ** account.value.currency_decimals;
  const steps = [...new Set([1, unit / 10, unit / 2, unit, unit * 5])].filter((item) => Number.isInteger(item));
  const change = (take: (table: PriceTable) => void) => {
    const wrong = findPercentProblem(percent);
    setProblem(wrong);
    if (wrong) return;
    const basisPoints = parsePercentToBasisPoints(percent);
    take(changePrices(table, { basisPoints, step: Number(step), category }, account.value.currency_decimals));
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
          choices={table.rows.map((row) => [row.category_code, getRowName(row)] as const)}
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
          aria-invalid={problem !== undefined}
          aria-describedby={problem && id}
          onInput={({ currentTarget: { value } }) => {
            setPercent(value);
            setProblem(undefined);
          }}
        />
        {problem && (
          <span class="problem" id={id}>
            {t(`problem.${problem}`)}
          </span>
        )}
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
      <button type="submit">{t("changePrices")}</button>
      <button type="button" disabled={isBusy} onClick={() => change(onSave)}>
        {t("changePricesAndSave")}
      </button>
    </form>
  );
}
