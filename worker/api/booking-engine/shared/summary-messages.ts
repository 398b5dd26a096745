import { z } from "zod";
import type { Booking, Reservation } from "#domain/bookings/bookings.ts";
import { fields, type Visitor } from "./messages.ts";

const SUMMARIES: Readonly<Record<string, Readonly<Record<Booking["status"], string>>>> = {
  en: {
    pending_confirmation: "your request has been received",
    confirmed: "your reservation is confirmed",
    in_progress: "your rental has begun",
    done: "thank you for your visit",
    cancelled: "your reservation is cancelled",
  },
  es: {
    pending_confirmation: "hemos recibido su solicitud",
    confirmed: "su reserva está confirmada",
    in_progress: "su alquiler ha comenzado",
    done: "gracias por su visita",
    cancelled: "su reserva está cancelada",
  },
  ca: {
    pending_confirmation: "hem rebut la vostra sol·licitud",
    confirmed: "la vostra reserva està confirmada",
    in_progress: "el vostre lloguer ha començat",
    done: "gràcies per la vostra visita",
    cancelled: "la vostra reserva està cancel·lada",
  },
  de: {
    pending_confirmation: "Ihre Anfrage ist eingegangen",
    confirmed: "Ihre Buchung ist bestätigt",
    in_progress: "Ihre Miete hat begonnen",
    done: "vielen Dank für Ihren Besuch",
    cancelled: "Ihre Buchung ist storniert",
  },
};

/** The state of a reservation, for who reads it. */
export const summaryFields = fields(z.string(), "summary_status", "summary_message_ok");

/** The state of a reservation in a sentence, shown as HTML by websites: the name is the customer's own text. */
export function fromSummary({ customer, status }: Pick<Reservation, "customer" | "status">, visitor: Visitor) {
  const name = `${customer.name} ${customer.surname}`
    .trim()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const sentence = (SUMMARIES[visitor.language] ?? SUMMARIES["en"])?.[status] ?? status;
  return { summary_status: `${name}, ${sentence}`, summary_message_ok: "" };
}
