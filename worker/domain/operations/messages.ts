import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getMailState, type MailState } from "./correspondence.ts";
import type { CustomerMessageText, MessageTemplate } from "./message-text.ts";
import { TRANSFER_TEMPLATES } from "./transfer-messages.ts";

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

// Reservation statuses for which a mail is still true. Mails not listed report past events, so they stay
// true.
const TRUE_FOR: Readonly<Partial<Record<string, readonly BookingStatus[]>>> = {
  request_received: ["pending_confirmation"],
  hold_ending: ["pending_confirmation"],
  reminder: ["confirmed"],
  confirmed: ["confirmed", "in_progress", "done"],
  cancelled: ["cancelled"],
};

/** Whether a mail of this kind is still true for a reservation's status. */
export function isMailValidForStatus(kind: string, status: BookingStatus): boolean {
  return TRUE_FOR[kind]?.includes(status) ?? true;
}

/** Maximum length of a message to a customer, and of its template. */
export const MAX_MESSAGE_LENGTH = 5000;

/** Values of the placeholders, in the customer's language. */
export interface MessagePlaceholderValues {
  readonly name: string;
  readonly number: string;
  readonly company: string;
  readonly vehicle: string;
  readonly pickup: string;
  readonly return: string;
}

const TEMPLATES: Readonly<Record<PlatformLanguage, Readonly<Record<MessageTemplate, CustomerMessageText>>>> = {
  en: {
    pickup_details: {
      subject: "Your pickup, reservation {number}",
      text: "Hello {name},\n\nHere are the details of your pickup. Your vehicle: {vehicle}.\n\nPickup: {pickup}\nReturn: {return}\n\nPlease bring your driving licence, your identity document and a card in your name.",
    },
    missing_documents: {
      subject: "Documents for reservation {number}",
      text: "Hello {name},\n\nFor your reservation {number} we still need your identity document and your driving licence. Please send us photos of both before the pickup.\n\nPickup: {pickup}",
    },
    thank_you: {
      subject: "Thank you for renting with {company}",
      text: "Hello {name},\n\nThank you for renting with us. We hope you had a good trip and look forward to seeing you again.",
    },
  },
  es: {
    pickup_details: {
      subject: "Su recogida, reserva {number}",
      text: "Hola, {name}:\n\nEstos son los datos de su recogida. Su vehículo: {vehicle}.\n\nRecogida: {pickup}\nDevolución: {return}\n\nTraiga su permiso de conducir, su documento de identidad y una tarjeta a su nombre.",
    },
    missing_documents: {
      subject: "Documentos de la reserva {number}",
      text: "Hola, {name}:\n\nPara su reserva {number} todavía necesitamos su documento de identidad y su permiso de conducir. Envíenos fotos de ambos antes de la recogida.\n\nRecogida: {pickup}",
    },
    thank_you: {
      subject: "Gracias por alquilar con {company}",
      text: "Hola, {name}:\n\nGracias por alquilar con nosotros. Esperamos que haya tenido un buen viaje y que nos visite de nuevo.",
    },
  },
  ca: {
    pickup_details: {
      subject: "La vostra recollida, reserva {number}",
      text: "Hola, {name}:\n\nAquestes són les dades de la recollida. El vostre vehicle: {vehicle}.\n\nRecollida: {pickup}\nDevolució: {return}\n\nPorteu el permís de conduir, el document d'identitat i una targeta al vostre nom.",
    },
    missing_documents: {
      subject: "Documents de la reserva {number}",
      text: "Hola, {name}:\n\nPer a la vostra reserva {number} encara necessitem el document d'identitat i el permís de conduir. Envieu-nos fotos de tots dos abans de la recollida.\n\nRecollida: {pickup}",
    },
    thank_you: {
      subject: "Gràcies per llogar amb {company}",
      text: "Hola, {name}:\n\nGràcies per llogar amb nosaltres. Esperem que hàgiu tingut un bon viatge i que torneu aviat.",
    },
  },
  de: {
    pickup_details: {
      subject: "Ihre Abholung, Reservierung {number}",
      text: "Guten Tag {name},\n\nhier sind die Daten Ihrer Abholung. Ihr Fahrzeug: {vehicle}.\n\nAbholung: {pickup}\nRückgabe: {return}\n\nBitte bringen Sie Führerschein, Ausweis und eine Zahlungskarte auf Ihren Namen mit.",
    },
    missing_documents: {
      subject: "Unterlagen für Reservierung {number}",
      text: "Guten Tag {name},\n\nfür Ihre Reservierung {number} fehlen uns noch Ihr Ausweis und Ihr Führerschein. Bitte senden Sie uns vor der Abholung Fotos von beiden.\n\nAbholung: {pickup}",
    },
    thank_you: {
      subject: "Danke, dass Sie bei {company} gemietet haben",
      text: "Guten Tag {name},\n\nvielen Dank, dass Sie bei uns gemietet haben. Wir hoffen, Sie hatten eine gute Reise, und freuen uns auf Ihren nächsten Besuch.",
    },
  },
  fr: {
    pickup_details: {
      subject: "Votre prise en charge, réservation {number}",
      text: "Bonjour {name},\n\nVoici les détails de votre prise en charge. Votre véhicule\u00a0: {vehicle}.\n\nPrise en charge\u00a0: {pickup}\nRestitution\u00a0: {return}\n\nMerci d'apporter votre permis de conduire, votre pièce d'identité et une carte bancaire à votre nom.",
    },
    missing_documents: {
      subject: "Documents pour la réservation {number}",
      text: "Bonjour {name},\n\nPour votre réservation {number}, il nous manque encore votre pièce d'identité et votre permis de conduire. Veuillez nous envoyer des photos des deux avant la prise en charge.\n\nPrise en charge\u00a0: {pickup}",
    },
    thank_you: {
      subject: "Merci d'avoir loué chez {company}",
      text: "Bonjour {name},\n\nMerci d'avoir loué chez nous. Nous espérons que vous avez fait bon voyage et serons heureux de vous revoir.",
    },
  },
  it: {
    pickup_details: {
      subject: "Il Suo ritiro, prenotazione {number}",
      text: "Buongiorno {name},\n\nEcco i dettagli del Suo ritiro. Il Suo veicolo: {vehicle}.\n\nRitiro: {pickup}\nRiconsegna: {return}\n\nPorti con sé la patente di guida, un documento d'identità e una carta di pagamento a Suo nome.",
    },
    missing_documents: {
      subject: "Documenti per la prenotazione {number}",
      text: "Buongiorno {name},\n\nPer la Sua prenotazione {number} ci mancano ancora il documento d'identità e la patente di guida. Ci invii le foto di entrambi prima del ritiro.\n\nRitiro: {pickup}",
    },
    thank_you: {
      subject: "Grazie per aver noleggiato con {company}",
      text: "Buongiorno {name},\n\nGrazie per aver noleggiato con noi. Speriamo che il viaggio sia andato bene e di rivederLa presto.",
    },
  },
  pt: {
    pickup_details: {
      subject: "O seu levantamento, reserva {number}",
      text: "Olá, {name},\n\nSeguem os detalhes do seu levantamento. A sua viatura: {vehicle}.\n\nLevantamento: {pickup}\nDevolução: {return}\n\nTraga a sua carta de condução, o seu documento de identificação e um cartão de pagamento em seu nome.",
    },
    missing_documents: {
      subject: "Documentos da reserva {number}",
      text: "Olá, {name},\n\nPara a sua reserva {number} ainda precisamos do seu documento de identificação e da sua carta de condução. Envie-nos fotografias de ambos antes do levantamento.\n\nLevantamento: {pickup}",
    },
    thank_you: {
      subject: "Obrigado por alugar com {company}",
      text: "Olá, {name},\n\nObrigado por alugar connosco. Esperamos que tenha feito boa viagem e que nos visite de novo.",
    },
  },
  nl: {
    pickup_details: {
      subject: "Uw voertuig ophalen, reservering {number}",
      text: "Beste {name},\n\nHier zijn de gegevens voor het ophalen. Uw voertuig: {vehicle}.\n\nOphalen: {pickup}\nInleveren: {return}\n\nNeem uw rijbewijs, uw identiteitsbewijs en een betaalkaart op uw naam mee.",
    },
    missing_documents: {
      subject: "Documenten voor reservering {number}",
      text: "Beste {name},\n\nVoor uw reservering {number} hebben wij uw identiteitsbewijs en uw rijbewijs nog nodig. Stuur ons vóór het ophalen foto's van beide.\n\nOphalen: {pickup}",
    },
    thank_you: {
      subject: "Bedankt dat u bij {company} hebt gehuurd",
      text: "Beste {name},\n\nHartelijk dank dat u bij ons hebt gehuurd. Wij hopen dat u een goede reis had en zien u graag terug.",
    },
  },
};

/** Returns a template for rentals or transfers in a language, with its placeholders. */
export function getDefaultMessageTemplate(
  template: MessageTemplate,
  language: PlatformLanguage,
  { isTransfer = false } = {},
): CustomerMessageText {
  return (isTransfer ? TRANSFER_TEMPLATES : TEMPLATES)[language][template];
}

/** Fills the placeholders of a text. An empty value also removes the comma and the space before it. */
export function fillPlaceholders(text: string, facts: MessagePlaceholderValues): string {
  const values: Readonly<Partial<Record<string, string>>> = { ...facts };
  return text.replaceAll(/(,? ?)\{([a-z_]+)\}/g, (match, before: string, name: string) => {
    const value = values[name];
    if (value === undefined) return match;
    return value === "" ? "" : `${before}${value}`;
  });
}
