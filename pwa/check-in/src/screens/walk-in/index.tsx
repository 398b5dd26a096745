import { useEffect, useState } from "preact/hooks";
import type { RentalFormValues } from "#shared/sale-form.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { showDay } from "../../state/day.ts";
import { formatMoney } from "../../state/money.ts";
import { getCategoryName, getPlaceName } from "../../state/names.ts";
import { isOnline } from "../../state/outbox.ts";
import type { OfficeCallResult } from "../../state/reservation-actions.ts";
import { createSamePageCheck, replaceRoute, toHref } from "../../state/route.ts";
import { settings } from "../../state/settings.ts";
import {
  beginWalkIn,
  bookWalkIn,
  isSubmittingBooking,
  listMissingFieldLabels,
  loadWalkInPlaces,
  quoteWalkIn,
  saveWalkInInput,
  type WalkInQuote,
  walkIn,
  walkInPlaces,
} from "../../state/walk-in.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Field } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ErrorNotice } from "../booking/action-quote.tsx";

/** Walk-in booking, priced and booked by the server. Needs the network. */
export default function WalkInScreen() {
  useEffect(() => {
    void beginWalkIn().then(() => {
      if (isOnline.value) void loadWalkInPlaces();
    });
  }, [isOnline.value]);
  const [quoted, setQuoted] = useState<Quoted | undefined>(undefined);
  const [trouble, setTrouble] = useState<string | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [isPricing, setPricing] = useState(false);
  const isBusy = isPricing || isSubmittingBooking.value;
  const formValues = walkIn.value;
  if (!formValues) return null;
  // A price is valid only for exactly the values it was calculated for.
  const quote = quoted && quoted.of === pricedBy(formValues) ? quoted.quote : undefined;
  const isPriced = quote?.available === true;
  const set = (changes: Partial<RentalFormValues>) => {
    void saveWalkInInput({ ...formValues, ...changes });
    setTrouble(undefined);
  };
  const busy = async (work: () => Promise<void>) => {
    setAttempt((before) => before + 1);
    const missing = listMissingFieldLabels(formValues, isPriced);
    if (missing.length > 0) return setTrouble(t("walkInMissing", { what: missing.map((key) => t(key)).join(", ") }));
    setTrouble(undefined);
    await work();
  };
  const price = async () => {
    setPricing(true);
    const answer = await quoteWalkIn(formValues);
    setPricing(false);
    if (answer.kind !== "ok") return setTrouble(getErrorMessage(answer));
    setQuoted({ of: pricedBy(formValues), quote: answer.value });
    if (!answer.value.available) setTrouble(answer.value.reasons.join(" "));
  };
  const book = async () => {
    const isHere = createSamePageCheck();
    const answer = await bookWalkIn(formValues, isHere);
    if (answer.kind !== "ok") return setTrouble(getErrorMessage(answer));
    if (!isHere()) return;
    await showDay(formValues.date_from);
    if (isHere()) replaceRoute("booking", answer.value.reservation.id);
  };
  return (
    <Screen
      title={t("walkIn")}
      back={toHref("day")}
      actionKey={isPriced ? "book" : "price"}
      action={
        <button
          type="button"
          class="main"
          disabled={isBusy || !isOnline.value}
          onClick={() => void busy(isPriced ? book : price)}
        >
          {quote?.quote && isPriced
            ? t("walkInBook", { price: formatMoney(quote.quote.total_cost) })
            : t("askPrice", { what: t("walkIn") })}
        </button>
      }
    >
      {!isOnline.value && <p class="note">{t("walkInOffline")}</p>}
      <ErrorNotice text={trouble} attempt={attempt} />
      {quote && <Price quote={quote} />}
      <RentalFields formValues={formValues} onChange={set} />
      <Customer formValues={formValues} onChange={set} />
    </Screen>
  );
}

interface Quoted {
  readonly of: string;
  readonly quote: WalkInQuote;
}

const pricedBy = ({ date_from, time_from, date_to, time_to, pickup_place, return_place, ...typed }: RentalFormValues) =>
  [date_from, time_from, date_to, time_to, pickup_place, return_place, typed.category_code, typed.driver_age].join("|");

const getErrorMessage = ({ kind, message }: Exclude<OfficeCallResult<unknown>, { readonly kind: "ok" }>) =>
  kind === "unreachable" ? t("walkInUnreachable") : message || t("changeRefused");

function Price({ quote: { quote, warnings } }: { readonly quote: WalkInQuote }) {
  if (!quote) return null;
  return (
    <section class="card" role="status">
      <dl class="facts amounts">
        <dt>{t("walkInTotal", { n: quote.days })}</dt>
        <dd>
          <b>{formatMoney(quote.total_cost)}</b>
        </dd>
        <dt>{t("walkInDeposit")}</dt>
        <dd>{formatMoney(quote.total_deposit)}</dd>
      </dl>
      {warnings.map((text) => (
        <p key={text} class="soft">
          {text}
        </p>
      ))}
    </section>
  );
}

interface PartProps {
  readonly formValues: RentalFormValues;
  readonly onChange: (changes: Partial<RentalFormValues>) => void;
}

function RentalFields({ formValues, onChange }: PartProps) {
  const date = (name: "date_from" | "date_to", label: TextKey) => (
    <DateField label={t(label)} name={name} value={formValues[name]} onChange={(day) => onChange({ [name]: day })} />
  );
  const time = (name: "time_from" | "time_to", label: TextKey) => (
    <Field label={t(label)}>
      <input
        type="time"
        name={name}
        value={formValues[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </Field>
  );
  const choose = (
    name: keyof RentalFormValues,
    label: TextKey,
    none: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Field label={t(label)}>
      <select
        name={name}
        value={formValues[name]}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      >
        <option value="">{none}</option>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </Field>
  );
  const at = (isThere: "is_pickup" | "is_return") =>
    walkInPlaces.value
      .filter((place) => place[isThere])
      .map((place) => [String(place.id), getPlaceName(place)] as const);
  const categories = (settings.value?.categories ?? []).map(({ code }) => [code, getCategoryName(code)] as const);
  return (
    <section class="card">
      <div class="row">
        {date("date_from", "walkInFrom")}
        {time("time_from", "walkInFromTime")}
      </div>
      {choose("pickup_place", "pickupPlace", "–", at("is_pickup"))}
      <div class="row">
        {date("date_to", "walkInTo")}
        {time("time_to", "walkInToTime")}
      </div>
      {choose("return_place", "returnPlace", t("samePlace"), at("is_return"))}
      {choose("category_code", "category", "–", categories)}
    </section>
  );
}

const CUSTOMER: readonly (readonly [keyof RentalFormValues, TextKey, "text" | "tel" | "email" | "numeric"])[] = [
  ["name", "firstName", "text"],
  ["surname", "surname", "text"],
  ["phone", "phoneNumber", "tel"],
  ["email", "email", "email"],
  ["document_id", "document", "text"],
  ["driver_age", "driverAge", "numeric"],
  ["notes", "notes", "text"],
];

function Customer({ formValues, onChange }: PartProps) {
  return (
    <section class="card">
      <h2>{t("customer")}</h2>
      {CUSTOMER.map(([name, label, inputMode]) => (
        <Field key={name} label={t(label)}>
          <input
            inputMode={inputMode}
            name={name}
            autocomplete="off"
            value={formValues[name]}
            onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        </Field>
      ))}
    </section>
  );
}
