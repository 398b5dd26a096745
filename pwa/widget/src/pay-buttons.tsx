import { useState } from "preact/hooks";
import { money } from "./format.ts";
import type { Selling, Settings } from "./model.ts";
import { type PayChoice, payChoices } from "./pay-choices.ts";
import { fill, type Texts } from "./texts.ts";

/** Ways to pay, and the chosen one. Undefined without online payment. */
export interface PaymentChoice {
  readonly choices: readonly PayChoice[];
  readonly chosen: PayChoice | undefined;
  readonly choose: (choice: PayChoice) => void;
}

const toKey = ({ part, method }: PayChoice) => `${part} ${method}`;

/** Keeps the chosen way to pay, also while amounts change. The first one is chosen initially. */
export function usePaymentChoice(selling: Selling, amounts: Parameters<typeof payChoices>[1]): PaymentChoice {
  const [key, setKey] = useState("");
  const choices = payChoices(selling, amounts);
  const chosen = choices.find((choice) => toKey(choice) === key) ?? choices[0];
  return { choices, chosen, choose: (choice) => setKey(toKey(choice)) };
}

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly payment: PaymentChoice;
  readonly isBooked: boolean;
  /** Pays the chosen way. Absent if the button submits its form, so that Enter presses it. */
  readonly onPay?: (paying: PayChoice) => void;
}

/** Choice of amount and payment method above one button, which names the amount to pay now. */
export function PayButton({ texts, settings, payment: { choices, chosen, choose }, isBooked, onPay }: Props) {
  if (!chosen) return null;
  const hasMethods = new Set(choices.map(({ method }) => method)).size > 1;
  const amountText = (choice: PayChoice, [part, all]: readonly [string, string]) =>
    fill(choice.isAll ? all : part, { amount: money(choice.amount, settings) });
  const later = [texts.payPartLater, texts.payAllLater] as const;
  return (
    <>
      {choices.length > 1 && (
        <fieldset class="payment" part="payment">
          <legend>{texts.payment}</legend>
          {choices.map((choice) => (
            <label key={toKey(choice)} class="check">
              <input
                type="radio"
                name="payment"
                data-choice={toKey(choice)}
                checked={choice === chosen}
                onChange={() => choose(choice)}
              />
              {[amountText(choice, later), hasMethods && getMethodText(choice, texts)].filter(Boolean).join(" · ")}
            </label>
          ))}
        </fieldset>
      )}
      <button
        type={onPay ? "button" : "submit"}
        class="main"
        part="button"
        data-pay={chosen.method}
        data-part={chosen.part}
        onClick={onPay && (() => onPay(chosen))}
      >
        {amountText(chosen, isBooked ? later : [texts.payPart, texts.payAll])}
        {hasMethods || chosen.method === "paypal_standard" ? ` · ${getMethodText(chosen, texts)}` : ""}
      </button>
    </>
  );
}

const getMethodText = ({ method }: PayChoice, texts: Texts) => (method === "paypal_standard" ? "PayPal" : texts.card);
