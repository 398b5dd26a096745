import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import { formatAmount } from "./format.ts";
import type {
  OwnActionQuote,
  OwnBookingActionRequest,
  OwnExtra,
  OwnReservationChange,
  Reservation,
  Settings,
} from "./model.ts";
import { OwnRentalChangeForm } from "./own-rental-change.tsx";
import { OwnTransferChangeForm } from "./own-transfer-change.tsx";
import type { Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly reservation: Reservation;
}

const CHANGEABLE = ["pending_confirmation", "confirmed"];

/** Changes or cancels one's own reservation if permitted. Shows the price first. */
export function OwnReservationActions({ shop, settings, reservation }: Props) {
  const { texts } = shop;
  const [requestedChange, setWish] = useState<OwnBookingActionRequest>();
  const [quote, setQuote] = useState<OwnActionQuote>();
  const [offered, setOffered] = useState<readonly OwnExtra[]>();
  const [isChanged, setIsChanged] = useState(false);
  const stage = getStage(requestedChange, quote, offered);
  const section = useStageFocus(stage);
  if (!settings.customer_changes_allowed || !CHANGEABLE.includes(reservation.status)) return null;
  const ask = async (next: OwnBookingActionRequest) => {
    setWish(next);
    setIsChanged(false);
    setQuote(await shop.quote(next));
  };
  // Available choices come with the quote of an empty change.
  const begin = async () => {
    setIsChanged(false);
    setQuote(undefined);
    setOffered((await shop.quote({ move: "change" }))?.extras);
  };
  const leave = () => {
    setWish(undefined);
    setOffered(undefined);
    setQuote(undefined);
  };
  const make = async () => {
    if (!requestedChange || !quote || !(await shop.make(requestedChange, quote))) return;
    setIsChanged(true);
    leave();
  };
  const change = reservation.ride ? texts.changeTrips : texts.changeBooking;
  const isCancelling = requestedChange?.move === "cancel";
  return (
    <section class="card" data-moves ref={section} tabIndex={-1} aria-label={isCancelling ? texts.cancelIt : change}>
      <QuoteResult {...{ texts, settings, requestedChange: requestedChange, quote, isChanged }} />
      {stage === "offered" && (
        <Offered
          {...{ texts, change, reservation }}
          onChange={() => void begin()}
          onCancel={() => void ask({ move: "cancel" })}
        />
      )}
      {stage === "form" && offered && (
        <ActionForm
          {...{ shop, settings, reservation, offered }}
          onAsk={(next) => void ask({ move: "change", ...next })}
        />
      )}
      {stage !== "form" && <ActionProblem shop={shop} at="quote" />}
      <ActionProblem shop={shop} at="move" />
      {stage === "quoted" && (
        <button type="button" class={isCancelling ? "other" : "main"} data-confirm onClick={() => void make()}>
          {isCancelling ? texts.confirmCancel : texts.confirmChange}
        </button>
      )}
      {stage !== "offered" && (
        <button type="button" class={isCancelling ? "main" : "other"} data-leave onClick={leave}>
          {texts.keepIt}
        </button>
      )}
    </section>
  );
}

type OwnChangeStage = "offered" | "form" | "asked" | "quoted";

function getStage(
  requestedChange: OwnBookingActionRequest | undefined,
  quote: OwnActionQuote | undefined,
  offered: unknown,
): OwnChangeStage {
  if (requestedChange && quote) return "quoted";
  if (offered) return "form";
  return requestedChange ? "asked" : "offered";
}

// Focuses the section, because each stage removes the button that led to it. Its status describes the stage.
function useStageFocus(stage: OwnChangeStage) {
  const section = useRef<HTMLElement>(null);
  const before = useRef(stage);
  useLayoutEffect(() => {
    if (before.current !== stage) section.current?.focus();
    before.current = stage;
  }, [stage]);
  return section;
}

interface QuoteResultProps {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly requestedChange: OwnBookingActionRequest | undefined;
  readonly quote: OwnActionQuote | undefined;
  readonly isChanged: boolean;
}

// Request, price and result of a change. The status element exists before its content, so that it's
// announced.
function QuoteResult({ texts, settings, requestedChange, quote, isChanged }: QuoteResultProps) {
  return (
    <>
      {quote && requestedChange?.move === "cancel" && <p role="alert">{texts.sure}</p>}
      <div role="status">
        {isChanged && <p class="busy">{texts.changed}</p>}
        {quote && requestedChange && <Quoted {...{ texts, settings, requestedChange, quote }} />}
      </div>
    </>
  );
}

interface ActionFormProps extends Props {
  readonly offered: readonly OwnExtra[];
  readonly onAsk: (change: OwnReservationChange) => void;
}

function ActionForm({ shop, settings, reservation: { period, ride }, offered, onAsk }: ActionFormProps) {
  return (
    <>
      {period && <OwnRentalChangeForm {...{ shop, settings, period, offered, onAsk }} />}
      {ride && <OwnTransferChangeForm {...{ shop, settings, onAsk }} agreed={ride} />}
    </>
  );
}

interface OfferedProps {
  readonly texts: Texts;
  readonly change: string;
  readonly reservation: Reservation;
  readonly onChange: () => void;
  readonly onCancel: () => void;
}

function Offered({ texts, change, reservation: { period, ride }, onChange, onCancel }: OfferedProps) {
  return (
    <>
      {(period ?? ride) && (
        <button type="button" class="other" data-move="change" onClick={onChange}>
          {change}
        </button>
      )}
      <button type="button" class="other" data-move="cancel" onClick={onCancel}>
        {texts.cancelIt}
      </button>
    </>
  );
}

interface QuotedProps {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly requestedChange: OwnBookingActionRequest;
  readonly quote: OwnActionQuote;
}

function Quoted({ texts, settings, requestedChange, quote }: QuotedProps) {
  const lines =
    requestedChange.move === "change"
      ? [
          [texts.difference, quote.difference],
          [texts.newTotal, quote.new_total_cost],
        ]
      : [
          [texts.fee, quote.fee],
          [texts.refund, quote.to_refund],
        ];
  return (
    <dl data-quote>
      {lines.flatMap(([name, amount = "0"]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} amount`}>{formatAmount(amount, settings)}</dd>,
      ])}
    </dl>
  );
}
