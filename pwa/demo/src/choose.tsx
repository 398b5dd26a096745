import type { Product, Settings } from "./api.ts";
import { money } from "./parts.tsx";
import type { Texts } from "./texts.ts";

interface Props {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly products: readonly Product[];
  readonly onChoose: (code: string) => void;
  readonly onBack: () => void;
}

export function Choose({ texts, settings, products, onChoose, onBack }: Props) {
  return (
    <>
      <button type="button" class="link" onClick={onBack}>
        ← {texts.change}
      </button>
      <ul class="products">
        {products.map((product) => (
          <li key={product.code} class={product.availability ? "card" : "card gone"}>
            {product.photo && <img src={product.photo} alt="" width="360" height="240" loading="lazy" />}
            <div>
              <h2>{product.name}</h2>
              <p class="quiet">{product.short_description}</p>
              <p class="quiet">
                {product.key_characteristics["seats"]} {texts.seats} · {product.key_characteristics["doors"]}{" "}
                {texts.doors}
              </p>
              {product.offer_name && <p class="offer">{product.offer_name}</p>}
            </div>
            <div class="price">
              {product.price !== product.base_price && <s>{money(product.base_price, settings)}</s>}
              <b>{money(product.price, settings)}</b>
              {product.few_available_units && <small>{texts.few}</small>}
              <button
                type="button"
                class="main"
                disabled={!product.availability}
                onClick={() => onChoose(product.code)}
              >
                {product.availability ? texts.choose : texts.unavailable}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
