import { useState } from "preact/hooks";
import type { Booking } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { isOnline } from "../../state/outbox.ts";
import {
  type ActionQuote,
  applyBookingAction,
  type BookingAction,
  getReturnAction,
  type NewReturn,
  type OfficeCallResult,
  quoteBookingAction,
} from "../../state/reservation-actions.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { ErrorNotice, getErrorText, QuoteCosts, QuoteWarnings } from "./action-quote.tsx";

/** Changes to a booking: another return date or a no-show. Shows the price first. Needs the network. */
export default function ReturnChangeOrNoShow({
  booking,
  isNoShowDue,
}: {
  readonly booking: Booking;
  readonly isNoShowDue: boolean;
}) {
  const [to, setTo] = useState<NewReturn>({ date_to: booking.date_to, time_to: booking.time_to });
  const isOut = booking.resources.some(({ state }) => state === "out");
  const isOther = to.date_to !== booking.date_to || to.time_to !== booking.time_to;
  const set = (changes: Partial<NewReturn>) => setTo({ ...to, ...changes });
  return (
    <section class="card">
      <h2>{t("changes")}</h2>
      {!isOnline.value && <p class="soft">{t("changesOffline")}</p>}
      {isOut && (
        <>
          <div class="row">
            <DateField label={t("newReturn")} value={to.date_to} onChange={(date_to) => set({ date_to })} />
            <Field label={t("newReturnTime")}>
              <input
                type="time"
                value={to.time_to}
                onInput={({ currentTarget }) => set({ time_to: currentTarget.value })}
              />
            </Field>
          </div>
          {isOther && (
            <Quoted
              key={`${to.date_to} ${to.time_to}`}
              booking={booking}
              action={getReturnAction(booking, to)}
              to={to}
            />
          )}
        </>
      )}
      {isNoShowDue && <Quoted booking={booking} action="no-show" to={undefined} />}
    </section>
  );
}

interface QuotedProps {
  readonly booking: Booking;
  readonly action: BookingAction;
  readonly to: NewReturn | undefined;
}

function Quoted({ booking, action, to }: QuotedProps) {
  const [quote, setQuote] = useState<OfficeCallResult<ActionQuote> | undefined>(undefined);
  const [done, setDone] = useState<OfficeCallResult<unknown> | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const ask = async () => {
    setIsBusy(true);
    setQuote(await quoteBookingAction(booking, action, to));
    setIsBusy(false);
  };
  const make = async () => {
    setIsBusy(true);
    setDone(await applyBookingAction(booking, action, to));
    setIsBusy(false);
  };
  if (done?.kind === "ok") {
    return (
      <p class="note" role="status">
        <Icon name="check" />
        {t("changeDone")}
      </p>
    );
  }
  return (
    <>
      <ErrorNotice text={getErrorText(done) ?? getErrorText(quote)} />
      {quote?.kind === "ok" && <QuoteWarnings quote={quote.value} />}
      {quote?.kind === "ok" && <QuoteCosts quote={quote.value} />}
      {quote?.kind === "ok" && quote.value.allowed ? (
        <button type="button" class="other" disabled={isBusy} onClick={() => void make()}>
          {t(`action_${action}`)}
        </button>
      ) : (
        <button type="button" class="other" disabled={isBusy || !isOnline.value} onClick={() => void ask()}>
          {t("askPrice", { what: t(`action_${action}`) })}
        </button>
      )}
    </>
  );
}
