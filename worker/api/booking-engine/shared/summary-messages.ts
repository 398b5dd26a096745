import { z } from "zod";
import { isHoldExpired, type RentalBooking, type ReservationBase } from "#domain/bookings/bookings.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { needsDecisionOnLatePayment } from "#domain/payments/payments.ts";
import { createSchemaFields, type Visitor } from "./messages.ts";

/** Reason for an unexpected status of a reservation. */
type Reason = (typeof REASONS)[number];
const REASONS = ["expired", "paid_too_late"] as const;

type Summaries = Readonly<Record<RentalBooking["status"] | Reason | "held_no_more", string>>;
const SUMMARIES: Readonly<Record<string, Summaries>> = {
  en: {
    pending_confirmation: "your request has been received",
    confirmed: "your reservation is confirmed",
    in_progress: "your rental has started",
    done: "thank you for your visit",
    cancelled: "your reservation is cancelled",
    expired: "your reservation is cancelled because it wasn't paid or confirmed in time",
    held_no_more: "your reservation has expired because it wasn't paid or confirmed in time",
    paid_too_late:
      "your payment arrived too late to confirm your reservation: we'll check it and contact you; please don't pay again",
  },
  es: {
    pending_confirmation: "hemos recibido su solicitud",
    confirmed: "su reserva está confirmada",
    in_progress: "su alquiler ha comenzado",
    done: "gracias por su visita",
    cancelled: "su reserva está cancelada",
    expired: "su reserva está cancelada porque no se pagó ni se confirmó a tiempo",
    held_no_more: "su reserva ha caducado porque no se pagó ni se confirmó a tiempo",
    paid_too_late:
      "su pago ha llegado tarde para confirmar su reserva: lo revisaremos y nos pondremos en contacto; no pague otra vez",
  },
  ca: {
    pending_confirmation: "hem rebut la vostra sol·licitud",
    confirmed: "la vostra reserva està confirmada",
    in_progress: "el vostre lloguer ha començat",
    done: "gràcies per la vostra visita",
    cancelled: "la vostra reserva està cancel·lada",
    expired: "la vostra reserva està cancel·lada perquè no es va pagar ni confirmar a temps",
    held_no_more: "la vostra reserva ha caducat perquè no es va pagar ni confirmar a temps",
    paid_too_late:
      "el vostre pagament ha arribat tard per confirmar la vostra reserva: el revisarem i us contactarem; no torneu a pagar",
  },
  de: {
    pending_confirmation: "Ihre Anfrage ist eingegangen",
    confirmed: "Ihre Reservierung ist bestätigt",
    in_progress: "Ihre Miete hat begonnen",
    done: "vielen Dank für Ihren Besuch",
    cancelled: "Ihre Reservierung ist storniert",
    expired: "Ihre Reservierung ist storniert, weil sie nicht rechtzeitig bezahlt oder bestätigt wurde",
    held_no_more: "Ihre Reservierung ist abgelaufen, weil sie nicht rechtzeitig bezahlt oder bestätigt wurde",
    paid_too_late:
      "Ihre Zahlung kam zu spät, um Ihre Reservierung zu bestätigen: Wir prüfen sie und melden uns; bitte zahlen Sie nicht noch einmal",
  },
  fr: {
    pending_confirmation: "nous avons bien reçu votre demande",
    confirmed: "votre réservation est confirmée",
    in_progress: "votre location a commencé",
    done: "merci de votre visite",
    cancelled: "votre réservation est annulée",
    expired: "votre réservation est annulée, faute de paiement ou de confirmation à temps",
    held_no_more: "votre réservation a expiré, faute de paiement ou de confirmation à temps",
    paid_too_late:
      "votre paiement est arrivé trop tard pour confirmer votre réservation\u00a0: nous vérifions et vous contacterons\u00a0; ne payez pas une seconde fois",
  },
  it: {
    pending_confirmation: "abbiamo ricevuto la Sua richiesta",
    confirmed: "la Sua prenotazione è confermata",
    in_progress: "il Suo noleggio è iniziato",
    done: "grazie della visita",
    cancelled: "la Sua prenotazione è annullata",
    expired: "la Sua prenotazione è annullata perché non è stata pagata o confermata in tempo",
    held_no_more: "la Sua prenotazione è scaduta perché non è stata pagata o confermata in tempo",
    paid_too_late:
      "il Suo pagamento è arrivato troppo tardi per confermare la prenotazione: lo verificheremo e La contatteremo; non paghi di nuovo",
  },
  pt: {
    pending_confirmation: "recebemos o seu pedido",
    confirmed: "a sua reserva está confirmada",
    in_progress: "o seu aluguer começou",
    done: "obrigado pela sua visita",
    cancelled: "a sua reserva foi cancelada",
    expired: "a sua reserva foi cancelada por não ter sido paga ou confirmada a tempo",
    held_no_more: "a sua reserva expirou por não ter sido paga ou confirmada a tempo",
    paid_too_late:
      "o seu pagamento chegou tarde para confirmar a sua reserva: vamos verificá-lo e contactá-lo; não pague de novo",
  },
  nl: {
    pending_confirmation: "wij hebben uw aanvraag ontvangen",
    confirmed: "uw reservering is bevestigd",
    in_progress: "uw huur is begonnen",
    done: "bedankt voor uw bezoek",
    cancelled: "uw reservering is geannuleerd",
    expired: "uw reservering is geannuleerd omdat ze niet op tijd is betaald of bevestigd",
    held_no_more: "uw reservering is verlopen omdat ze niet op tijd is betaald of bevestigd",
    paid_too_late:
      "uw betaling kwam te laat om uw reservering te bevestigen: wij controleren dit en nemen contact op; betaal niet opnieuw",
  },
} satisfies Record<PlatformLanguage, Summaries>;

/** Fields with the status of a reservation as a sentence for the customer. */
export const summaryFields = {
  ...createSchemaFields(z.string(), "summary_status", "summary_message_ok"),
  status_reason: z.enum(REASONS).nullable(),
  email_unconfirmed: z.boolean().meta({
    description: "Addition: whether the customer gets no mails until the account's address is confirmed",
  }),
};

type Summarized = Pick<
  ReservationBase,
  | "customer"
  | "status"
  | "paidAfterExpiry"
  | "isExpired"
  | "isEmailUnconfirmed"
  | "expiresAt"
  | "totalPaidCents"
  | "pendingCents"
>;

/**
 * Returns the status sentence of a reservation, which websites show as HTML. The name is text typed by the customer.
 */
export function toStatusSummaryMessage(reservation: Summarized, visitor: Visitor, now: number) {
  const { customer, status } = reservation;
  const reason = findReason(reservation, now);
  const name = `${customer.name} ${customer.surname}`
    .trim()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const sentence = (SUMMARIES[visitor.language] ?? SUMMARIES["en"])?.[getStatusText(status, reason)] ?? status;
  return {
    summary_status: `${name}, ${sentence}`,
    summary_message_ok: "",
    status_reason: reason,
    email_unconfirmed: reservation.isEmailUnconfirmed === true,
  };
}

const getStatusText = (status: RentalBooking["status"], reason: Reason | null) =>
  reason === "expired" && status !== "cancelled" ? "held_no_more" : (reason ?? status);

function findReason(reservation: Summarized, now: number): Reason | null {
  const { status, paidAfterExpiry, isExpired, totalPaidCents, pendingCents } = reservation;
  const isRefundDue = status === "cancelled" && pendingCents < 0;
  if (needsDecisionOnLatePayment({ status, paidAfterExpiry, isOwedBack: isRefundDue })) return "paid_too_late";
  // An unpaid reservation counts as expired as soon as its hold ends, even before the cron job cancels it.
  return isExpired || (isHoldExpired(reservation, now) && totalPaidCents <= 0) ? "expired" : null;
}
