import { useEffect, useState } from "preact/hooks";
import { account, getCompanyDateTime } from "../../account.ts";
import { ExtraQuantitiesInput } from "../../desk/action-field.tsx";
import type { RefusalReason } from "../../desk/quote.ts";
import { translateReason } from "../../desk/refusals.ts";
import { useOptions } from "../../desk/use-options.ts";
import { replaceQueryValues, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { readFormDraft, saveFormDraft } from "../form-drafts.ts";
import type { CustomerQuote } from "../quotes/quote.ts";
import { CustomerChoice } from "./customer-choice.tsx";
import { QuoteTerms } from "./quote-terms.tsx";
import { AdditionalSaleFields, ShortageChoice } from "./sale-details.tsx";
import {
  buildSaleBody,
  getInitialSaleValues,
  getSaleSubmission,
  isBuyerChanged,
  isPriceUnchanged,
  listMissingSaleFields,
  type SaleFormValues,
  setSaleFormValue,
  toQuoteChangeRequest,
  toSaleFormValues,
} from "./sale-form.ts";
import { CategoryChoice, SalePeriodAndPlaces, SaleSummary } from "./sale-parts.tsx";
import { findCommonRefusalReason, isSoldOut, useCategoryQuotes, useSaleQuote } from "./sale-quotes.ts";
import { SellingPage } from "./selling-page.tsx";
import { useSalesForm } from "./use-sales-form.ts";

const LIST = "reservation";

/** New reservation or quote at the desk or by phone, fully usable by keyboard: dates and places, category, customer. */
export const NewReservation = () => <SaleForm list={LIST} begin={firstSale} />;

/** Form that changes an open quote. Its price stays unless something changes that affects it. */
export function QuoteChange({ of }: { readonly of: CustomerQuote }) {
  const [seen] = useState(of);
  return <SaleForm list="quote" of={seen} begin={() => toSaleFormValues(seen)} />;
}

interface SaleFormProps {
  /** Name under which the draft is stored. */
  readonly list: string;
  /** Quote to change. Not set for a new sale. */
  readonly of?: CustomerQuote;
  /** Returns the initial values: those of the quote without its draft, or those of the URL or draft of a new sale. */
  readonly begin: () => SaleFormValues;
}

function SaleForm({ list, of, begin }: SaleFormProps) {
  const id = of && String(of.id);
  const [before] = useState(begin);
  const [sale, setSale] = useState<SaleFormValues>(() => (of ? { ...before, ...readFormDraft(list, id) } : before));
  const { title, submit, ...request } = getSaleSubmission(sale, of?.id);
  const selling = useSalesForm({
    ...{ title, list, id, ...request },
    missing: () => listMissingSaleFields(sale),
    body: () => (of ? { expected_version: of.version, ...toQuoteChangeRequest(before, sale) } : buildSaleBody(sale)),
  });
  const { wrong, settle } = selling;
  const places = useOptions("places");
  const [turn, setTurn] = useState(0);
  const priced = useSaleQuote(sale, turn);
  const quoted = of && isPriceUnchanged(before, sale) ? toQuoted(of) : priced;
  const { quote } = quoted;
  const quotes = useCategoryQuotes(sale, turn);
  const updateSale = (changes: Partial<SaleFormValues>) => {
    settle(isBuyerChanged(changes));
    const { is_quote: isQuote = isQuoteInUrl() } = changes;
    if (!of && isQuote !== isQuoteInUrl()) replaceQueryValues({ quote: isQuote ? "true" : undefined });
    setSale((before) => {
      const next = Object.entries(changes).reduce(
        (all, [name, value]) =>
          setSaleFormValue(all, name as keyof SaleFormValues, value as SaleFormValues[keyof SaleFormValues]),
        before,
      );
      saveFormDraft(list, id, next as unknown as Readonly<Record<string, unknown>>);
      return next;
    });
  };
  useEffect(() => {
    const own = account.value.rental_locations.map(({ code }) => code);
    const first = places.find((place) => place.is_pickup && own.includes(place.rental_location_code));
    if (sale.pickup_place === "" && first) setSale((before) => ({ ...before, pickup_place: String(first.id) }));
  }, [places]);
  // The menu entries for a new quote and a new reservation open this page with and without `quote=true` in the URL.
  useEffect(() => {
    const isQuote = isQuoteInUrl();
    if (!of && isQuote !== sale.is_quote) updateSale({ is_quote: isQuote });
  }, [urlQuery.value]);
  const getFieldProblem = (name: string) =>
    wrong.fields[name] ??
    translate(quote?.reasons.find(({ field }) => field === name) ?? findCommonRefusalReason(quotes, name));
  return (
    <SellingPage
      title={title}
      list={list}
      id={id}
      selling={selling}
      quoted={quoted}
      onRetry={() => setTurn(turn + 1)}
      submit={submit}
      isForced={sale.is_quote && !sale.is_held}
      terms={
        <>
          {!sale.is_quote && (
            <ShortageChoice
              sale={sale}
              isSoldOut={isSoldOut(quote)}
              problem={getFieldProblem("reason")}
              onSay={updateSale}
            />
          )}
          <QuoteTerms sale={sale} isNew={!of} problemOf={getFieldProblem} onSay={updateSale} />
        </>
      }
      onChooseCustomer={updateSale}
      summary={<SaleSummary sale={sale} quote={quote} isReading={quoted.isReading} />}
      onDiscard={() => setSale(of ? before : newSaleLike(sale))}
    >
      <fieldset class="group when">
        <legend>{t("groupWhen")}</legend>
        <SalePeriodAndPlaces sale={sale} problemOf={getFieldProblem} onSay={updateSale} />
      </fieldset>
      <CategoryChoice sale={sale} quotes={quotes} problem={wrong.fields["category_code"]} onSay={updateSale} />
      <fieldset class="group">
        <legend>{t("customer")}</legend>
        <div class="wide">
          <CustomerChoice sale={sale} problems={wrong.fields} onSay={updateSale} />
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>{t("in.extras")}</legend>
        <div class="wide">
          <ExtraQuantitiesInput
            value={sale.extras}
            onChange={(value) => updateSale({ extras: value as SaleFormValues["extras"] })}
          />
          {getFieldProblem("extras") && <p class="problem">{getFieldProblem("extras")}</p>}
        </div>
      </fieldset>
      <AdditionalSaleFields sale={sale} isNew={!of} problemOf={getFieldProblem} onSay={updateSale} />
    </SellingPage>
  );
}

// Converts an open quote to the format of a calculated price. Its price is guaranteed, so nothing is calculated.
const toQuoted = (quote: CustomerQuote) => ({
  quote: { available: true, reasons: [], warnings: [], quote },
  isReading: false,
  problem: "",
});

const newSaleLike = ({ pickup_place, is_quote }: SaleFormValues): SaleFormValues => {
  return { ...getInitialSaleValues(getCompanyDateTime().date), pickup_place, is_quote };
};

const isQuoteInUrl = () => urlQuery.value.get("quote") === "true";

const FROM_ADDRESS = ["date_from", "date_to", "category_code"] as const;

// Values from the URL, set by the board or a search, override the draft.
function firstSale(): SaleFormValues {
  const draft = readFormDraft(LIST, undefined) as Partial<SaleFormValues>;
  const initialValues = FROM_ADDRESS.flatMap((name) => {
    const value = urlQuery.value.get(name);
    return value ? [[name, value]] : [];
  });
  return {
    ...{ ...getInitialSaleValues(getCompanyDateTime().date), ...draft },
    ...(Object.fromEntries(initialValues) as Partial<SaleFormValues>),
    is_quote: isQuoteInUrl(),
  };
}

const translate = (reason: RefusalReason | undefined) => reason && translateReason(reason);
