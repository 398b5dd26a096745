import type { ComponentChildren } from "preact";
import { isolateRightToLeft } from "#shared/locale.ts";
import { ActionProblem } from "./action-problem.tsx";
import { formatAmount } from "./format.ts";
import { Heading } from "./heading.tsx";
import { InsuranceCards, listInsurances } from "./insurance.tsx";
import type { Cart, Extra, Settings } from "./model.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly cart: Cart;
}

/** Insurance and extras of a cart with quantities. The first title is that of the step. */
export function ExtrasSection({ shop, settings, cart }: Props) {
  const { texts } = shop;
  const insurances = listInsurances(cart);
  const extras = cart.extras.filter((extra) => !insurances.some(({ id }) => id === extra.id));
  return (
    <>
      {insurances.length > 0 && (
        <section class="card" aria-label={texts.insurance}>
          <Heading>{texts.insurance}</Heading>
          <InsuranceCards {...{ shop, settings, cart }} />
        </section>
      )}
      {extras.length > 0 && (
        <section class="card" aria-label={texts.extras}>
          {insurances.length > 0 ? <h2>{texts.extras}</h2> : <Heading>{texts.extras}</Heading>}
          {cart.trip.days !== null && cart.trip.days > 1 && (
            <p class="quiet">{fillPlaceholders(texts.extrasFor, { n: cart.trip.days })}</p>
          )}
          <ul class="extras">
            {extras.map((extra) => (
              <ExtraRow
                key={extra.id}
                extra={extra}
                price={formatAmount(extra.price, settings)}
                quantity={
                  shop.wanted[`extra ${extra.id}`] ?? cart.trip.extras.find(({ id }) => id === extra.id)?.quantity ?? 0
                }
                texts={texts}
                onChange={(next) => void shop.setExtra(extra.id, next)}
              >
                <ActionProblem shop={shop} at={`extra ${extra.id}`} />
              </ExtraRow>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface RowProps {
  readonly extra: Extra;
  readonly price: string;
  readonly quantity: number;
  readonly texts: Texts;
  readonly onChange: (quantity: number) => void;
  /** Error of the last change. */
  readonly children?: ComponentChildren;
}

/** Extra with its quantity. */
export function ExtraRow({ extra, price, quantity, texts, onChange, children }: RowProps) {
  return (
    <li data-extra={extra.code}>
      <span>
        {isolateRightToLeft(extra.name)} <small class="quiet">{price}</small>
      </span>
      <QuantityCounter {...{ name: extra.name, most: extra.most, quantity, texts, onChange }} />
      {children}
    </li>
  );
}

interface CounterProps extends Pick<RowProps, "quantity" | "texts" | "onChange"> {
  readonly name: string;
  readonly most: number;
}

/** Quantity with buttons to decrease and increase it. */
export function QuantityCounter({ name, most, quantity, texts, onChange }: CounterProps) {
  // Not `disabled`, because a disabled button loses the focus.
  const button = (sign: string, label: string, next: number, isPossible: boolean) => (
    <button
      type="button"
      aria-label={fillPlaceholders(label, { name })}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onChange(next)}
    >
      {sign}
    </button>
  );
  return (
    <span class="counter">
      {button("−", texts.less, quantity - 1, quantity > 0)}
      <output>{quantity}</output>
      {button("+", texts.more, quantity + 1, quantity < most)}
    </span>
  );
}
