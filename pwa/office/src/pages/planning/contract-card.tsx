import { useEffect, useState } from "preact/hooks";
import { toPhoneLink } from "#shared/links.ts";
import { formatDay, formatMoney, getPlaceName, hasUserRight, isZeroAmount } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { ReservationAction } from "../../desk/action-forms.ts";
import { BookingActionSheet } from "../../desk/action-sheet.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { Sheet } from "../../desk/sheet.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import type { BoardBar } from "./board.ts";
import type { BoardChangeResult } from "./change-sheet.tsx";
import type { PlannedBlock, PlannedContract } from "./planning.ts";

interface CardProps {
  readonly bar: BoardBar;
  readonly onDone: (done: BoardChangeResult) => void;
  readonly onClose: () => void;
}

const HERE: readonly ReservationAction[] = ["assign", "change", "extend", "early-return", "exchange"];

/** Details of a contract or block on the board, with its actions. */
export function ContractCard({ bar: { contract, block }, onDone, onClose }: CardProps) {
  if (contract) return <ContractDetails contract={contract} onDone={onDone} onClose={onClose} />;
  return block ? <BlockDetails block={block} onDone={onDone} onClose={onClose} /> : null;
}

type ContractDetailsProps = Omit<CardProps, "bar"> & { readonly contract: PlannedContract };

function ContractDetails({ contract, onDone, onClose }: ContractDetailsProps) {
  const [of, setOf] = useState<Reservation>();
  const [problem, setProblem] = useState("");
  const [action, setDoing] = useState<ReservationAction>();
  useEffect(() => {
    sendOfficeRequest<ReservationDetail>("GET", toOfficePath(`/reservations/${contract.id}`)).then(
      (answer) => {
        if (answer.status === 200) setOf(answer.body.reservation);
        else setProblem(toRefusalTexts(answer).notice);
      },
      () => setProblem(t("notLoaded")),
    );
  }, [contract.id]);
  if (of && action)
    return (
      <BookingActionSheet
        of={of}
        action={action}
        onDone={(_, successText) => onDone({ words: successText })}
        onClose={() => setDoing(undefined)}
      />
    );
  return (
    <Sheet title={contract.customer_fullname} onClose={onClose}>
      <p>
        <ReservationStateBadge of={contract} /> <span class="soft">{t("reservationNo", { id: contract.id })}</span>
      </p>
      <p>
        {formatDay(contract.date_from)}, {contract.time_from} – {formatDay(contract.date_to)}, {contract.time_to}
      </p>
      {of && (
        <p class="soft">
          {getPlaceName(of.pickup_place_id, of.pickup_place)} → {getPlaceName(of.return_place_id, of.return_place)}
        </p>
      )}
      {of && (
        <p>
          {formatMoney(of.total_cost)}
          {isZeroAmount(of.total_pending) ? "" : ` · ${t("pending")} ${formatMoney(of.total_pending)}`}
        </p>
      )}
      {of?.customer_phone && <a href={toPhoneLink(of.customer_phone)}>{of.customer_phone}</a>}
      <p role="alert">{problem}</p>
      <div class="buttons">
        <a class="button main" href={linkTo("reservations", contract.id)}>
          {t("openReservation")}
        </a>
        {hasUserRight("sell") &&
          HERE.filter((action) => of?.allowed.some((other) => other === action)).map((action) => (
            <button key={action} type="button" onClick={() => setDoing(action)}>
              {t(`do.${action}`)}
            </button>
          ))}
      </div>
    </Sheet>
  );
}

function BlockDetails({ block, onDone, onClose }: Omit<CardProps, "bar"> & { readonly block: PlannedBlock }) {
  const [problem, setProblem] = useState("");
  const at = (moment: string) => `${formatDay(moment)}, ${moment.slice(11, 16)}`;
  const title = `${tOr(`block.${block.reason}`, block.reason)} · ${block.reference}`;
  const successText = t("unblocked", { vehicle: block.reference });
  const { isBusy, send } = useSubmitOnce({
    draft: ["unblock", String(block.id)],
    title,
    formatNotice: () => successText,
    take: (answer) => {
      if (!answer) return setProblem(t("notSent"));
      if (answer.status >= 300) return setProblem(toRefusalTexts(answer).notice);
      onDone({ words: successText });
    },
  });
  const remove = () => send({}, (key) => sendOfficeRequest("DELETE", toOfficePath(`/blocks/${block.id}`), { key }));
  return (
    <Sheet title={title} onClose={onClose}>
      <p>
        {at(block.from)} – {at(block.to)}
      </p>
      {block.note && <p>{block.note}</p>}
      <p role="alert">{problem}</p>
      {hasUserRight("sell") && (
        <button type="button" class="danger" disabled={isBusy} onClick={remove}>
          {t("unblock")}
        </button>
      )}
    </Sheet>
  );
}
