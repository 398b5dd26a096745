import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TransferTrip } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { isOnline } from "../../state/outbox.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { cancelTransfer, type TransferCancelOutcome } from "../../state/transfers.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";

/** Cancels a transfer. Managers only. Asks for a reason and a confirmation. */
export function TransferCancellation({ trip }: { readonly trip: TransferTrip }) {
  const [isAsking, setIsAsking] = useState(false);
  if (isAsking) return <Question trip={trip} onKeep={() => setIsAsking(false)} />;
  return (
    <button type="button" class="other danger" onClick={() => setIsAsking(true)}>
      <Icon name="close" />
      {t("cancelTransfer")}
    </button>
  );
}

function Question({ trip, onKeep }: { readonly trip: TransferTrip; readonly onKeep: () => void }) {
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<TransferCancelOutcome | undefined>(undefined);
  const tooLong = getTextTooLongMessage("cancellationReason", reason);
  const dialog = useRef<HTMLDivElement>(null);
  // The dialog opens below the visible area.
  useLayoutEffect(() => {
    dialog.current?.scrollIntoView({ block: "center" });
    dialog.current?.querySelector("input")?.focus({ preventScroll: true });
  }, []);
  const cancel = async () => {
    setIsBusy(true);
    setOutcome(await cancelTransfer(trip, reason.trim()));
    setIsBusy(false);
  };
  return (
    <div ref={dialog} class="card" role="alertdialog" aria-label={t("cancelTransfer")}>
      <p>{t(trip.round_trip ? "cancelTransferBoth" : "cancelTransferAsk")}</p>
      <Field label={t("cancelReason")} warning={tooLong}>
        <input name="reason" value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </Field>
      {!isOnline.value && (
        <p class="note" data-tone="waiting">
          <Icon name="offline" />
          {t("cancelTransferOffline")}
        </p>
      )}
      {outcome && outcome !== "ok" && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t(`cancelTransfer_${outcome}`)}
        </p>
      )}
      <button
        type="button"
        class="other danger"
        disabled={isBusy || !isOnline.value || reason.trim() === "" || tooLong !== undefined}
        onClick={() => void cancel()}
      >
        {t("cancelTransferYes")}
      </button>
      <button type="button" class="other" disabled={isBusy} onClick={onKeep}>
        {t("cancelTransferNo")}
      </button>
    </div>
  );
}
