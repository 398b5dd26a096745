import { useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import { QuantityCounter } from "./extras.tsx";
import { formatAmount, formatAveragePerDay, formatDay, formatMoment } from "./format.ts";
import { FreeDates } from "./free-dates.tsx";
import { Heading } from "./heading.tsx";
import { ListControls } from "./list-controls.tsx";
import type { Cart, CategoryTraits, ListedProduct, PricedTrip, Settings } from "./model.ts";
import { filterAndSortOffers, type ListChoice } from "./offer-list.ts";
import { Photos } from "./photos.tsx";
import { fillPlaceholders, formatSeatsAndDoors, joinWithLength, type Texts } from "./texts.ts";
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
        <p class="free" data-discount-next>
          {fillPlaceholders(hasSeveral(settings, shop) ? texts.discountNext : texts.discountIncluded, {
            n: cart.discountPercent,
          })}
        </p>
      )}
      {code && cart.isCodeIdle && <p class="problem">{fillPlaceholders(texts.codeIdle, { code })}</p>}
      {cart.offers.length === 0 && <p class="card">{texts.nothing}</p>}
      <ListControls offers={cart.offers} choice={choice} texts={texts} onChange={setChoice} />
      {/* Announces how many offers the filters leave. */}
      <p class="quiet" role="status">
        {cart.offers.length > 0 && offers.length === 0 ? texts.noMatch : ""}
      </p>
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
        <button
          type="button"
          class="main"
          data-continue
          disabled={!cart.isChosen}
          onClick={() => shop.go({ step: "details", search: shop.place.search })}
        >
          {texts.goOn}
        </button>
      )}
    </>
  );
}

/** Places and times of the search, and its number of days. */
function Searched({ shop: { texts, locale }, trip }: { readonly shop: BookingFlow; readonly trip: PricedTrip }) {
  const legs = trip.legs.map(({ place, date, time }) => `${place}, ${formatDay(date, locale)} ${time}`);
  return (
    <p class="quiet" part="searched" data-searched>
      {joinWithLength(legs.join(" → "), trip, texts)}
    </p>
  );
}

/** Whether several categories with quantities can be chosen. */
const hasSeveral = ({ multiple_products_selection: isSeveral }: Settings, { kind }: BookingFlow) =>
  isSeveral && kind === "rentals";

interface OfferProps extends Props {
  readonly offer: ListedProduct;
  /** Action that the offer shows the error of. Only the one chosen last shows errors of choosing. */
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
    amount(texts.deposit, deposit),
    amount(texts.excess, excess),
  ].filter((fact) => typeof fact === "string");
  return facts.length === 0 ? null : <p class="quiet traits">{facts.join(" · ")}</p>;
}

/** Why an offer can't be chosen, and other dates of a rental. */
function Unavailable({ offer, shop, settings }: Omit<Props, "cart"> & { readonly offer: ListedProduct }) {
  const { texts, kind } = shop;
  const { tooSmallFor } = offer;
  return (
    <>
      <p class="quiet">
        {tooSmallFor === undefined ? texts.unavailable : fillPlaceholders(texts.tooSmall, { n: tooSmallFor })}
      </p>
      {kind === "rentals" && <FreeDates {...{ offer, shop, settings }} />}
    </>
  );
}

function isPriceHidden(offer: ListedProduct, settings: Settings): boolean {
  return offer.isAvailable
    ? settings.hide_price_if_zero && Number(offer.unitPrice) === 0
    : settings.hide_price_if_not_available;
}

function OfferPrice({ offer, shop, settings, cart }: Props & Pick<PriceProps, "offer">) {
  const { texts } = shop;
  return (
    <>
      {hasSeveral(settings, shop) ? (
        <UnitPrice {...{ offer, settings }} />
      ) : (
        <Price {...{ offer, settings, texts }} days={cart.trip.days} />
      )}
      <small class="quiet">{texts.taxesIncluded}</small>
    </>
  );
}

// Price of one of several vehicles, which share the fees.
function UnitPrice({ offer, settings }: Pick<PriceProps, "offer" | "settings">) {
  return (
    <>
      {offer.unitPrice !== offer.unitBasePrice && <s>{formatAmount(offer.unitBasePrice, settings)}</s>}
      <b>{formatAmount(offer.unitPrice, settings)}</b>
    </>
  );
}

interface PriceProps {
  readonly offer: ListedProduct;
  readonly settings: Settings;
  readonly days: number | null;
  readonly texts: Texts;
}

// Shows the total including fees, so that the price doesn't change at the next step.
function Price({ offer, settings, days, texts }: PriceProps) {
  return (
    <>
      {offer.price !== offer.basePrice && <s>{formatAmount(offer.basePrice, settings)}</s>}
      <b>{formatAmount(offer.price, settings)}</b>
      {days !== null && days > 1 && (
        <small class="quiet">
          {fillPlaceholders(texts.perDay, { amount: formatAmount(formatAveragePerDay(offer.price, days), settings) })}
        </small>
      )}
      {offer.fees.map(({ text, amount }) => (
        <small key={text} class="quiet">
          {fillPlaceholders(texts.includes, { fee: texts[text], amount: formatAmount(amount, settings) })}
        </small>
      ))}
    </>
  );
}
