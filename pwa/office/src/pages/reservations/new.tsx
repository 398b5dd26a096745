import { useEffect, useState } from "preact/hooks";
import { account, may, nowThere } from "../../account.ts";
import { Extras } from "../../desk/move-field.tsx";
import { useOptions } from "../../desk/options.ts";
import type { SaleQuote } from "../../desk/quote.ts";
import { translateReason } from "../../desk/refusals.ts";
import { query } from "../../route.ts";
import { t } from "../../texts.ts";
import { keepDraft, readDraft } from "../drafts.ts";
import { CustomerChoice } from "./customer-choice.tsx";
import { listMissingSaleFields, newSale, type Sale, saleBody, withSaleValue } from "./sale.ts";
import { AdditionalSaleFields } from "./sale-details.tsx";
import { Categories, Summary, WhenAndWhere } from "./sale-parts.tsx";
import { useCategoryQuotes, useSaleQuote } from "./sale-quotes.ts";
import { useSelling } from "./selling.ts";
import { SellingPage } from "./selling-page.tsx";

const LIST = "reservation";

/** New reservation at the desk or by phone, fully usable by keyboard: dates and places, category, customer. */
export function NewReservation() {
  const [sale, setSale] = useState<Sale>(firstSale);
  const selling = useSelling({
    title: "newReservation",
    list: LIST,
    path: "/reservations",
    missing: () => listMissingSaleFields(sale),
    body: () => saleBody(sale),
  });
  const { wrong, settle } = selling;
  const places = useOptions("places");
  const [turn, setTurn] = useState(0);
  const quoted = useSaleQuote(sale, turn);
  const { quote } = quoted;
  const quotes = useCategoryQuotes(sale, turn);
  const updateSale = (changes: Partial<Sale>) => {
    settle();
    setSale((before) => {
      const next = Object.entries(changes).reduce(
        (all, [name, value]) => withSaleValue(all, name as keyof Sale, value as Sale[keyof Sale]),
        before,
      );
      keepDraft(LIST, undefined, next as unknown as Readonly<Record<string, unknown>>);
      return next;
    });
  };
  useEffect(() => {
    const own = account.value.rental_locations.map(({ code }) => code);
    const first = places.find((place) => place.is_pickup && own.includes(place.rental_location_code));
    if (sale.pickup_place === "" && first) setSale((before) => ({ ...before, pickup_place: String(first.id) }));
  }, [places]);
  if (!may("sell")) return <main>{t("notAllowed")}</main>;
  const getFieldProblem = (name: string) => wrong.fields[name] ?? findQuoteReason(quote, name);
  return (
    <SellingPage
      title="newReservation"
      list={LIST}
      selling={selling}
      quoted={quoted}
      onRetry={() => setTurn(turn + 1)}
      isConfirmed={sale.status === "confirmed"}
      summary={<Summary sale={sale} quote={quote} isReading={quoted.isReading} />}
      onDiscard={() => setSale({ ...newSale(nowThere().date), pickup_place: sale.pickup_place })}
    >
      <fieldset class="group when">
        <legend>{t("groupWhen")}</legend>
        <WhenAndWhere sale={sale} problemOf={getFieldProblem} onSay={updateSale} />
      </fieldset>
      <Categories sale={sale} quotes={quotes} problem={wrong.fields["category_code"]} onSay={updateSale} />
      <fieldset class="group">
        <legend>{t("customer")}</legend>
        <div class="wide">
          <CustomerChoice sale={sale} problems={wrong.fields} onSay={updateSale} />
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>{t("in.extras")}</legend>
        <div class="wide">
          <Extras value={sale.extras} onChange={(value) => updateSale({ extras: value as Sale["extras"] })} />
          {getFieldProblem("extras") && <p class="problem">{getFieldProblem("extras")}</p>}
        </div>
      </fieldset>
      <AdditionalSaleFields sale={sale} problemOf={getFieldProblem} onSay={updateSale} />
    </SellingPage>
  );
}

const FROM_ADDRESS = ["date_from", "date_to", "category_code"] as const;

// Values from the URL, set by the board or a search, override the draft.
function firstSale(): Sale {
  const draft = readDraft(LIST, undefined) as Partial<Sale>;
  const initialValues = FROM_ADDRESS.flatMap((name) => {
    const value = query.value.get(name);
    return value ? [[name, value]] : [];
  });
  return { ...newSale(nowThere().date), ...draft, ...(Object.fromEntries(initialValues) as Partial<Sale>) };
}

function findQuoteReason(quote: SaleQuote | undefined, name: string): string | undefined {
  const reason = quote?.reasons.find(({ field }) => field === name);
  return reason && translateReason(reason);
}
