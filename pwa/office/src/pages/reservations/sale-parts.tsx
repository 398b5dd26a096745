import { useId } from "preact/hooks";
import { addDays, parseCivilDate } from "#domain/dates.ts";
import { account, formatDay, formatMoney, getCategoryName, getCompanyDateTime } from "../../account.ts";
import { PlaceSelect } from "../../desk/action-field.tsx";
import { BasicInput } from "../../desk/inputs.tsx";
import type { RefusalReason, SaleQuote } from "../../desk/quote.ts";
import { QuoteSums, RefusalsAndWarnings } from "../../desk/quote-view.tsx";
import { translateReason } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";
import { type SaleFormValues, toSaleQuoteRequest } from "./sale-form.ts";
import { findCommonRefusalReason, isSoldOut, useNextFreeDates } from "./sale-quotes.ts";

interface PartProps {
  readonly sale: SaleFormValues;
  readonly problemOf: (name: string) => string | undefined;
  readonly onSay: (changes: Partial<SaleFormValues>) => void;
}

const WHEN = [
  ["date_from", "date"],
  ["time_from", "time"],
  ["date_to", "date"],
  ["time_to", "time"],
] as const;

/** Usual lengths in days. */
const LENGTHS = [1, 3, 7] as const;

/** Dates and places of pickup and return. */
export function SalePeriodAndPlaces({ sale, problemOf, onSay }: PartProps) {
  const id = useId();
  const field = ([name, kind]: (typeof WHEN)[number]) => (
    <div key={name} class="field">
      <label for={`${id}-${name}`}>{t(`in.${name}`)}</label>
      <BasicInput
        id={`${id}-${name}`}
        name={name}
        kind={kind}
        value={sale[name]}
        aria-invalid={problemOf(name) !== undefined}
        aria-describedby={problemOf(name) ? `${id}-${name}-problem` : undefined}
        onChange={(value) => onSay({ [name]: value })}
      />
      {problemOf(name) && (
        <p class="problem" id={`${id}-${name}-problem`}>
          {problemOf(name)}
        </p>
      )}
    </div>
  );
  const place = (kind: "pickup" | "return", name: "pickup_place" | "return_place", value: string) => (
    <div class="field">
      <label for={`${id}-${name}`}>{t(`in.${name}`)}</label>
      <PlaceSelect
        id={`${id}-${name}`}
        name={name}
        kind={kind}
        value={value}
        onChange={(chosen) => onSay({ [name]: chosen })}
      />
      {problemOf(name) && <p class="problem">{problemOf(name)}</p>}
    </div>
  );
  const from = parseCivilDate(sale.date_from);
  return (
    <>
      <p class="wide buttons">
        <button
          type="button"
          class="small"
          onClick={() => {
            const { date, time } = getCompanyDateTime();
            onSay({ date_from: date, time_from: time, time_to: time });
          }}
        >
          {t("pickupNow")}
        </button>
        {from &&
          LENGTHS.map((days) => (
            <button
              key={days}
              type="button"
              class="small"
              onClick={() => onSay({ date_to: addDays(from, days), time_to: sale.time_from })}
            >
              {t("days", { n: days })}
            </button>
          ))}
      </p>
      {WHEN.slice(0, 2).map(field)}
      {place("pickup", "pickup_place", sale.pickup_place)}
      {WHEN.slice(2).map(field)}
      {place("return", "return_place", sale.return_place || sale.pickup_place)}
    </>
  );
}

/** Fields next to which this page shows a reason. */
const PERIOD_FIELDS: ReadonlySet<string> = new Set([
  ...WHEN.map(([name]) => name),
  ...["pickup_place", "return_place"],
]);

interface CategoriesProps {
  readonly sale: SaleFormValues;
  readonly quotes: ReadonlyMap<string, SaleQuote>;
  readonly problem: string | undefined;
  readonly onSay: PartProps["onSay"];
}

/** Price and availability of each category. */
export function CategoryChoice({ sale, quotes, problem, onSay }: CategoriesProps) {
  const freeDates = useNextFreeDates(sale, quotes);
  const freeDate = freeDates.get(sale.category_code);
  const isChosenFull = isSoldOut(quotes.get(sale.category_code));
  return (
    <fieldset class="group" aria-invalid={problem !== undefined}>
      <legend>{t("category")}</legend>
      <div class="choices wide">
        {account.value.categories.map(({ code }) => {
          const categoryQuote = quotes.get(code);
          const isFull = categoryQuote?.available === false;
          return (
            <label key={code} class={`choice ${isFull ? "full" : ""}`}>
              <input
                type="radio"
                name="category_code"
                value={code}
                checked={sale.category_code === code}
                onChange={() => onSay({ category_code: code })}
              />
              <span class="strong">{getCategoryName(code)}</span>
              <span class="price">
                {categoryQuote?.quote ? formatMoney(categoryQuote.quote.total_cost) : categoryQuote ? "" : "…"}
              </span>
              <span class="soft">
                {categoryQuote && (isFull ? listOwnReasons(categoryQuote, quotes) : t("free"))}
                {isSoldOut(categoryQuote) && formatNextFreeDate(freeDates.get(code))}
                {!categoryQuote && !toSaleQuoteRequest(sale, code) && t("choosePlace")}
              </span>
            </label>
          );
        })}
      </div>
      {problem && <p class="problem wide">{problem}</p>}
      {isChosenFull && freeDate && (
        <p class="wide">
          <button type="button" class="small" onClick={() => onSay({ date_from: freeDate })}>
            {t("pickupOn", { day: formatDay(freeDate) })}
          </button>
        </p>
      )}
    </fieldset>
  );
}

const formatNextFreeDate = (date: string | undefined) => date && ` · ${t("freeAgain", { day: formatDay(date) })}`;

// Formats a category's reasons. Omits reasons that all categories share, which are shown at their field.
const listOwnReasons = ({ reasons }: SaleQuote, quotes: ReadonlyMap<string, SaleQuote>) =>
  reasons
    .filter(({ field }) => !(field && PERIOD_FIELDS.has(field) && findCommonRefusalReason(quotes, field)))
    .map(shortReason)
    .join(" ");

// The reason stands next to the category's name, so the text for sold-out categories doesn't repeat the name.
const shortReason = (reason: RefusalReason) => (reason.code === "sold_out" ? t("soldOut") : translateReason(reason));

interface SummaryProps {
  readonly sale: SaleFormValues;
  readonly quote: SaleQuote | undefined;
  readonly isReading: boolean;
}

/** Selected category with all price parts. */
export function SaleSummary({ sale, quote, isReading }: SummaryProps) {
  if (sale.category_code === "") return <p>{t("chooseCategory")}</p>;
  if (!quote) return isReading ? <p>{t("quoting")}…</p> : null;
  return (
    <>
      <RefusalsAndWarnings reasons={quote.reasons} warnings={quote.warnings} />
      {quote.quote && (
        <>
          <p class="strong">{t("days", { n: quote.quote.days })}</p>
          <QuoteSums quote={quote.quote} />
        </>
      )}
    </>
  );
}
