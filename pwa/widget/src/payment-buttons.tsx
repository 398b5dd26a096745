import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatAmount } from "./format.ts";
import type { CheckoutOptions, Settings } from "./model.ts";
import { listPayChoices, type PayChoice } from "./payment-choices.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";

/** Ways to pay now, whether paying later is possible, and the choice. */
export interface PaymentChoiceState {
  readonly choices: readonly PayChoice[];
  readonly canPayLater: boolean;
  /** Chosen way to pay. Undefined if nothing is paid now. */
  readonly chosen: PayChoice | undefined;
  /** Chooses a way to pay, or to pay later. */
  readonly choose: (choice: PayChoice | undefined) => void;
}

const LATER = "later";
const toKey = ({ part, method }: PayChoice) => `${part} ${method}`;

interface PaymentOptions {
  readonly canPayLater: boolean;
  /** Key of the choice before a reload. Without it, the first choice applies. */
  readonly stored?: string | undefined;
  readonly store?: (key: string) => void;
}

/** Keeps the chosen way to pay, also while amounts change. */
export function usePaymentChoice(
  selling: CheckoutOptions,
  { canPayLater, stored, store, ...amounts }: Parameters<typeof listPayChoices>[1] & PaymentOptions,
): PaymentChoiceState {
  const [key, setKey] = useState(stored);
  const choices = listPayChoices(selling, amounts);
  const isLater = canPayLater && key === LATER;
  const chosen = isLater ? undefined : (choices.find((choice) => toKey(choice) === key) ?? choices[0]);
  const choose = (choice: PayChoice | undefined) => {
    const chosenKey = choice ? toKey(choice) : LATER;
    setKey(chosenKey);
    store?.(chosenKey);
  };
  return { choices, canPayLater, chosen, choose };
}

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly payment: PaymentChoiceState;
  readonly isBooked: boolean;
  /** Shown above the button of an order, so that phones show it without scrolling. */
  readonly total?: string;
  /** Pays the chosen way. Absent if the button submits its form, so that Enter presses it. */
  readonly onPay?: (paying: PayChoice) => void;
  /** Error of the order, shown above the button. */
  readonly children?: ComponentChildren;
}

/** Choice of amount and payment method above one button, which names what the visitor pays now. */
export function PayButton({ texts, settings, payment, isBooked, total, onPay, children }: Props) {
  const { choices, canPayLater, chosen, choose } = payment;
  if (!chosen && !canPayLater) return null;
  const hasMethods = new Set(choices.map(({ method }) => method)).size > 1;
  const amountText = (choice: PayChoice, [part, all]: readonly [string, string]) =>
    fillPlaceholders(choice.isAll ? all : part, { amount: formatAmount(choice.amount, settings) });
  const later = [texts.payPartLater, texts.payAllLater] as const;
  const methodText = (choice: PayChoice, isNamed: boolean) => (isNamed ? ` · ${getMethodText(choice, texts)}` : "");
  const radio = (key: string, choice: PayChoice | undefined, text: string) => (
    <label key={key} class="check">
      <input
        type="radio"
        name="payment"
        data-choice={key}
        checked={choice === chosen}
        onChange={() => choose(choice)}
      />
      {text}
    </label>
  );
  return (
    <>
      {choices.length + Number(canPayLater) > 1 && (
        <fieldset class="payment" part="payment">
          <legend>{texts.payment}</legend>
          {choices.map((choice) =>
            radio(toKey(choice), choice, amountText(choice, later) + methodText(choice, hasMethods)),
          )}
          {canPayLater && radio(LATER, undefined, texts.payAtPickup)}
        </fieldset>
      )}
      {total !== undefined && <DueTotal {...{ texts, settings, total }} />}
      {children}
      <button
        type={onPay ? "button" : "submit"}
        class="main"
        part="button"
        data-order
        data-pay={chosen?.method}
        data-part={chosen?.part}
        onClick={onPay && chosen && (() => onPay(chosen))}
      >
        {chosen
          ? amountText(chosen, isBooked ? later : [texts.payPart, texts.payAll]) +
            methodText(chosen, hasMethods || chosen.method === "paypal_standard")
          : texts.request}
      </button>
    </>
  );
}

interface DueTotalProps extends Pick<Props, "texts" | "settings"> {
  readonly total: string;
}

/** Total above the button of a step. */
export const DueTotal = ({ texts, settings, total }: DueTotalProps) => (
  <p class="due">
    <span>{texts.total}</span>
    <span data-order-total>{formatAmount(total, settings)}</span>
  </p>
);

const getMethodText = ({ method }: PayChoice, texts: Texts) => (method === "paypal_standard" ? "PayPal" : texts.card);
