import type { ExtraOffer } from "./api.ts";

interface Props {
  readonly extra: Pick<ExtraOffer, "code" | "name" | "max_quantity">;
  readonly price: string;
  readonly quantity: number;
  readonly onExtra: (code: string, quantity: number) => void;
}

/** An extra with how many of it are taken. */
export function ExtraRow({ extra, price, quantity, onExtra }: Props) {
  return (
    <li data-extra={extra.code}>
      <span>
        {extra.name} <small class="quiet">{price}</small>
      </span>
      <span class="counter">
        <button
          type="button"
          aria-label={`− ${extra.name}`}
          disabled={quantity === 0}
          onClick={() => onExtra(extra.code, quantity - 1)}
        >
          −
        </button>
        <output>{quantity}</output>
        <button
          type="button"
          aria-label={`+ ${extra.name}`}
          disabled={quantity >= extra.max_quantity}
          onClick={() => onExtra(extra.code, quantity + 1)}
        >
          +
        </button>
      </span>
    </li>
  );
}
