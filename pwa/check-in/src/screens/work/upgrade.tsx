import { useEffect, useState } from "preact/hooks";
import type { Booking, Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { session } from "../../state/device-session.ts";
import { formatMoney } from "../../state/money.ts";
import { getCategoryName } from "../../state/names.ts";
import { isOnline } from "../../state/outbox.ts";
import {
  type ActionQuote,
  changeCategory,
  type OfficeCallResult,
  quoteCategoryChange,
} from "../../state/reservation-actions.ts";
import { changeOpenWork } from "../../state/work.ts";
import { ErrorNotice, getErrorText } from "../booking/action-quote.tsx";

interface Props {
  readonly booking: Booking;
  readonly vehicle: Vehicle;
  /** Called to hand over the vehicle, whatever price was agreed. */
  readonly onChoose: (vehicle: Vehicle) => void;
}

/** Shows the price difference of another category. Permitted users can change the category at that price. */
export default function UpgradeOffer({ booking, vehicle, onChoose }: Props) {
  const [quote, setQuote] = useState<OfficeCallResult<ActionQuote> | undefined>(undefined);
  const [failed, setFailed] = useState<OfficeCallResult<unknown> | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { category_code: code } = vehicle;
  // A category change applies to all vehicles of the booking, so it's only offered if there's one.
  const isAskable = booking.status === "confirmed" && booking.resources.length === 1;
  useEffect(() => {
    if (isAskable && isOnline.value) void quoteCategoryChange(booking, code).then(setQuote);
  }, [isOnline.value, code]);
  if (!isAskable) return null;
  if (!quote || quote.kind === "unreachable") {
    return <p class="soft">{t(isOnline.value && !quote ? "loading" : "upgradeOffline")}</p>;
  }
  const agree = async () => {
    setBusy(true);
    const changed = await changeCategory(booking, code);
    setBusy(false);
    if (changed.kind !== "ok") return setFailed(changed);
    await changeOpenWork({ base_version: changed.value.reservation.version });
    onChoose(vehicle);
  };
  const errorText = getErrorText(failed) ?? getErrorText(quote);
  if (errorText !== undefined || quote.kind !== "ok") return <ErrorNotice text={errorText} />;
  const price = priceText(quote.value.difference);
  return (
    <>
      <p role="status">
        <b>{t("upgradeCosts", { what: getCategoryName(code), price })}</b>
      </p>
      {session.value?.role !== "operator" && (
        <button type="button" class="other" disabled={isBusy || !isOnline.value} onClick={() => void agree()}>
          {t("upgradeAgree", { what: getCategoryName(code), price })}
        </button>
      )}
    </>
  );
}

/** Formats an amount with its sign: "+35,00 €". */
const priceText = (difference: string) => `${Number(difference) > 0 ? "+" : ""}${formatMoney(difference)}`;
