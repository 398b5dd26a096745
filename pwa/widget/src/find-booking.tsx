import { useEffect, useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import { EMAIL_PATTERN } from "./detail-fields.ts";
import { InputField } from "./field.tsx";
import { fillPlaceholders, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFieldErrors } from "./use-field-errors.ts";

type Values = Readonly<Record<"number" | "email", string>>;

const MAX_EMAIL_LENGTH = 254;

/** Form that mails the link of a reservation. Its answer doesn't show whether the reservation exists. */
export function FindBooking({ shop }: { readonly shop: BookingFlow }) {
  const { texts, problem } = shop;
  const [values, setValues] = useState<Values>({ number: "", email: "" });
  const [isSent, setIsSent] = useState(false);
  const { wrong, form, show, clear } = useFieldErrors();
  useEffect(() => setIsSent(false), [problem]);
  const submit = async () => {
    setIsSent(false);
    if (!show(check(values, texts))) return;
    setIsSent(await shop.findBooking(Number(values.number.trim()), values.email.trim()));
  };
  const input = (name: keyof Values, label: string, attributes: object) => (
    <InputField
      {...{ label, name, ...attributes }}
      problem={wrong[name]}
      aria-required={true}
      value={values[name]}
      onInput={(value) => {
        clear(name);
        setValues((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <form
      class="card narrow"
      noValidate
      ref={form}
      data-find
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h3>{texts.findBooking}</h3>
      {input("number", texts.bookingNumber, { inputMode: "numeric", autocomplete: "off" })}
      {input("email", texts.email, { type: "email", autocomplete: "email" })}
      <p class="quiet" role="status">
        {isSent && texts.bookingLinkSent}
      </p>
      <ActionProblem shop={shop} at="findBooking" />
      <button type="submit" class="main" part="button">
        {texts.sendLink}
      </button>
    </form>
  );
}

function check({ number, email }: Values, texts: Texts): Readonly<Partial<Record<keyof Values, string>>> {
  const isNumber = /^\d{1,15}$/.test(number.trim()) && Number(number) > 0;
  const isEmail = EMAIL_PATTERN.test(email.trim()) && email.length <= MAX_EMAIL_LENGTH;
  return {
    ...(isNumber ? {} : { number: fillPlaceholders(texts.required, { field: texts.bookingNumber }) }),
    ...(isEmail ? {} : { email: texts.wrongEmail }),
  };
}
