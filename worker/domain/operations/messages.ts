import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getMailState, type MailState } from "./correspondence.ts";

export const MESSAGE_STATUSES = ["queued", "sent", "failed"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

// Mails from before the state was stored can be sent again.
const STATUSES: Readonly<Record<MailState, MessageStatus>> = {
  sent: "sent",
  waiting: "queued",
  given_up: "failed",
  unknown: "failed",
};

/** Returns the status of a mail to a customer. Times in epoch ms. */
export function getMessageStatus(mail: Parameters<typeof getMailState>[0], now: number): MessageStatus {
  return STATUSES[getMailState(mail, now)];
}

// Statuses of a reservation for which a mail is still true. Other kinds report what happened.
const TRUE_FOR: Readonly<Partial<Record<string, readonly BookingStatus[]>>> = {
  request_received: ["pending_confirmation"],
  hold_ending: ["pending_confirmation"],
  reminder: ["confirmed"],
  confirmed: ["confirmed", "in_progress", "done"],
  cancelled: ["cancelled"],
};

/** Whether a mail of this kind is still true for a reservation's status. */
export function isMessageCurrent(kind: string, status: BookingStatus): boolean {
  return TRUE_FOR[kind]?.includes(status) ?? true;
}

export const MESSAGE_TEMPLATES = ["pickup_details", "missing_documents", "thank_you"] as const;
export type MessageTemplate = (typeof MESSAGE_TEMPLATES)[number];

/** Subject and text of a message, with or without placeholders. */
export interface MessageText {
  readonly subject: string;
  readonly text: string;
}

/** Values of the placeholders, in the customer's language. */
export interface MessageFacts {
  readonly name: string;
  readonly number: string;
  readonly company: string;
  readonly vehicle: string;
  readonly pickup: string;
  readonly return: string;
}

const TEMPLATES: Readonly<Record<PlatformLanguage, Readonly<Record<MessageTemplate, MessageText>>>> = {
  en: {
    pickup_details: {
      subject: "Your pickup, reservation {number}",
      text: "Hello {name},\n\nyour vehicle is ready for you: {vehicle}.\n\nPickup: {pickup}\nReturn: {return}\n\nPlease bring your driving licence, your identity document and a card in your name.",
    },
    missing_documents: {
      subject: "Documents for reservation {number}",
      text: "Hello {name},\n\nfor your reservation {number} we still need your identity document and your driving licence. Please send us photos of both before the pickup.\n\nPickup: {pickup}",
    },
    thank_you: {
      subject: "Thank you for renting with {company}",
      text: "Hello {name},\n\nthank you for renting with us. We hope you had a good trip and look forward to seeing you again.",
    },
  },
  es: {
    pickup_details: {
      subject: "Su recogida, reserva {number}",
      text: "Hola, {name}:\n\nsu vehículo está preparado: {vehicle}.\n\nRecogida: {pickup}\nDevolución: {return}\n\nTraiga su permiso de conducir, su documento de identidad y una tarjeta a su nombre.",
    },
    missing_documents: {
      subject: "Documentos de la reserva {number}",
      text: "Hola, {name}:\n\npara su reserva {number} todavía necesitamos su documento de identidad y su permiso de conducir. Envíenos fotos de ambos antes de la recogida.\n\nRecogida: {pickup}",
    },
    thank_you: {
      subject: "Gracias por alquilar con {company}",
      text: "Hola, {name}:\n\ngracias por alquilar con nosotros. Esperamos que haya tenido un buen viaje y que nos visite de nuevo.",
    },
  },
  ca: {
    pickup_details: {
      subject: "La vostra recollida, reserva {number}",
      text: "Hola, {name}:\n\nel vostre vehicle està preparat: {vehicle}.\n\nRecollida: {pickup}\nDevolució: {return}\n\nPorteu el permís de conduir, el document d'identitat i una targeta al vostre nom.",
    },
    missing_documents: {
      subject: "Documents de la reserva {number}",
      text: "Hola, {name}:\n\nper a la vostra reserva {number} encara necessitem el document d'identitat i el permís de conduir. Envieu-nos fotos de tots dos abans de la recollida.\n\nRecollida: {pickup}",
    },
    thank_you: {
      subject: "Gràcies per llogar amb {company}",
      text: "Hola, {name}:\n\ngràcies per llogar amb nosaltres. Esperem que hàgiu tingut un bon viatge i que torneu aviat.",
    },
  },
  de: {
    pickup_details: {
      subject: "Ihre Abholung, Reservierung {number}",
      text: "Guten Tag {name},\n\nIhr Fahrzeug steht bereit: {vehicle}.\n\nAbholung: {pickup}\nRückgabe: {return}\n\nBitte bringen Sie Führerschein, Ausweis und eine Karte auf Ihren Namen mit.",
    },
    missing_documents: {
      subject: "Unterlagen für Reservierung {number}",
      text: "Guten Tag {name},\n\nfür Ihre Reservierung {number} fehlen uns noch Ihr Ausweis und Ihr Führerschein. Bitte senden Sie uns vor der Abholung Fotos von beiden.\n\nAbholung: {pickup}",
    },
    thank_you: {
      subject: "Danke, dass Sie bei {company} gemietet haben",
      text: "Guten Tag {name},\n\nvielen Dank für Ihre Miete. Wir hoffen, Sie hatten eine gute Reise, und freuen uns auf Ihren nächsten Besuch.",
    },
  },
};

/** Returns a template in a language, with its placeholders. */
export function getMessageTemplate(template: MessageTemplate, language: PlatformLanguage): MessageText {
  return TEMPLATES[language][template];
}

/** Fills the placeholders of a text. An empty value also removes the comma and the space before it. */
export function fillPlaceholders(text: string, facts: MessageFacts): string {
  const values: Readonly<Partial<Record<string, string>>> = { ...facts };
  return text.replaceAll(/(,? ?)\{([a-z_]+)\}/g, (whole, before: string, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return value === "" ? "" : `${before}${value}`;
  });
}
