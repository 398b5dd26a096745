import "../../guided.css";
import { useEffect, useState } from "preact/hooks";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { t } from "../../texts.ts";
import { ReservationDocuments } from "./documents.tsx";
import { GuidedHandOver } from "./guided/hand-over.tsx";
import { GuidedReturn } from "./guided/return.tsx";
import { translateGuided as g, loadGuidedTexts } from "./guided/texts.ts";
import { PaymentLinksAndHolds } from "./payment-links-and-holds.tsx";

interface GuidedProps {
  readonly of: ReservationDetail;
  readonly action: "deliver" | "collect";
  /** Called with the reservation after each write. */
  readonly onChanged: (after: Partial<ReservationDetail>) => void;
  /** Called with a notice after a write of the last step. */
  readonly onNotice: (notice: string) => unknown;
  /** Opens the refund of an overpayment. */
  readonly onRefund: () => void;
  /** `isOutdated`: whether the reservation has changed since it was opened. */
  readonly onClose: (isOutdated: boolean) => void;
}

/** Guided hand-over or return of a vehicle, with the documents as its last step. */
export default function GuidedHandOverOrReturn({ of, action, onChanged, onNotice, onRefund, onClose }: GuidedProps) {
  const [isReady, setReady] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [isDone, setDone] = useState(false);
  const load = () => {
    setFailed(false);
    loadGuidedTexts().then(
      () => setReady(true),
      () => setFailed(true),
    );
  };
  useEffect(load, []);
  const title = `${t(`do.${action}`)} · ${t("reservationNo", { id: of.reservation.id })}`;
  const common = {
    ...{ of, title, onChanged, onClose },
    onDone: (after: Partial<ReservationDetail>) => {
      setDone(true);
      onChanged(after);
    },
  };
  return (
    <Sheet title={title} isWide onClose={() => onClose(isDone)}>
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={load} />
      {!isReady && !hasFailed && <p>{t("loading")}</p>}
      {isReady && !isDone && (action === "deliver" ? <GuidedHandOver {...common} /> : <GuidedReturn {...common} />)}
      {isReady && isDone && (
        <Done
          of={of}
          action={action}
          onOpen={() => onChanged({})}
          onNotice={onNotice}
          onRefund={onRefund}
          onNext={() => setDone(false)}
          onClose={() => onClose(true)}
        />
      )}
    </Sheet>
  );
}

interface DoneProps extends Pick<GuidedProps, "of" | "action" | "onNotice" | "onRefund"> {
  /** Called when a form opens, to load the current amounts. */
  readonly onOpen: () => unknown;
  readonly onNext: () => void;
  readonly onClose: () => void;
}

/** Documents and card holds after the vehicle has left or returned, and the next vehicle if there is one. */
function Done({ of, action, onOpen, onNotice, onRefund, onNext, onClose }: DoneProps) {
  const { reservation, documents, holds } = of;
  const hasNext = reservation.units.some(({ delivered, collected }) =>
    action === "deliver" ? delivered === null : delivered !== null && collected === null,
  );
  const isDraft = documents.some(({ invoice_status: status }) => status === "draft");
  return (
    <div class="guided-done">
      <p class="done" role="status">
        {t(`did.${action}`)}
      </p>
      {action === "collect" && isDraft && <p class="notice waiting">{g("draftAfter")}</p>}
      <ReservationDocuments of={reservation} documents={documents} onDone={onNotice} />
      {holds.length > 0 && <PaymentLinksAndHolds of={of} onOpen={onOpen} onDone={onNotice} />}
      <div class="foot">
        {Number(reservation.to_refund) > 0 && (
          <button type="button" onClick={onRefund}>
            {t("do.refund")}
          </button>
        )}
        {hasNext && (
          <button type="button" onClick={onNext}>
            {g("nextVehicle")}
          </button>
        )}
        <button type="button" class="main" onClick={onClose}>
          {g("finish")}
        </button>
      </div>
    </div>
  );
}
