import { getBalanceLabelAndAmount, getSecurityDepositDue } from "./balance.ts";
import { ContractCard } from "./contract.tsx";
import { Downloads } from "./downloads.tsx";
import { formatAmount } from "./format.ts";
import { Heading } from "./heading.tsx";
import type { Reservation, Settings } from "./model.ts";
import { OwnReservationActions } from "./own-reservation-actions.tsx";
import { PayButton, usePaymentChoice } from "./payment-buttons.tsx";
import { BookingPriceSummary } from "./price-summary.tsx";
import { fillPlaceholders, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly reservation: Reservation;
}

/** Reservation with paid amount and payment buttons. */
export function ReservationStep({ shop, settings, reservation }: Props) {
  const { texts } = shop;
  const { trip, selling } = reservation;
  const isPaidBack = reservation.paymentStatus === "refunded";
  const isUnpaid = shop.remembered.paying === reservation.id && Number(reservation.paid) === 0 && !isPaidBack;
  const [owing, owed] = getBalanceLabelAndAmount(reservation.pending, texts);
  const payment = usePaymentChoice(selling, {
    ...{ prepayment: trip.prepayment, pending: reservation.pending, canPayLater: false },
  });
  const isExpired = reservation.reason === "expired";
  const canPay = selling.parts.length > 0 && selling.methods.length > 0;
  return (
    <div class="columns booked">
      <section class="card" data-status={reservation.status} data-payment={reservation.paymentStatus}>
        <p class="quiet">{fillPlaceholders(texts.reservation, { n: reservation.number })}</p>
        <Heading key={reservation.status}>
          {fillPlaceholders(getReservationTitle(reservation, isUnpaid, texts), { name: reservation.customer })}
        </Heading>
        {isUnpaid && canPay && (
          <p class="problem" role="alert">
            {texts.unpaidHint}
          </p>
        )}
        <MailAddress texts={texts} reservation={reservation} />
        {isPaidBack && <p data-paid-back>{texts.paidBack}</p>}
        {reservation.reason && (
          <p data-reason={reservation.reason}>
            {reservation.reason === "expired" ? texts.holdEnded : texts.paidTooLate}
          </p>
        )}
        {trip.photo && <img src={new URL(trip.photo, shop.client.origin).href} alt="" width="360" height="240" />}
        <dl>
          <dt>{texts.paid}</dt>
          <dd data-paid>{formatAmount(reservation.paid, settings)}</dd>
          {!reservation.reason && (
            <>
              <dt>{owing}</dt>
              <dd data-owing>{formatAmount(owed, settings)}</dd>
            </>
          )}
        </dl>
        {canPay && (
          <PayButton
            texts={texts}
            settings={settings}
            payment={payment}
            isBooked={true}
            onPay={({ part, method }) => shop.payFor(reservation.id, { part, method })}
          />
        )}
        <button
          type="button"
          class={isExpired ? "main" : "link"}
          data-again
          onClick={() => shop.go({ step: "search", search: {} })}
        >
          {texts.again}
        </button>
      </section>
      <BookingPriceSummary
        {...{ shop, settings }}
        trip={{ ...trip, securityDeposit: getSecurityDepositDue(reservation) }}
      />
      <div class="rest">
        <Downloads shop={shop} reservation={reservation} />
        {/* Without a vehicle it needs no data, and an expired one has no other action than a new one. */}
        {reservation.contract && !reservation.reason && (
          <ContractCard {...{ shop, settings, reservation }} contract={reservation.contract} />
        )}
        {!isExpired && <OwnReservationActions key={reservation.status} {...{ shop, settings, reservation }} />}
      </div>
    </div>
  );
}

/** Returns the title of a reservation, with the placeholder `{name}`. `isUnpaid`: payment started, not finished. */
export function getReservationTitle(
  { status, reason }: Pick<Reservation, "status" | "reason">,
  isUnpaid: boolean,
  texts: Texts,
): string {
  const titles: Readonly<Record<string, string | undefined>> = texts;
  if (titles[status]) return titles[status];
  if (reason) return reason === "expired" ? texts.heldNoMore : texts.paidLate;
  return isUnpaid ? texts.unpaid : texts.received;
}

// Address of the reservation's mails, so that a mistyped or unconfirmed one is noticed.
function MailAddress({ texts, reservation }: { readonly texts: Texts; readonly reservation: Reservation }) {
  const { email, isEmailUnconfirmed } = reservation;
  const isAwaited = ["confirmed", "pending_confirmation"].includes(reservation.status) && !reservation.reason;
  const text = reservation.status === "confirmed" ? texts.sentTo : texts.confirmedTo;
  return isAwaited && email ? (
    <p data-sent-to>{fillPlaceholders(isEmailUnconfirmed ? texts.confirmEmail : text, { email })}</p>
  ) : null;
}
