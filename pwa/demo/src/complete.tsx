import { useState } from "preact/hooks";
import type { CartAnswer, ExtraOffer } from "./api.ts";
import { Field, money, Sum } from "./parts.tsx";
import type { Texts } from "./texts.ts";

export interface Details {
  readonly customer_name: string;
  readonly customer_surname: string;
  readonly customer_email: string;
  readonly customer_phone: string;
}

interface Props {
  readonly texts: Texts;
  readonly answer: CartAnswer;
  readonly onExtra: (code: string, quantity: number) => void;
  readonly onBook: (details: Details, paymentMethod: string | undefined) => void;
  readonly onBack: () => void;
}

const INPUT_MODES = {
  customer_name: "text",
  customer_surname: "text",
  customer_email: "email",
  customer_phone: "tel",
} as const;

export function Complete({ texts, answer, onExtra, onBook, onBack }: Props) {
  const [details, setDetails] = useState<Details>({
    customer_name: "",
    customer_surname: "",
    customer_email: "",
    customer_phone: "",
  });
  const { shopping_cart: cart, extras = [], sales_process: process, settings } = answer;
  const methods = [
    process.payment_methods.tpv_virtual,
    process.payment_methods.paypal_standard ? "paypal_standard" : null,
  ].filter((method) => method !== null);
  const field = (name: keyof Details, label: string, autocomplete: string, isRequired: boolean, longest: number) => (
    <Field label={label}>
      <input
        name={name}
        inputMode={INPUT_MODES[name]}
        autocomplete={autocomplete}
        required={isRequired}
        maxLength={longest}
        value={details[name]}
        onInput={(event) => setDetails({ ...details, [name]: event.currentTarget.value })}
      />
    </Field>
  );
  const book = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = event.submitter instanceof HTMLButtonElement ? event.submitter.value : "";
    onBook(details, chosen || undefined);
  };

  return (
    <>
      <button type="button" class="link" onClick={onBack}>
        ← {texts.change}
      </button>
      <div class="columns">
        <div>
          <section class="card">
            <h2>{texts.extras}</h2>
            <ul class="extras">
              {extras.map((extra) => (
                <ExtraRow
                  key={extra.code}
                  extra={extra}
                  price={money(extra.unit_price, settings)}
                  quantity={cart.extras.find((one) => one.extra_id === extra.code)?.quantity ?? 0}
                  onExtra={onExtra}
                />
              ))}
            </ul>
          </section>
          <form class="card" onSubmit={book}>
            <h2>{texts.details}</h2>
            <div class="legs">
              {field("customer_name", texts.name, "given-name", true, 40)}
              {field("customer_surname", texts.surname, "family-name", true, 40)}
              {field("customer_email", texts.email, "email", true, 40)}
              {field("customer_phone", texts.phone, "tel", false, 15)}
            </div>
            {process.can_pay &&
              methods.map((method) => (
                <button key={method} type="submit" class="main" value={method} data-pay={method}>
                  {process.can_pay_deposit
                    ? `${texts.pay} ${money(cart.booking_amount, settings)}`
                    : `${texts.payTotal} ${money(cart.total_cost, settings)}`}
                  {method === "paypal_standard" ? " · PayPal" : ""}
                </button>
              ))}
            {process.can_request && (
              <button type="submit" class={process.can_pay ? "other" : "main"} value="" data-request>
                {texts.request}
              </button>
            )}
          </form>
        </div>
        <Sum
          sums={cart}
          vehicle={cart.items[0]?.item_description_customer_translation ?? ""}
          settings={settings}
          texts={texts}
        />
      </div>
    </>
  );
}

interface ExtraProps {
  readonly extra: ExtraOffer;
  readonly price: string;
  readonly quantity: number;
  readonly onExtra: (code: string, quantity: number) => void;
}

function ExtraRow({ extra, price, quantity, onExtra }: ExtraProps) {
  return (
    <li data-extra={extra.code}>
      <span>
        {extra.name} <small class="quiet">{price}</small>
      </span>
      <span class="counter">
        <button
          type="button"
          aria-label={`− ${extra.name}`}
          disabled={quantity === 0}
          onClick={() => onExtra(extra.code, quantity - 1)}
        >
          −
        </button>
        <output>{quantity}</output>
        <button
          type="button"
          aria-label={`+ ${extra.name}`}
          disabled={quantity >= extra.max_quantity}
          onClick={() => onExtra(extra.code, quantity + 1)}
        >
          +
        </button>
      </span>
    </li>
  );
}
