import type { CartAnswer } from "./api.ts";
import { type Details, DetailsForm } from "./details.tsx";
import { ExtraRow } from "./extra-row.tsx";
import { money, Sum } from "./parts.tsx";
import type { Texts } from "./texts.ts";

interface Props {
  readonly texts: Texts;
  readonly answer: CartAnswer;
  readonly onExtra: (code: string, quantity: number) => void;
  readonly onBook: (details: Details, paymentMethod: string | undefined) => void;
  readonly onBack: () => void;
}

export function Complete({ texts, answer, onExtra, onBook, onBack }: Props) {
  const { shopping_cart: cart, extras = [], sales_process: process, settings } = answer;

  return (
    <>
      <button type="button" class="link" onClick={onBack}>
        ← {texts.change}
      </button>
      <div class="columns">
        <div>
          <section class="card">
            <h2>{texts.extras}</h2>
            <ul class="extras">
              {extras.map((extra) => (
                <ExtraRow
                  key={extra.code}
                  extra={extra}
                  price={money(extra.unit_price, settings)}
                  quantity={cart.extras.find((one) => one.extra_id === extra.code)?.quantity ?? 0}
                  onExtra={onExtra}
                />
              ))}
            </ul>
          </section>
          <DetailsForm
            texts={texts}
            settings={settings}
            process={process}
            deposit={cart.booking_amount}
            total={cart.total_cost}
            onBook={onBook}
          />
        </div>
        <Sum
          sums={cart}
          vehicle={cart.items[0]?.item_description_customer_translation ?? ""}
          settings={settings}
          texts={texts}
        />
      </div>
    </>
  );
}
