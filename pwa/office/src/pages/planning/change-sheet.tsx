import { useEffect, useState } from "preact/hooks";
import type { ActionQuoteRequest } from "#worker/api/office/hand-over-messages.ts";
import type { VehicleAssignmentRequest } from "#worker/api/office/request-messages.ts";
import type { VehicleBlockMessage } from "#worker/api/office/vehicle-messages.ts";
import { formatDay, hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { toActionQuote, toRefusedActionQuote } from "../../desk/action-quote.ts";
import type { ActionQuote } from "../../desk/quote.ts";
import { ActionQuoteView } from "../../desk/quote-view.tsx";
import { formatMissingRight, toRefusalTexts } from "../../desk/refusals.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { saveFormDraft } from "../form-drafts.ts";
import {
  type BoardChange,
  type BoardChangeBody,
  type BoardChangeRequest,
  getBlockTimesAfterChange,
  toBoardQuoteBody,
  toChangeRequest,
  toUndoChange,
} from "./board-changes.ts";

/** Result of a board change: its text and its undo. */
export interface BoardChangeResult {
  readonly words: string;
  readonly undo?: Exclude<BoardChange, { kind: "stretch" }>;
}

interface ChangeSheetProps {
  readonly change: Exclude<BoardChange, { kind: "stretch" }>;
  readonly isUndo: boolean;
  readonly onDone: (done: BoardChangeResult) => void;
  readonly onClose: () => void;
}

/** Shows the price of a board change before it's applied. */
export function BoardChangeSheet({ change: dropped, isUndo, onDone, onClose }: ChangeSheetProps) {
  const [change, setChange] = useState(dropped);
  const [problem, setProblem] = useState("");
  const { quote, total } = useChangeQuote(change);
  const request = toChangeRequest(change);
  const title = isUndo ? t("undoAction") : getChangeTitle(change);
  const { isBusy, send } = useSubmitOnce<ChangeAnswer>({
    // The draft belongs to this exact change. Moving the same contract elsewhere is another one.
    draft: ["board", JSON.stringify(toChangeRequest(dropped))],
    title,
    formatNotice: () => formatChangeResult(change, isUndo),
    take: async (answer) => {
      const changeResult = await restoreVehicles(change, toChangeResult(change, isUndo, answer));
      if ("words" in changeResult) return onDone(changeResult);
      if (changeResult.version !== undefined) setChange(withVersion(change, changeResult.version));
      setProblem(changeResult.problem);
    },
  });
  const isWithheld = request !== undefined && !hasUserRight("sell");
  return (
    <Sheet title={title} onClose={onClose}>
      <p class="lead">{describeChange(change)}</p>
      {change.kind === "exchange" && (
        <a
          class="button main"
          href={linkTo("reservations", change.contract.id, "exchange")}
          onClick={() => saveFormDraft("move-exchange", String(change.contract.id), { reference: change.to })}
        >
          {t("do.exchange")}
        </a>
      )}
      {toBoardQuoteBody(change) && <ActionQuoteView quote={quote} total={total} isReading={!quote} />}
      {change.kind === "block" && change.displaced.length > 0 && (
        <p class="notice waiting">
          {t("losing", { who: change.displaced.map(({ customer_fullname: customerName }) => customerName).join(", ") })}
        </p>
      )}
      {change.kind === "assign" && <p>{t("priceStays")}.</p>}
      <div class="foot">
        <p role="alert" class="problem">
          {isWithheld ? formatMissingRight("sell") : problem}
        </p>
        <button type="button" onClick={onClose}>
          {t("leave")}
        </button>
        {request && (
          <button
            type="button"
            class="main"
            disabled={isBusy || isWithheld || quote?.allowed === false}
            onClick={() => send(request, (key) => sendRequest(request, key))}
          >
            {title}
          </button>
        )}
      </div>
    </Sheet>
  );
}

interface Failed {
  readonly problem: string;
  /** Current version after a conflict. */
  readonly version?: number;
}

/** Whether a change is sent without a question: it costs nothing, takes no vehicle away, and can be undone. */
export const isSentWithoutConfirmation = (change: BoardChange): change is ChangeSheetProps["change"] =>
  change.kind === "assign" || (change.kind === "block" && change.displaced.length === 0);

/** Sends a change or the undo of one. Returns the result, or the error as its text. */
export async function sendBoardChange(change: ChangeSheetProps["change"], isUndo: boolean): Promise<BoardChangeResult> {
  const request = toChangeRequest(change);
  if (!request) return { words: t("notPossible") };
  const answer = await sendRequest(request).catch(() => undefined);
  const result = await restoreVehicles(change, toChangeResult(change, isUndo, answer));
  return "words" in result ? result : { words: result.problem };
}

// Gives contracts the vehicle back that a block or an extension took from them, once its undo succeeded.
async function restoreVehicles(
  change: ChangeSheetProps["change"],
  result: BoardChangeResult | Failed,
): Promise<BoardChangeResult | Failed> {
  if (!("words" in result && "restored" in change)) return result;
  const reference = "block" in change ? change.block.reference : change.reference;
  const failed: string[] = [];
  // One after another, because two of the contracts may be units of the same reservation.
  for (const { id, unit_id, customer_fullname: customerName } of change.restored) {
    const path = toOfficePath(`/reservations/${id}`);
    const { body } = await sendOfficeRequest<ReservationDetail>("GET", path).catch(() => ({ body: undefined }));
    const { version } = body?.reservation ?? {};
    const answer =
      version &&
      (await sendOfficeRequest<object, VehicleAssignmentRequest>("POST", `${path}/assign`, {
        body: { expected_version: version, unit_id, reference },
      }).catch(() => undefined));
    if (!answer || answer.status >= 300) failed.push(customerName);
  }
  return failed.length === 0 ? result : { words: t("notRestored", { who: failed.join(", ") }) };
}

/** The changed reservation or block. */
type ChangeAnswer = ReservationDetail & VehicleBlockMessage;

const sendRequest = ({ method, path, body }: BoardChangeRequest, key?: string) =>
  sendOfficeRequest<ChangeAnswer, BoardChangeBody>(method, toOfficePath(path), {
    ...(body && { body }),
    ...(key && { key }),
  });

// Returns the result of a change with its undo, or the error.
function toChangeResult(
  change: ChangeSheetProps["change"],
  isUndo: boolean,
  answer: OfficeResponse<ChangeAnswer> | undefined,
): BoardChangeResult | Failed {
  if (!answer) return { problem: t("notSent") };
  if (answer.status < 300) {
    const back = isUndo ? undefined : toUndoChange(change, getVersion(answer.body));
    return { words: formatChangeResult(change, isUndo), ...(back && { undo: back }) };
  }
  if (answer.body.code === "changed_meanwhile")
    return { problem: t("changedOnBoard"), version: getVersion(answer.body) };
  const { fields, notice } = toRefusalTexts(answer);
  return { problem: [...Object.values(fields), notice].filter(Boolean).join(" ") };
}

// Returns the version of the block, or otherwise of the reservation.
function getVersion({ reservation, block }: OfficeResponse<ChangeAnswer>["body"]): number {
  return reservation?.version ?? block?.version ?? 0;
}

function withVersion<One extends BoardChange>(change: One, version: number): One {
  if ("contract" in change) return { ...change, contract: { ...change.contract, version } };
  return "block" in change ? { ...change, block: { ...change.block, version } } : change;
}

function getChangeTitle(change: BoardChange): string {
  switch (change.kind) {
    case "assign":
      return change.to === null ? t("takeOff") : t("do.assign");
    case "dates":
      return t(`do.${change.action}`);
    case "exchange":
      return t("do.exchange");
    case "block":
      return t("moveBlock");
    case "unblock":
      return t("unblock");
    default:
      return t("notPossible");
  }
}

function describeChange(change: Exclude<BoardChange, { kind: "stretch" }>): string {
  switch (change.kind) {
    case "assign":
      return t("assignAbout", {
        who: change.contract.customer_fullname,
        from: change.from ?? t("unassigned"),
        to: change.to ?? t("unassigned"),
      });
    case "dates":
      return t("datesAbout", {
        who: change.contract.customer_fullname,
        before: `${formatDay(change.contract.date_from)} – ${formatDay(change.contract.date_to)}`,
        after: `${formatDay(change.date_from)} – ${formatDay(change.date_to)}`,
      });
    case "exchange":
      return t("exchangeAbout", { who: change.contract.customer_fullname, to: change.to });
    case "block":
      return t("datesAbout", {
        who: change.block.reference,
        before: formatSpan(change.block),
        after: formatSpan(getBlockTimesAfterChange(change)),
      });
    case "unblock":
      return t("unblocked", { vehicle: change.block.reference });
    case "refused":
      return t(`whyNot.${change.why}`);
  }
}

const formatSpan = ({ from, to }: { readonly from?: unknown; readonly to?: unknown }) =>
  `${formatDay(String(from))} – ${formatDay(String(to))}`;

function formatChangeResult(change: BoardChange, isUndo: boolean): string {
  return isUndo
    ? t("undone")
    : t("doneOnBoard", {
        what: getChangeTitle(change),
        who: "contract" in change ? change.contract.customer_fullname : "",
      });
}

// Loads the quote and the current price of the contract.
function useChangeQuote(change: BoardChange) {
  const [state, setState] = useState<{ readonly quote?: ActionQuote; readonly total: string }>({ total: "0" });
  useEffect(() => {
    const body = toBoardQuoteBody(change);
    if (!body || change.kind !== "dates") return;
    const { action } = change;
    const path = `/reservations/${change.contract.id}`;
    let isOver = false;
    Promise.all([
      sendOfficeRequest<ActionQuote, ActionQuoteRequest>("POST", toOfficePath(`${path}/quote`), { body }),
      sendOfficeRequest<ReservationDetail>("GET", toOfficePath(path)),
    ]).then(
      ([answer, whole]) => {
        const listedReservation = whole.body.reservation;
        if (!isOver) setState({ quote: toActionQuote(action, answer), total: listedReservation?.total_cost ?? "0" });
      },
      () => {
        if (!isOver) setState({ quote: toRefusedActionQuote(action, [{ code: "" }]), total: "0" });
      },
    );
    return () => {
      isOver = true;
    };
  }, [change]);
  return state;
}
