import { useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import { QuantityCounter } from "./extras.tsx";
import { formatAmount, formatAveragePerDay, formatDay, formatMoment } from "./format.ts";
import { NearestFreeDates } from "./free-dates.tsx";
import { Heading } from "./heading.tsx";
import { ListControls } from "./list-controls.tsx";
import type { Cart, CategoryTraits, ListedProduct, PricedTrip, Settings } from "./model.ts";
import { filterAndSortOffers, type ListChoice } from "./offer-list.ts";
import { DueTotal } from "./payment-buttons.tsx";
import { Photos } from "./photos.tsx";
import { addLimit } from "./problems.ts";
import { appendRentalLength, fillPlaceholders, formatSeatsAndDoors, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly cart: Cart;
}

/** Vehicles found by a search, with prices. */
export function OfferListStep({ shop, settings, cart }: Props) {
  const { texts } = shop;
  const code = shop.place.search["promotion_code"];
  const [choice, setChoice] = useState<ListChoice>({ sort: "offered" });
  const offers = filterAndSortOffers(cart.offers, choice);
  const [pressed, setPressed] = useState("");
  return (
    <>
      <button type="button" class="link" onClick={() => shop.go({ step: "search", search: shop.place.search })}>
        ← {texts.change}
      </button>
      <Heading>{texts.chooseTitle}</Heading>
      <Searched shop={shop} trip={cart.trip} />
      {cart.freeCancellationUntil && (
        <p class="free" data-free-until>
          {fillPlaceholders(texts.freeUntil, { moment: formatMoment(cart.freeCancellationUntil, shop.locale) })}
        </p>
      )}
      {cart.discountPercent !== undefined && (
        <p class="free">{fillPlaceholders(texts.discountIncluded, { n: cart.discountPercent })}</p>
      )}
      {code && cart.isCodeIdle && <p class="problem">{fillPlaceholders(texts.codeIdle, { code })}</p>}
      {cart.offers.length === 0 && <p class="card">{texts.nothing}</p>}
      <ListControls offers={cart.offers} choice={choice} texts={texts} onChange={setChoice} />
      {/* Announces how many offers the filters leave. */}
      <p class="quiet" role="status">
        {cart.offers.length > 0 && offers.length === 0 ? texts.noMatch : ""}
      </p>
      {hasSeveral(settings, shop) && <Fees offer={cart.offers[0]} text={texts.onceFee} {...{ settings, texts }} />}
      <ul class="products">
        {offers.map((offer) => (
          <OfferCard
            key={offer.id}
            {...{ offer, shop, settings, cart }}
            action={offer.id === pressed ? "choose" : `offer ${offer.id}`}
            onChoose={() => {
              setPressed(offer.id);
              shop.choose(offer.id);
            }}
          />
        ))}
      </ul>
      {hasSeveral(settings, shop) && (
        <>
          {cart.isChosen && <DueTotal total={cart.trip.total} {...{ texts, settings }} />}
          <button
            type="button"
            class="main"
            part="button"
            data-continue
            disabled={!cart.isChosen}
            onClick={() => shop.go({ step: "details", search: shop.place.search })}
          >
            {texts.goOn}
          </button>
        </>
      )}
    </>
  );
}

/** Places and times of the search, and its number of days. */
function Searched({ shop: { texts, locale }, trip }: { readonly shop: BookingFlow; readonly trip: PricedTrip }) {
  const legs = trip.legs.map(({ place, date, time }) => `${place}, ${formatDay(date, locale)} ${time}`);
  return (
    <p class="quiet" part="searched" data-searched>
      {appendRentalLength(legs.join(" → "), trip, texts)}
    </p>
  );
}

/** Whether several categories with quantities can be chosen. */
const hasSeveral = ({ multiple_products_selection: isSeveral }: Settings, { kind }: BookingFlow) =>
  isSeveral && kind === "rentals";

interface OfferProps extends Props {
  readonly offer: ListedProduct;
  /** Action whose error the offer shows. Errors of `choose` appear only at the offer that was pressed last. */
  readonly action: string;
  readonly onChoose: () => void;
}

function OfferCard({ offer, shop, settings, cart, action, onChoose }: OfferProps) {
  const { texts } = shop;
  return (
    <li class={offer.isAvailable ? "card" : "card gone"} part="offer" data-offer={offer.id}>
      {offer.photos.length > 0 && <Photos photos={offer.photos} origin={shop.client.origin} texts={texts} />}
      <div>
        <h3>{offer.name}</h3>
        {offer.text && <p class="quiet">{offer.text}</p>}
        {offer.seats !== null && <p class="quiet">{formatSeatsAndDoors(offer, texts)}</p>}
        <OfferTraits traits={offer.traits} settings={settings} texts={texts} />
        {offer.offerName && <p class="offer">{offer.offerName}</p>}
      </div>
      <div class="price" part="price">
        {!isPriceHidden(offer, settings) && <OfferPrice {...{ offer, shop, settings, cart }} />}
        {offer.isFew && <small>{texts.few}</small>}
        {offer.isAvailable && hasSeveral(settings, shop) && (
          <QuantityCounter
            name={offer.name}
            most={offer.most ?? 1}
            quantity={shop.wanted[`offer ${offer.id}`] ?? cart.chosen?.[offer.id] ?? 0}
            texts={texts}
            onChange={(quantity) => void shop.setOffer(offer.id, quantity)}
          />
        )}
        {offer.isAvailable && !hasSeveral(settings, shop) && (
          <button
            type="button"
            class="main"
            part="button"
            aria-label={`${texts.choose}: ${offer.name}`}
            onClick={onChoose}
          >
            {texts.choose}
          </button>
        )}
        {!offer.isAvailable && <Unavailable {...{ offer, shop, settings }} />}
        <ActionProblem shop={shop} at={action} />
      </div>
    </li>
  );
}

interface TraitsProps {
  /** Characteristics of the category. Absent for transfers. */
  readonly traits: CategoryTraits | undefined;
  readonly settings: Settings;
  readonly texts: Texts;
}

/** Characteristics of a category, and conditions that a visitor should know before choosing. */
function OfferTraits({ traits, settings, texts }: TraitsProps) {
  if (!traits) return null;
  const { gearbox, fuel, bags, hasAirConditioning, kilometresPerDay, deposit, excess } = traits;
  const amount = (text: string, value: string) =>
    Number(value) > 0 && fillPlaceholders(text, { amount: formatAmount(value, settings) });
  const facts = [
    gearbox && texts[gearbox],
    fuel && texts[fuel],
    bags !== null && bags > 0 && fillPlaceholders(texts.bags, { n: bags }),
    hasAirConditioning && texts.airConditioning,
    kilometresPerDay !== null && fillPlaceholders(texts.kilometres, { n: kilometresPerDay }),
    settings.fuel_policy && fuel && (fuel === "electric" ? texts.sameCharge : texts.sameFuel),
    amount(texts.deposit, deposit),
    amount(texts.excess, excess),
  ].filter((fact) => typeof fact === "string");
  return facts.length === 0 ? null : <p class="quiet traits">{facts.join(" · ")}</p>;
}

/** Why an offer can't be chosen, and other dates of a rental. */
function Unavailable({ offer, shop, settings }: Omit<Props, "cart"> & { readonly offer: ListedProduct }) {
  const { texts, kind } = shop;
  const { tooSmallFor, wrongLength } = offer;
  if (wrongLength) return <p class="quiet">{addLimit(texts.wrongLength, wrongLength, texts)}</p>;
  return (
    <>
      <p class="quiet">
        {tooSmallFor === undefined ? texts.unavailable : fillPlaceholders(texts.tooSmall, { n: tooSmallFor })}
      </p>
      {/* Dates found for another search don't apply. */}
      {kind === "rentals" && <NearestFreeDates key={shop.place.search} {...{ offer, shop, settings }} />}
    </>
  );
}

function isPriceHidden(offer: ListedProduct, settings: Settings): boolean {
  return offer.isAvailable
    ? settings.hide_price_if_zero && Number(offer.unitPrice) === 0
    : settings.hide_price_if_not_available;
}

// Shows the total including fees, so that the price doesn't change at the next step. Several vehicles share the fees.
function OfferPrice({ offer, shop, settings, cart }: Props & { readonly offer: ListedProduct }) {
  const { texts } = shop;
  const { days } = cart.trip;
  const isOne = !hasSeveral(settings, shop);
  const [price, basePrice] = isOne ? [offer.price, offer.basePrice] : [offer.unitPrice, offer.unitBasePrice];
  return (
    <>
      {price !== basePrice && <s>{formatAmount(basePrice, settings)}</s>}
      <b>{formatAmount(price, settings)}</b>
      {days !== null && days > 1 && (
        <small class="quiet">
          {fillPlaceholders(texts.perDay, { amount: formatAmount(formatAveragePerDay(price, days), settings) })}
        </small>
      )}
      {isOne && <Fees offer={offer} text={texts.includes} {...{ settings, texts }} />}
      <small class="quiet">{texts.taxesIncluded}</small>
    </>
  );
}

interface FeesProps {
  readonly offer: ListedProduct | undefined;
  /** Text with a fee and its amount. */
  readonly text: string;
  readonly settings: Settings;
  readonly texts: Texts;
}

/** Mandatory fees of an offer, by name. All offers of a search have the same. */
function Fees({ offer, text, settings, texts }: FeesProps) {
  return (
    <>
      {offer?.fees.map((fee) => (
        <small key={fee.text} class="quiet">
          {fillPlaceholders(text, { fee: texts[fee.text], amount: formatAmount(fee.amount, settings) })}
        </small>
      ))}
    </>
  );
}
