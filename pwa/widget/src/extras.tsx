import { money } from "./format.ts";
import type { Cart, Extra, Settings } from "./model.ts";
import { fill } from "./texts.ts";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
  readonly cart: Cart;
}

/** The extras of a cart, each with how many of it are taken. */
export function Extras({ shop, settings, cart }: Props) {
  if (cart.extras.length === 0) return null;
  return (
    <section class="card" aria-label={shop.texts.extras}>
      <h2>{shop.texts.extras}</h2>
      <ul class="extras">
        {cart.extras.map((extra) => (
          <Row
            key={extra.id}
            extra={extra}
            price={money(extra.price, settings)}
            quantity={cart.trip.extras.find(({ id }) => id === extra.id)?.quantity ?? 0}
            shop={shop}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly extra: Extra;
  readonly price: string;
  readonly quantity: number;
  readonly shop: Shop;
}

function Row({ extra, price, quantity, shop }: RowProps) {
  // Not `disabled`: a button that is would lose the focus of who has just pressed it.
  const button = (sign: string, label: string, next: number, isPossible: boolean) => (
    <button
      type="button"
      aria-label={fill(label, { name: extra.name })}
      aria-disabled={!isPossible}
      onClick={() => isPossible && shop.setExtra(extra.id, next)}
    >
      {sign}
    </button>
  );
  return (
    <li data-extra={extra.code}>
      <span>
        {extra.name} <small class="quiet">{price}</small>
      </span>
      <span class="counter">
        {button("−", shop.texts.less, quantity - 1, quantity > 0)}
        <output>{quantity}</output>
        {button("+", shop.texts.more, quantity + 1, quantity < extra.most)}
      </span>
    </li>
  );
}
