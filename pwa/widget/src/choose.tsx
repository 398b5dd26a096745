import { Counter } from "./extras.tsx";
import { averagePerDay, money } from "./format.ts";
import { Heading } from "./heading.tsx";
import type { Cart, Offer, Settings } from "./model.ts";
import { factsText, fill, type Texts } from "./texts.ts";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
  readonly cart: Cart;
}

/** Vehicles found by a search, with prices. */
export function Choose({ shop, settings, cart }: Props) {
  const { texts } = shop;
  const code = shop.place.search["promotion_code"];
  return (
    <>
      <button type="button" class="link" onClick={() => shop.go({ step: "search", search: shop.place.search })}>
        ← {texts.change}
      </button>
      <Heading>{texts.chooseTitle}</Heading>
      {code && cart.isCodeIdle && <p class="problem">{fill(texts.codeIdle, { code })}</p>}
      {cart.offers.length === 0 && <p class="card">{texts.nothing}</p>}
      <ul class="products">
        {cart.offers.map((offer) => (
          <OfferCard key={offer.id} {...{ offer, shop, settings, cart }} />
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

/** Whether several categories with quantities can be chosen. */
const hasSeveral = ({ multiple_products_selection: isSeveral }: Settings, { kind }: Shop) =>
  isSeveral && kind === "rentals";

function OfferCard({ offer, shop, settings, cart }: Props & { readonly offer: Offer }) {
  const { texts } = shop;
  return (
    <li class={offer.isAvailable ? "card" : "card gone"} data-offer={offer.id}>
      {offer.photo && (
        <img src={new URL(offer.photo, shop.client.origin).href} alt="" width="360" height="240" loading="lazy" />
      )}
      <div>
        <h3>{offer.name}</h3>
        {offer.text && <p class="quiet">{offer.text}</p>}
        {offer.seats !== null && <p class="quiet">{factsText(offer, texts)}</p>}
        {offer.offerName && <p class="offer">{offer.offerName}</p>}
      </div>
      <div class="price">
        {hasSeveral(settings, shop) ? (
          <UnitPrice {...{ offer, settings }} />
        ) : (
          <Price {...{ offer, settings }} days={cart.trip.days} texts={texts} />
        )}
        {offer.isFew && <small>{texts.few}</small>}
        {offer.isAvailable && hasSeveral(settings, shop) && (
          <Counter
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
            aria-label={`${texts.choose}: ${offer.name}`}
            onClick={() => shop.choose(offer.id)}
          >
            {texts.choose}
          </button>
        )}
        {!offer.isAvailable && <p class="quiet">{describeUnavailable(offer, texts)}</p>}
      </div>
    </li>
  );
}

function describeUnavailable({ tooSmallFor }: Offer, texts: Texts): string {
  return tooSmallFor === undefined ? texts.unavailable : fill(texts.tooSmall, { n: tooSmallFor });
}

function isPriceHidden(offer: Offer, settings: Settings): boolean {
  return offer.isAvailable
    ? settings.hide_price_if_zero && Number(offer.unitPrice) === 0
    : settings.hide_price_if_not_available;
}

// Price of one of several vehicles, which share the fees.
function UnitPrice({ offer, settings }: Pick<PriceProps, "offer" | "settings">) {
  if (isPriceHidden(offer, settings)) return null;
  return (
    <>
      {offer.unitPrice !== offer.unitBasePrice && <s>{money(offer.unitBasePrice, settings)}</s>}
      <b>{money(offer.unitPrice, settings)}</b>
    </>
  );
}

interface PriceProps {
  readonly offer: Offer;
  readonly settings: Settings;
  readonly days: number | null;
  readonly texts: Texts;
}

// The price is the total, so it doesn't change at the next step.
function Price({ offer, settings, days, texts }: PriceProps) {
  if (isPriceHidden(offer, settings)) return null;
  return (
    <>
      {offer.price !== offer.basePrice && <s>{money(offer.basePrice, settings)}</s>}
      <b>{money(offer.price, settings)}</b>
      {days !== null && days > 1 && (
        <small class="quiet">{fill(texts.perDay, { amount: money(averagePerDay(offer.price, days), settings) })}</small>
      )}
      {offer.fees.map(({ text, amount }) => (
        <small key={text} class="quiet">
          {fill(texts.includes, { fee: texts[text], amount: money(amount, settings) })}
        </small>
      ))}
    </>
  );
}
