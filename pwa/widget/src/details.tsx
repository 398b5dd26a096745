import { useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import {
  COMMENTS_FIELD,
  type DetailField,
  DRIVER_FIELDS,
  findDetailFieldErrors,
  listDetailFields,
  MAX_LUGGAGE_COUNT,
} from "./detail-fields.ts";
import { ExtrasSection } from "./extras.tsx";
import { Field, InputField } from "./field.tsx";
import { Heading } from "./heading.tsx";
import type { Cart, Settings } from "./model.ts";
import { PayButton, usePaymentChoice } from "./payment-buttons.tsx";
import { BookingPriceSummary } from "./price-summary.tsx";
import { getFieldLabel } from "./problems.ts";
import { needsTermsCheckbox, Terms } from "./terms.tsx";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow, PaymentSelection } from "./use-booking-flow.ts";
import { useFieldErrors } from "./use-field-errors.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly cart: Cart;
}

// Returns the attributes by which phones choose the keyboard.
const inputAttributes = ({ type }: DetailField) =>
  type === "number" ? { type, inputMode: "numeric", min: 0, max: MAX_LUGGAGE_COUNT } : { type };

function getIncludedKilometres({ offers, chosen = {} }: Cart) {
  const [offer, ...others] = offers.filter(({ id }) => chosen[id]);
  return others.length > 0 ? undefined : offer?.traits?.kilometresPerDay;
}

/** Step with extras, customer, driver and payment. */
export function DetailsStep({ shop, settings, cart }: Props) {
  const { texts, kind, problem, customer } = shop;
  const [details, setDetails] = useState<Readonly<Record<string, string>>>(shop.remembered.details ?? {});
  const [isAccepted, setIsAccepted] = useState(false);
  const [hasDriver, setHasDriver] = useState(details["driver_name"] !== undefined);
  const { wrong, form, show, clear } = useFieldErrors(problem);
  const visibleFields = listDetailFields(cart.trip.ends, customer !== undefined, cart.hasPhone);
  const fields = hasDriver ? [...visibleFields, ...DRIVER_FIELDS] : visibleFields;
  // Autofill sets several fields at once, so each change builds on the previous one.
  const change = (name: string, value: string) => {
    clear(name);
    setDetails((before) => {
      const next = { ...before, [name]: value };
      shop.keepDetails(next);
      return next;
    });
  };
  const book = (paying: PaymentSelection | undefined) => {
    const problems = {
      ...findDetailFieldErrors(details, [...fields, COMMENTS_FIELD], texts),
      ...(needsTermsCheckbox(settings) && !isAccepted && { accepted_terms: texts.acceptRequired }),
    };
    if (!show(problems)) return;
    const known = fields.map(({ name }) => name);
    const detailEntries = Object.entries(details).filter(([name]) => known.includes(name) || name === "comments");
    const { terms_version: version } = settings;
    const accepted = version ? { accepted_terms: version } : {};
    shop.book(
      { ...Object.fromEntries(detailEntries.map(([name, value]) => [name, value.trim()])), ...accepted },
      paying,
    );
  };
  const input = (field: DetailField) => (
    <InputField
      key={field.name}
      label={getFieldLabel(field.name, texts) ?? field.name}
      hint={field.isRequired ? undefined : texts.optional}
      problem={wrong[field.name]}
      name={field.name}
      {...inputAttributes(field)}
      autocomplete={field.autocomplete}
      aria-required={field.isRequired}
      value={details[field.name] ?? ""}
      onInput={(value) => change(field.name, value)}
    />
  );
  const { selling } = cart;
  const payment = usePaymentChoice(selling, {
    ...{ prepayment: cart.trip.prepayment, pending: cart.trip.total, canPayLater: selling.canRequest },
    // Stored with the details, so that a reload doesn't change what the visitor pays.
    stored: details["payment"],
    store: (key) => change("payment", key),
  });

  return (
    <>
      <button type="button" class="link" onClick={() => shop.go({ step: "choose", search: shop.place.search })}>
        ← {texts.toVehicles}
      </button>
      <div class="columns ordering">
        <div>
          <ExtrasSection shop={shop} settings={settings} cart={cart} />
          <form
            class="card"
            noValidate
            ref={form}
            onSubmit={(event) => {
              event.preventDefault();
              // Enter in a field does the same as the main button.
              book(payment.chosen);
            }}
          >
            {/* The first title gets the focus, which is that of the extras if there are any. */}
            {cart.extras.length > 0 ? <h2>{texts.details}</h2> : <Heading>{texts.details}</Heading>}
            {customer && <p class="quiet">{fillPlaceholders(texts.bookAs, { name: customer })}</p>}
            <div class="legs">{visibleFields.map(input)}</div>
            {kind === "rentals" && (
              <label class="check">
                <input
                  type="checkbox"
                  name="other_driver"
                  checked={hasDriver}
                  onChange={(event) => setHasDriver(event.currentTarget.checked)}
                />
                {texts.otherDriver}
              </label>
            )}
            {hasDriver && <div class="legs">{DRIVER_FIELDS.map(input)}</div>}
            <Field label={texts.comments} hint={texts.optional} problem={wrong["comments"]}>
              {(wiring) => (
                <textarea
                  {...wiring}
                  name="comments"
                  rows={2}
                  value={details["comments"] ?? ""}
                  onInput={(event) => change("comments", event.currentTarget.value)}
                />
              )}
            </Field>
            <Terms
              {...{ shop, settings, cart, isAccepted }}
              problem={wrong["accepted_terms"]}
              onAccept={(value) => {
                setIsAccepted(value);
                clear("accepted_terms");
              }}
            />
            <PayButton {...{ texts, settings, payment }} isBooked={false} total={cart.trip.total}>
              <ActionProblem
                shop={shop}
                at="book"
                fields={[
                  ...fields.map(({ name }) => name),
                  "comments",
                  ...(needsTermsCheckbox(settings) ? ["accepted_terms"] : []),
                ]}
              />
            </PayButton>
          </form>
        </div>
        <BookingPriceSummary {...{ shop, settings }} trip={cart.trip} kilometres={getIncludedKilometres(cart)} />
      </div>
    </>
  );
}
