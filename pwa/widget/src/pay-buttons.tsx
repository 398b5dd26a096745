import { money } from "./format.ts";
import type { Selling, Settings, Trip } from "./model.ts";
import { fill, type Texts } from "./texts.ts";
import type { Paying } from "./use-shop.ts";

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly selling: Selling;
  readonly trip: Pick<Trip, "prepayment">;
  /** All that is still owed, also where nothing is paid yet: an agent may have kept some of it. */
  readonly pending: string;
  readonly isBooked: boolean;
  readonly onPay: (paying: Paying) => void;
}

/** A button for each part and each method that can be paid with, which says what is paid now. */
export function PayButtons({ texts, settings, selling, trip, pending, isBooked, onPay }: Props) {
  const amounts = { deposit: trip.prepayment, total: pending, pending };
  const words = isBooked ? [texts.payPartLater, texts.payAllLater] : [texts.payPart, texts.payAll];
  const choices = selling.parts.flatMap((part) => selling.methods.map((method) => ({ part, method })));
  return (
    <>
      {choices.map(({ part, method }, index) => (
        <button
          key={`${part} ${method}`}
          type="button"
          class={index === 0 ? "main" : "other"}
          data-pay={method}
          data-part={part}
          onClick={() => onPay({ part, method })}
        >
          {fill((part === "deposit" ? words[0] : words[1]) ?? "", { amount: money(amounts[part], settings) })}
          {method === "paypal_standard" ? " · PayPal" : ""}
        </button>
      ))}
    </>
  );
}
