import type { ComponentChildren } from "preact";
import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import { formatMoney } from "../../../account.ts";
import { FieldFrame } from "../../../desk/field-frame.tsx";
import type { FormValues } from "../../../desk/fields.ts";
import { BasicInput, type BasicKind, Select, type SelectChoice } from "../../../desk/inputs.tsx";
import { getDocumentNumberHint } from "../../../desk/tax-number-warning.ts";
import { Icon } from "../../../icons.tsx";
import { t } from "../../../texts.ts";
import {
  CARD_HOLD,
  getLineAmount,
  getLineMethod,
  type MoneyKind,
  type MoneyLine,
  toAmountFieldName,
  toMethodFieldName,
  toNumberFieldName,
} from "./proposals.ts";
import { translateGuided as g } from "./texts.ts";

interface StepsProps<Name extends string> {
  readonly steps: readonly { readonly name: Name; readonly title: string; readonly isMissing: boolean }[];
  readonly current: Name;
  readonly onGo: (name: Name) => void;
}

/** Steps of a guided action. Earlier ones can be opened again, and are marked if they lack something. */
export function StepList<Name extends string>({ steps, current, onGo }: StepsProps<Name>) {
  const at = steps.findIndex(({ name }) => name === current);
  return (
    <ol class="guided-steps">
      {steps.map(({ name, title, isMissing }, index) => {
        const isIncomplete = index < at && isMissing;
        return (
          <li key={name}>
            <button
              type="button"
              class={isIncomplete ? "problem" : ""}
              aria-current={name === current ? "step" : undefined}
              disabled={index > at}
              onClick={() => onGo(name)}
            >
              <span class="step-number" aria-hidden="true">
                {index < at && !isMissing ? <Icon name="check" isSmall /> : index + 1}
              </span>
              <span>
                {title}
                {isIncomplete && <small>{g("stepMissing")}</small>}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly kind: BasicKind | "choice";
  readonly value: unknown;
  readonly choices?: readonly SelectChoice[];
  readonly none?: string;
  readonly problem?: string | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isWide?: boolean;
  readonly onChange: (value: unknown) => void;
}

/** Field of a step. */
export function GuidedField({ label, name, kind, value, choices, none, onChange, ...frame }: FieldProps) {
  return (
    <FieldFrame
      label={label}
      {...getDocumentNumberHint(name, value)}
      {...frame}
      problem={frame.problem}
      isFlag={kind === "flag"}
    >
      {({ id, describedBy }) => {
        const common = { id, name, "aria-describedby": describedBy, "aria-invalid": frame.problem !== undefined };
        return kind === "choice" ? (
          <Select {...common} value={String(value ?? "")} choices={choices ?? []} none={none} onChange={onChange} />
        ) : (
          <BasicInput {...common} kind={kind} value={value} onChange={onChange} />
        );
      }}
    </FieldFrame>
  );
}

interface MoneyFieldsProps {
  readonly lines: readonly MoneyLine[];
  readonly values: FormValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly getProposed: (kind: MoneyKind) => string;
  /** Effect of a card hold for the deposit. Undefined if the deposit can't be held on a card. */
  readonly holdHint?: string;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Amounts to take or return, each with its method. */
export function MoneyFields({ lines, values, problems, getProposed, holdHint, onChange }: MoneyFieldsProps) {
  return (
    <>
      {lines.map((line) => {
        const method = getLineMethod(line, values, getProposed(line.kind));
        const methods: readonly SelectChoice[] = [
          ...DESK_PAYMENT_METHODS.map((item) => [item, t(`method.${item}`)] as const),
          ...(holdHint !== undefined && line.kind === "deposit_taken" ? [[CARD_HOLD, g("cardHold")] as const] : []),
        ];
        return (
          <fieldset key={line.kind} class="wide group money-line">
            <legend>
              {g(`money.${line.kind}`)} <span class="number">{formatMoney(line.amount)}</span>
            </legend>
            <GuidedField
              label={t("in.amount")}
              name={toAmountFieldName(line.kind)}
              kind="money"
              value={getLineAmount(line, values)}
              problem={problems[toAmountFieldName(line.kind)]}
              onChange={(value) => onChange(toAmountFieldName(line.kind), value)}
            />
            <GuidedField
              label={t("paymentWay")}
              name={toMethodFieldName(line.kind)}
              kind="choice"
              value={method}
              choices={methods}
              none={t("choose")}
              problem={problems[toMethodFieldName(line.kind)]}
              {...(holdHint !== undefined && method === CARD_HOLD && { hint: holdHint })}
              onChange={(value) => onChange(toMethodFieldName(line.kind), value)}
            />
            {method === "credit_card" && (
              <GuidedField
                label={t("operationNumber")}
                name={toNumberFieldName(line.kind)}
                kind="text"
                value={values[toNumberFieldName(line.kind)]}
                onChange={(value) => onChange(toNumberFieldName(line.kind), value)}
              />
            )}
          </fieldset>
        );
      })}
    </>
  );
}

interface AmountsProps {
  readonly rows: readonly (readonly [text: string, amount: string, isStrong?: boolean])[];
}

/** Amounts in a table, the last ones in bold. */
export function AmountList({ rows }: AmountsProps) {
  return (
    <table class="sums">
      <tbody>
        {rows.map(([text, amount, isStrong]) => (
          <tr key={text} class={isStrong ? "strong" : ""}>
            <th scope="row">{text}</th>
            <td class="number">{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface StepFootProps {
  readonly notice: string;
  readonly isBusy: boolean;
  readonly submit: string;
  readonly isRefused?: boolean;
  readonly back: string;
  readonly onBack: () => void;
  readonly children?: ComponentChildren;
}

/** Buttons of a step in a guided form: back, next and optional further ones. */
export function GuidedStepButtons({
  notice,
  isBusy,
  submit,
  isRefused = false,
  back,
  onBack,
  children,
}: StepFootProps) {
  return (
    <div class="foot">
      <p role="alert" class="problem">
        {notice}
      </p>
      {children}
      <button type="button" onClick={onBack}>
        {back}
      </button>
      <button type="submit" class="main" disabled={isBusy || isRefused}>
        {submit}
      </button>
    </div>
  );
}
