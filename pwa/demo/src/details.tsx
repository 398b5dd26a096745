import { useState } from "preact/hooks";
import type { SalesProcess, Settings } from "./api.ts";
import { Field, money } from "./parts.tsx";
import type { Texts } from "./texts.ts";

export interface Details {
  readonly customer_name: string;
  readonly customer_surname: string;
  readonly customer_email: string;
  readonly customer_phone: string;
}

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly process: SalesProcess;
  readonly deposit: string;
  readonly total: string;
  /** More that is asked for, under its own name: a flight. */
  readonly more?: Readonly<Record<string, string>>;
  readonly onBook: (details: Details, paymentMethod: string | undefined) => void;
}

const INPUT_MODES = {
  customer_name: "text",
  customer_surname: "text",
  customer_email: "email",
  customer_phone: "tel",
} as const;

/** Who books, and how it is paid. */
export function DetailsForm({ texts, settings, process, deposit, total, more = {}, onBook }: Props) {
  const [details, setDetails] = useState<Details>({
    customer_name: "",
    customer_surname: "",
    customer_email: "",
    customer_phone: "",
  });
  const [others, setOthers] = useState<Readonly<Record<string, string>>>({});
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
    onBook({ ...details, ...others }, chosen || undefined);
  };

  return (
    <form class="card" onSubmit={book}>
      <h2>{texts.details}</h2>
      <div class="legs">
        {field("customer_name", texts.name, "given-name", true, 40)}
        {field("customer_surname", texts.surname, "family-name", true, 40)}
        {field("customer_email", texts.email, "email", true, 40)}
        {field("customer_phone", texts.phone, "tel", false, 15)}
        {Object.entries(more).map(([name, label]) => (
          <Field key={name} label={label}>
            <input name={name} onInput={(event) => setOthers({ ...others, [name]: event.currentTarget.value })} />
          </Field>
        ))}
      </div>
      {process.can_pay &&
        methods.map((method) => (
          <button key={method} type="submit" class="main" value={method} data-pay={method}>
            {process.can_pay_deposit
              ? `${texts.pay} ${money(deposit, settings)}`
              : `${texts.payTotal} ${money(total, settings)}`}
            {method === "paypal_standard" ? " · PayPal" : ""}
          </button>
        ))}
      {process.can_request && (
        <button type="submit" class={process.can_pay ? "other" : "main"} value="" data-request>
          {texts.request}
        </button>
      )}
    </form>
  );
}
