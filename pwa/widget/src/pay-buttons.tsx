import { money } from "./format.ts";
import type { Selling, Settings, Trip } from "./model.ts";
import { payChoices } from "./pay-choices.ts";
import { fill, type Texts } from "./texts.ts";
import type { Paying } from "./use-shop.ts";

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly selling: Selling;
  readonly trip: Pick<Trip, "prepayment">;
  readonly pending: string;
  readonly isBooked: boolean;
  /** Whether the first button submits its form, so that Enter presses it. */
  readonly isFormButton?: boolean;
  readonly onPay: (paying: Paying) => void;
}

const MAIN = { class: "main", part: "button" };
const OTHER = { class: "other", part: "other-button" };

/** Buttons for each payable part and payment method, labelled with the amount to pay now. */
export function PayButtons({ texts, settings, selling, trip, pending, isBooked, isFormButton = false, onPay }: Props) {
  const buttonTexts = isBooked ? [texts.payPartLater, texts.payAllLater] : [texts.payPart, texts.payAll];
  const choices = payChoices(selling, { prepayment: trip.prepayment, pending });
  return (
    <>
      {choices.map(({ part, method, amount, isAll }, index) => {
        const isSubmit = isFormButton && index === 0;
        return (
          <button
            key={`${part} ${method}`}
            type={isSubmit ? "submit" : "button"}
            {...(index === 0 ? MAIN : OTHER)}
            data-pay={method}
            data-part={part}
            onClick={isSubmit ? undefined : () => onPay({ part, method })}
          >
            {fill((isAll ? buttonTexts[1] : buttonTexts[0]) ?? "", { amount: money(amount, settings) })}
            {method === "paypal_standard" ? " · PayPal" : ""}
          </button>
        );
      })}
    </>
  );
}
