import { useEffect, useState } from "preact/hooks";
import type { Extras } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import type { CachedList } from "../../offline/cache.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { findLoadedBooking, loadExtras } from "../../state/day.ts";
import { formatDeviceMoment } from "../../state/format-time.ts";
import { formatMoney, toCents } from "../../state/money.ts";
import { getExtraName } from "../../state/names.ts";
import { changeOpenWork } from "../../state/work.ts";
import { getNothingFoundChange } from "../../state/work-steps.ts";
import { Counter } from "../../ui/parts.tsx";
import type { StepProps } from "./step-props.ts";

/** Booked extras, and extras that can be sold on site. */
export function ExtrasStep({ draft, frame, onNext }: StepProps) {
  const [known, setKnown] = useState<CachedList<Extras> | undefined>(undefined);
  const [isConfirming, setIsConfirming] = useState(false);
  const action = draft.kind === "collection" ? "collection" : "delivery";
  useEffect(() => {
    void loadExtras(draft.booking_id, action).then((storedExtras) => {
      setKnown(storedExtras);
      setIsConfirming(true);
    });
  }, [draft.booking_id, action]);
  const booked = findLoadedBooking(draft.booking_id)?.extras ?? [];
  return frame(
    <button
      type="button"
      class="main"
      onClick={() => void changeOpenWork(getNothingFoundChange(draft, "extras")).then(onNext)}
    >
      {t(draft.extras.length === 0 ? "nothingSold" : "continue")}
    </button>,
    <>
      <h2>{t("bookedExtras")}</h2>
      {booked.length === 0 && <p class="soft">{t("none")}</p>}
      <ul class="plain">
        {booked.map(({ extra_code, name, quantity }) => (
          <li key={extra_code} class="entry">
            <span class="grow">
              <b class="who">{getExtraName({ extra_code, name })}</b>
            </span>
            <b>× {quantity}</b>
          </li>
        ))}
      </ul>
      <h2>{t("sellExtras")}</h2>
      {isConfirming && !known && <p class="note">{t("extrasMissing")}</p>}
      <ul class="plain">
        {known?.data.data
          .filter(({ sellable_quantity }) => sellable_quantity > 0)
          .map(({ extra_code, name, unit_price, sellable_quantity, total_deposit }) => (
            <li key={extra_code} class="entry">
              <span class="grow">
                <b class="who">{getExtraName({ extra_code, name })}</b>
                <span class="where">{formatMoney(unit_price)}</span>
              </span>
              <Counter
                label={getExtraName({ extra_code, name })}
                value={getQuantity(draft, extra_code)}
                most={sellable_quantity}
                onChange={(quantity) =>
                  void setQuantity(
                    draft,
                    { code: extra_code, name, price: unit_price, deposit: total_deposit },
                    quantity,
                  )
                }
              />
            </li>
          ))}
      </ul>
      {known && <p class="fresh">{t("asOf", { time: formatDeviceMoment(known.fetchedAt) })}</p>}
    </>,
  );
}

const getQuantity = (draft: WorkDraft, code: string) =>
  draft.extras.find(({ extra_code }) => extra_code === code)?.quantity ?? 0;

interface Offered {
  readonly code: string;
  readonly name: string;
  readonly price: string;
  readonly deposit: string | undefined;
}

function setQuantity(draft: WorkDraft, { code, name, price, deposit }: Offered, quantity: number): Promise<void> {
  const others = draft.extras.filter(({ extra_code }) => extra_code !== code);
  return changeOpenWork({
    extras: quantity > 0 ? [...others, { extra_code: code, quantity }] : others,
    // Use the price shown to the customer.
    sold: {
      ...draft.sold,
      [code]: {
        name,
        cents: toCents(price) ?? 0,
        ...(deposit !== undefined && { deposit_cents: toCents(deposit) ?? 0 }),
      },
    },
  });
}
