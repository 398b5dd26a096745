import { formatDay, formatMoney, hasUserRight } from "../../account.ts";
import type { NewTransferQuote, TransferOffer, TransferQuote } from "../../desk/quote.ts";
import { QuoteLine } from "../../desk/quote-line.tsx";
import { RefusalsAndWarnings } from "../../desk/quote-view.tsx";
import { useTransferPointNames } from "../../desk/transfer-names.ts";
import { useOptions } from "../../desk/use-options.ts";
import { t } from "../../texts.ts";
import { HoldChoice, SaleFieldInput } from "../reservations/sale-details.tsx";
import { toWireFieldName } from "../reservations/sale-form.ts";
import { TRANSFER_VEHICLE_FIELD, type TransferDraft } from "./transfer-draft.ts";

interface VehiclesProps {
  readonly ride: TransferDraft;
  readonly quote: NewTransferQuote | undefined;
  readonly problem: string | undefined;
  readonly onChoose: (id: number) => void;
}

/** Price and availability of each vehicle for the trips. */
export function TransferVehicleChoices({ ride, quote, problem, onChoose }: VehiclesProps) {
  const vehicles = useOptions("transfer-vehicles").filter(({ active }) => active);
  const travellerCount = Number(ride.formValues["transfer.adults"]) + Number(ride.formValues["transfer.children"]);
  return (
    <fieldset class="group" aria-invalid={problem !== undefined}>
      <legend>{t("in.transfer.transfer_vehicle_id")}</legend>
      <div class="choices wide">
        {vehicles.map(({ id, name, seats }) => {
          const offer = quote?.vehicles.find((vehicle) => vehicle.transfer_vehicle_id === id);
          const isKnown = quote !== undefined && (offer !== undefined || quote.vehicles.length > 0);
          return (
            <label key={id} class={`choice ${isKnown && !offer?.free ? "full" : ""}`}>
              <input
                type="radio"
                name={TRANSFER_VEHICLE_FIELD}
                value={String(id)}
                checked={String(ride.formValues[TRANSFER_VEHICLE_FIELD] ?? "") === String(id)}
                onChange={() => onChoose(id)}
              />
              <span class="strong">{name}</span>
              <span class="price">{offer ? formatMoney(offer.cost) : ""}</span>
              <span class="soft">
                {[t("seats", { n: seats }), ...(isKnown ? [formatOfferState(offer, travellerCount > seats)] : [])].join(
                  " · ",
                )}
              </span>
            </label>
          );
        })}
      </div>
      {problem && <p class="problem wide">{problem}</p>}
    </fieldset>
  );
}

function formatOfferState(offer: TransferOffer | undefined, isTooSmall: boolean): string {
  if (!offer) return t("noSuchWay");
  return isTooSmall ? t("tooSmall") : t(offer.free ? "free" : "soldOut");
}

interface MoreProps {
  readonly ride: TransferDraft;
  readonly problemOf: (name: string) => string | undefined;
  readonly onSay: (changes: Partial<TransferDraft>) => void;
}

/** Rarely used fields: manual price, notes, and a hold instead of a confirmed reservation. */
export function AdditionalTransferFields({ ride, problemOf, onSay }: MoreProps) {
  const names = [
    ...(hasUserRight("give_away") ? (["other_price", "other_price_reason"] as const) : []),
    "notes" as const,
  ];
  return (
    <details class="more-of-sale" open={names.some((name) => ride[name] !== "")}>
      <summary>{t("moreOfTransfer")}</summary>
      <div class="fields">
        {names.map((name) => (
          <SaleFieldInput
            key={name}
            name={name}
            value={ride[name]}
            problem={problemOf(toWireFieldName(name))}
            onSay={onSay}
          />
        ))}
        <HoldChoice status={ride.status} onSay={onSay} />
      </div>
    </details>
  );
}

interface SummaryProps {
  readonly ride: TransferDraft;
  readonly quote: NewTransferQuote | undefined;
  readonly isReading: boolean;
}

/** Selected trips with all price parts. */
export function TransferSummary({ ride, quote, isReading }: SummaryProps) {
  if (!quote) return <p>{isReading ? `${t("quoting")}…` : t("chooseTrips")}</p>;
  return (
    <>
      <RefusalsAndWarnings reasons={quote.reasons} warnings={[]} />
      {quote.quote && <Sums quote={quote.quote} />}
      {!ride.formValues[TRANSFER_VEHICLE_FIELD] && quote.reasons.length === 0 && <p>{t("chooseVehicle")}</p>}
    </>
  );
}

// Discounted trips have one price together, so that the rows add up to the total.
function Sums({ quote }: { readonly quote: TransferQuote }) {
  const { discount } = quote;
  const translatePoint = useTransferPointNames(true);
  const parts = [...quote.extras, ...quote.supplements.map((supplement) => ({ ...supplement, quantity: 1 }))];
  return (
    <table class="sums">
      <tbody>
        {quote.trips.map((trip) => (
          <tr key={`${trip.date} ${trip.time}`}>
            <th scope="row">
              {translatePoint(trip.origin)} – {translatePoint(trip.destination)}
              <br />
              <span class="soft">
                {formatDay(trip.date)}, {trip.time}
              </span>
            </th>
            <td class="number">{discount ? "" : formatMoney(trip.cost)}</td>
          </tr>
        ))}
        {discount && (
          <tr>
            <th scope="row">
              {t("part.item_cost")}
              <br />
              <span class="soft">
                {t("discountSummary", {
                  list: formatMoney(quote.list_total_cost),
                  amount: formatMoney(discount.amount),
                  reason: discount.reason ?? "",
                })}
              </span>
            </th>
            <td class="number">{formatMoney(quote.item_cost)}</td>
          </tr>
        )}
        {parts.map((part) => (
          <QuoteLine key={part.description} line={part} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("total")}</th>
          <td class="number">{formatMoney(quote.total_cost)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
