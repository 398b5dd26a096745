import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatLinkMail, type LinkMail, type LinkMailTexts } from "./format-link-mail.ts";
import type { WrittenMail } from "./written-mail.ts";

interface ReservationLinkMail extends LinkMail {
  readonly person: string;
  readonly reservation: number;
}

type Writer = (mail: ReservationLinkMail) => LinkMailTexts;

const WRITERS = {
  es: ({ company, person, reservation }) => ({
    subject: `${company}: su reserva ${reservation}`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `Este es el enlace a su reserva ${reservation} en ${company}.`,
    action: "Ver la reserva",
    ignore: "Si no lo ha pedido usted, no tiene que hacer nada.",
  }),
  ca: ({ company, person, reservation }) => ({
    subject: `${company}: la vostra reserva ${reservation}`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `Aquest és l'enllaç a la vostra reserva ${reservation} a ${company}.`,
    action: "Mostra la reserva",
    ignore: "Si no l'heu demanat vós, no cal que feu res.",
  }),
  en: ({ company, person, reservation }) => ({
    subject: `${company}: your reservation ${reservation}`,
    greeting: person ? `Hello ${person},` : "Hello,",
    request: `Here is the link to your reservation ${reservation} at ${company}.`,
    action: "View reservation",
    ignore: "If you didn't ask for it, ignore this email.",
  }),
  de: ({ company, person, reservation }) => ({
    subject: `${company}: Ihre Reservierung ${reservation}`,
    greeting: person ? `Guten Tag ${person},` : "Guten Tag,",
    request: `hier ist der Link zu Ihrer Reservierung ${reservation} bei ${company}.`,
    action: "Reservierung ansehen",
    ignore: "Haben Sie ihn nicht angefordert, brauchen Sie nichts zu tun.",
  }),
  fr: ({ company, person, reservation }) => ({
    subject: `${company}\u00a0: votre réservation ${reservation}`,
    greeting: person ? `Bonjour ${person},` : "Bonjour,",
    request: `Voici le lien vers votre réservation ${reservation} chez ${company}.`,
    action: "Voir la réservation",
    ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail.",
  }),
  it: ({ company, person, reservation }) => ({
    subject: `${company}: la Sua prenotazione ${reservation}`,
    greeting: person ? `Buongiorno ${person},` : "Buongiorno,",
    request: `Ecco il link alla Sua prenotazione ${reservation} presso ${company}.`,
    action: "Vedi la prenotazione",
    ignore: "Se non l'ha richiesto Lei, ignori questa e-mail.",
  }),
  pt: ({ company, person, reservation }) => ({
    subject: `${company}: a sua reserva ${reservation}`,
    greeting: person ? `Olá, ${person},` : "Olá,",
    request: `Este é o link para a sua reserva ${reservation} na ${company}.`,
    action: "Ver a reserva",
    ignore: "Se não o pediu, ignore este e-mail.",
  }),
  nl: ({ company, person, reservation }) => ({
    subject: `${company}: uw reservering ${reservation}`,
    greeting: person ? `Beste ${person},` : "Goedendag,",
    request: `Hier is de link naar uw reservering ${reservation} bij ${company}.`,
    action: "Reservering bekijken",
    ignore: "Hebt u er niet om gevraagd, dan hoeft u niets te doen.",
  }),
} as const satisfies Record<PlatformLanguage, Writer>;

/** Writes the mail with the link to a reservation that its customer asked for. */
export function writeReservationLinkMail(mail: ReservationLinkMail, language: PlatformLanguage): WrittenMail {
  return formatLinkMail(WRITERS[language](mail), mail, language);
}
