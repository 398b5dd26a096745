import { useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import { EMAIL_PATTERN } from "./detail-fields.ts";
import { InputField } from "./field.tsx";
import { Heading } from "./heading.tsx";
import { getFieldLabel } from "./problems.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFieldErrors } from "./use-field-errors.ts";

/** Sign-in, new account or password reset. */
export type SignInMode = "in" | "up" | "forgotten";
type Name = "name" | "surname" | "email" | "password";

const FIELDS_BY_WAY: Readonly<Record<SignInMode, readonly Name[]>> = {
  in: ["email", "password"],
  up: ["name", "surname", "email", "password"],
  forgotten: ["email"],
};
const MAX_FIELD_LENGTHS: Readonly<Record<Name, number>> = { name: 80, surname: 80, email: 254, password: 128 };
const TYPES: Readonly<Partial<Record<Name, string>>> = { email: "email", password: "password" };
const MIN_PASSWORD_LENGTH = 8;

interface Props {
  readonly shop: BookingFlow;
  readonly way: SignInMode;
  readonly onWay: (way: SignInMode) => void;
}

/** Form to sign in, create an account or request a password reset link. */
export function SignIn({ shop, way, onWay }: Props) {
  const { texts, problem } = shop;
  const [values, setValues] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [sentTo, setSentTo] = useState("");
  const { wrong, form, show, clear } = useFieldErrors(problem);
  const submit = async () => {
    setSentTo("");
    if (!show(check(values, way, texts))) return;
    const { email = "", password = "", name = "", surname = "" } = values;
    const address = email.trim();
    if (way === "in") await shop.signIn({ email: address, password });
    else if (way === "up") await shop.signUp({ email: address, password, name: name.trim(), surname: surname.trim() });
    else if (await shop.sendLink(address)) setSentTo(address);
  };
  const titles = { in: texts.signIn, up: texts.signUp, forgotten: texts.forgot };
  const title = titles[way];
  const others = { in: ["up", "forgotten"], up: ["in"], forgotten: ["in"] } as const;
  return (
    <form
      class="card narrow"
      noValidate
      ref={form}
      data-way={way}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Heading>{title}</Heading>
      {way === "forgotten" && <p class="quiet">{texts.forgotHint}</p>}
      {FIELDS_BY_WAY[way].map((name) => (
        <InputField
          key={name}
          label={getFieldLabel(name, texts) ?? name}
          hint={way === "up" && name === "password" ? texts.passwordRule : undefined}
          problem={wrong[name]}
          name={name}
          type={TYPES[name]}
          autocomplete={getAutocomplete(name, way)}
          aria-required={true}
          value={values[name] ?? ""}
          onInput={(value) => {
            clear(name);
            setValues((before) => ({ ...before, [name]: value }));
          }}
        />
      ))}
      <p class="quiet" role="status">
        {sentTo && fillPlaceholders(texts.linkSent, { email: sentTo })}
      </p>
      <ActionProblem shop={shop} at={way === "forgotten" ? "link" : "enter"} fields={FIELDS_BY_WAY[way]} />
      <button type="submit" class="main" part="button">
        {way === "forgotten" ? texts.sendLink : title}
      </button>
      <p class="ways">
        {others[way].map((other) => (
          <button key={other} type="button" class="link" data-other={other} onClick={() => onWay(other)}>
            {titles[other]}
          </button>
        ))}
      </p>
    </form>
  );
}

function getAutocomplete(name: Name, way: SignInMode): string {
  if (name === "password") return way === "up" ? "new-password" : "current-password";
  return { name: "given-name", surname: "family-name", email: "username" }[name];
}

function check(values: Readonly<Partial<Record<Name, string>>>, way: SignInMode, texts: Texts) {
  const fieldErrors: Partial<Record<Name, string>> = {};
  for (const name of FIELDS_BY_WAY[way]) {
    const value = values[name] ?? "";
    if (value.trim() === "")
      fieldErrors[name] = fillPlaceholders(texts.required, { field: getFieldLabel(name, texts) ?? name });
    else if (value.length > MAX_FIELD_LENGTHS[name])
      fieldErrors[name] = fillPlaceholders(texts.tooLong, { n: MAX_FIELD_LENGTHS[name] });
    else if (way !== "in") Object.assign(fieldErrors, checkNew(name, value, way, texts));
  }
  return fieldErrors;
}

function checkNew(name: Name, value: string, way: SignInMode, texts: Texts): Readonly<Partial<Record<Name, string>>> {
  if (name === "email" && !EMAIL_PATTERN.test(value.trim())) return { [name]: texts.wrongEmail };
  const isWeak = name === "password" && way === "up" && value.length < MIN_PASSWORD_LENGTH;
  return isWeak ? { [name]: texts.weakPassword } : {};
}
