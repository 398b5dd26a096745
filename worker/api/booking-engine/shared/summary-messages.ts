import { z } from "zod";
import { type Booking, isHoldExpired, type Reservation } from "#domain/bookings/bookings.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { needsDecision } from "#domain/payments/payments.ts";
import { fields, type Visitor } from "./messages.ts";

/** Reason for an unexpected status of a reservation. */
type Reason = (typeof REASONS)[number];
const REASONS = ["expired", "paid_too_late"] as const;

type Summaries = Readonly<Record<Booking["status"] | Reason | "held_no_more", string>>;
const SUMMARIES: Readonly<Record<string, Summaries>> = {
  en: {
    pending_confirmation: "your request has been received",
    confirmed: "your reservation is confirmed",
    in_progress: "your rental has begun",
    done: "thank you for your visit",
    cancelled: "your reservation is cancelled",
    expired:
      "your reservation is cancelled: the time for which we held it is over, and it was neither paid nor confirmed by then",
    held_no_more: "the time for which we held your reservation is over, and it was neither paid nor confirmed by then",
    paid_too_late:
      "your payment came when it could no longer confirm your reservation: we are looking at it and will be in touch; please do not pay again",
  },
  es: {
    pending_confirmation: "hemos recibido su solicitud",
    confirmed: "su reserva está confirmada",
    in_progress: "su alquiler ha comenzado",
    done: "gracias por su visita",
    cancelled: "su reserva está cancelada",
    expired:
      "su reserva está cancelada: ha terminado el plazo durante el que la manteníamos sin que se pagara o se confirmara",
    held_no_more: "ha terminado el plazo durante el que manteníamos su reserva sin que se pagara o se confirmara",
    paid_too_late:
      "su pago ha llegado cuando ya no podía confirmar su reserva: lo estamos revisando y nos pondremos en contacto; por favor, no pague otra vez",
  },
  ca: {
    pending_confirmation: "hem rebut la vostra sol·licitud",
    confirmed: "la vostra reserva està confirmada",
    in_progress: "el vostre lloguer ha començat",
    done: "gràcies per la vostra visita",
    cancelled: "la vostra reserva està cancel·lada",
    expired:
      "la vostra reserva està cancel·lada: s'ha acabat el termini durant el qual la manteníem sense que es pagués o es confirmés",
    held_no_more:
      "s'ha acabat el termini durant el qual manteníem la vostra reserva sense que es pagués o es confirmés",
    paid_too_late:
      "el vostre pagament ha arribat quan ja no podia confirmar la vostra reserva: l'estem revisant i ens posarem en contacte; si us plau, no torneu a pagar",
  },
  de: {
    pending_confirmation: "Ihre Anfrage ist eingegangen",
    confirmed: "Ihre Buchung ist bestätigt",
    in_progress: "Ihre Miete hat begonnen",
    done: "vielen Dank für Ihren Besuch",
    cancelled: "Ihre Buchung ist storniert",
    expired:
      "Ihre Buchung ist storniert: Die Zeit, für die wir sie gehalten haben, ist um, und bis dahin wurde sie weder bezahlt noch bestätigt",
    held_no_more:
      "die Zeit, für die wir Ihre Buchung gehalten haben, ist um, und bis dahin wurde sie weder bezahlt noch bestätigt",
    paid_too_late:
      "Ihre Zahlung kam, als sie Ihre Buchung nicht mehr bestätigen konnte: Wir prüfen sie und melden uns; bitte zahlen Sie nicht noch einmal",
  },
  fr: {
    pending_confirmation: "nous avons bien reçu votre demande",
    confirmed: "votre réservation est confirmée",
    in_progress: "votre location a commencé",
    done: "merci de votre visite",
    cancelled: "votre réservation est annulée",
    expired:
      "votre réservation est annulée\u00a0: le délai pendant lequel nous la gardions a pris fin sans paiement ni confirmation",
    held_no_more: "le délai pendant lequel nous gardions votre réservation a pris fin sans paiement ni confirmation",
    paid_too_late:
      "votre paiement est arrivé trop tard pour confirmer votre réservation\u00a0: nous vérifions et vous contacterons\u00a0; ne payez pas une seconde fois",
  },
  it: {
    pending_confirmation: "abbiamo ricevuto la Sua richiesta",
    confirmed: "la Sua prenotazione è confermata",
    in_progress: "il Suo noleggio è iniziato",
    done: "grazie della visita",
    cancelled: "la Sua prenotazione è annullata",
    expired:
      "la Sua prenotazione è annullata: il termine entro il quale la tenevamo riservata è trascorso senza pagamento né conferma",
    held_no_more:
      "il termine entro il quale tenevamo riservata la Sua prenotazione è trascorso senza pagamento né conferma",
    paid_too_late:
      "il Suo pagamento è arrivato quando non poteva più confermare la prenotazione: lo stiamo verificando e La contatteremo; non paghi di nuovo",
  },
  pt: {
    pending_confirmation: "recebemos o seu pedido",
    confirmed: "a sua reserva está confirmada",
    in_progress: "o seu aluguer começou",
    done: "obrigado pela sua visita",
    cancelled: "a sua reserva foi cancelada",
    expired: "a sua reserva foi cancelada: o prazo durante o qual a mantínhamos terminou sem pagamento nem confirmação",
    held_no_more: "o prazo durante o qual mantínhamos a sua reserva terminou sem pagamento nem confirmação",
    paid_too_late:
      "o seu pagamento chegou quando já não podia confirmar a sua reserva: estamos a verificar e iremos contactá-lo; não pague de novo",
  },
  nl: {
    pending_confirmation: "wij hebben uw aanvraag ontvangen",
    confirmed: "uw reservering is bevestigd",
    in_progress: "uw huur is begonnen",
    done: "bedankt voor uw bezoek",
    cancelled: "uw reservering is geannuleerd",
    expired:
      "uw reservering is geannuleerd: de termijn waarin wij deze vasthielden is verstreken zonder betaling of bevestiging",
    held_no_more: "de termijn waarin wij uw reservering vasthielden is verstreken zonder betaling of bevestiging",
    paid_too_late:
      "uw betaling kwam te laat om uw reservering te bevestigen: wij controleren dit en nemen contact op; betaal niet opnieuw",
  },
} satisfies Record<PlatformLanguage, Summaries>;

/** Reservation status for the reader. */
export const summaryFields = {
  ...fields(z.string(), "summary_status", "summary_message_ok"),
  status_reason: z.enum(REASONS).nullable(),
};

type Summarized = Pick<
  Reservation,
  "customer" | "status" | "paidAfterExpiry" | "isExpired" | "expiresAt" | "totalPaidCents" | "pendingCents"
>;

/**
 * Returns the status sentence of a reservation, which websites show as HTML. The name is text typed by the customer.
 */
export function fromSummary(reservation: Summarized, visitor: Visitor, now: number) {
  const { customer, status } = reservation;
  const reason = findReason(reservation, now);
  const name = `${customer.name} ${customer.surname}`
    .trim()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const sentence = (SUMMARIES[visitor.language] ?? SUMMARIES["en"])?.[getStatusText(status, reason)] ?? status;
  return { summary_status: `${name}, ${sentence}`, summary_message_ok: "", status_reason: reason };
}

const getStatusText = (status: Booking["status"], reason: Reason | null) =>
  reason === "expired" && status !== "cancelled" ? "held_no_more" : (reason ?? status);

function findReason(reservation: Summarized, now: number): Reason | null {
  const { status, paidAfterExpiry, isExpired, totalPaidCents, pendingCents } = reservation;
  const isRefundDue = status === "cancelled" && pendingCents < 0;
  if (needsDecision({ status, paidAfterExpiry, isOwedBack: isRefundDue })) return "paid_too_late";
  // An expired hold counts as expired, even before cron has cancelled it.
  return isExpired || (isHoldExpired(reservation, now) && totalPaidCents <= 0) ? "expired" : null;
}
