import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CustomerMessageText, MessageTemplate } from "./message-text.ts";

/** Templates for transfers, which have a driver: passengers bring no driving licence and return no vehicle. */
export const TRANSFER_TEMPLATES: Readonly<
  Record<PlatformLanguage, Readonly<Record<MessageTemplate, CustomerMessageText>>>
> = {
  en: {
    pickup_details: {
      subject: "Your transfer, reservation {number}",
      text: "Hello {name},\n\nHere are the details of your transfer. Your vehicle: {vehicle}.\n\nPickup: {pickup}\n\nPlease reply if your flight or your plans change.",
    },
    missing_documents: {
      subject: "Details for reservation {number}",
      text: "Hello {name},\n\nFor your transfer {number} we still need some of your details. Please reply to this email before the pickup.\n\nPickup: {pickup}",
    },
    thank_you: {
      subject: "Thank you for travelling with {company}",
      text: "Hello {name},\n\nThank you for travelling with us. We hope you had a good trip and look forward to seeing you again.",
    },
  },
  es: {
    pickup_details: {
      subject: "Su traslado, reserva {number}",
      text: "Hola, {name}:\n\nEstos son los datos de su traslado. Su vehículo: {vehicle}.\n\nRecogida: {pickup}\n\nResponda a este correo si cambia su vuelo o su viaje.",
    },
    missing_documents: {
      subject: "Datos de la reserva {number}",
      text: "Hola, {name}:\n\nPara su traslado {number} todavía necesitamos algunos datos. Responda a este correo antes de la recogida.\n\nRecogida: {pickup}",
    },
    thank_you: {
      subject: "Gracias por viajar con {company}",
      text: "Hola, {name}:\n\nGracias por viajar con nosotros. Esperamos que haya tenido un buen viaje y que nos visite de nuevo.",
    },
  },
  ca: {
    pickup_details: {
      subject: "El vostre trasllat, reserva {number}",
      text: "Hola, {name}:\n\nAquestes són les dades del trasllat. El vostre vehicle: {vehicle}.\n\nRecollida: {pickup}\n\nResponeu a aquest correu si canvia el vol o el viatge.",
    },
    missing_documents: {
      subject: "Dades de la reserva {number}",
      text: "Hola, {name}:\n\nPer al vostre trasllat {number} encara necessitem algunes dades. Responeu a aquest correu abans de la recollida.\n\nRecollida: {pickup}",
    },
    thank_you: {
      subject: "Gràcies per viatjar amb {company}",
      text: "Hola, {name}:\n\nGràcies per viatjar amb nosaltres. Esperem que hàgiu tingut un bon viatge i que torneu aviat.",
    },
  },
  de: {
    pickup_details: {
      subject: "Ihr Transfer, Reservierung {number}",
      text: "Guten Tag {name},\n\nhier sind die Daten Ihres Transfers. Ihr Fahrzeug: {vehicle}.\n\nAbholung: {pickup}\n\nBitte antworten Sie auf diese E-Mail, wenn sich Ihr Flug oder Ihre Reise ändert.",
    },
    missing_documents: {
      subject: "Angaben für Reservierung {number}",
      text: "Guten Tag {name},\n\nfür Ihren Transfer {number} fehlen uns noch einige Angaben. Bitte antworten Sie vor der Abholung auf diese E-Mail.\n\nAbholung: {pickup}",
    },
    thank_you: {
      subject: "Danke, dass Sie mit {company} gefahren sind",
      text: "Guten Tag {name},\n\nvielen Dank, dass Sie mit uns gefahren sind. Wir hoffen, Sie hatten eine gute Reise, und freuen uns auf Ihren nächsten Besuch.",
    },
  },
  fr: {
    pickup_details: {
      subject: "Votre transfert, réservation {number}",
      text: "Bonjour {name},\n\nVoici les détails de votre transfert. Votre véhicule\u00a0: {vehicle}.\n\nPrise en charge\u00a0: {pickup}\n\nMerci de répondre à cet e-mail si votre vol ou votre voyage change.",
    },
    missing_documents: {
      subject: "Informations pour la réservation {number}",
      text: "Bonjour {name},\n\nPour votre transfert {number}, il nous manque encore quelques informations. Veuillez répondre à cet e-mail avant la prise en charge.\n\nPrise en charge\u00a0: {pickup}",
    },
    thank_you: {
      subject: "Merci d'avoir voyagé avec {company}",
      text: "Bonjour {name},\n\nMerci d'avoir voyagé avec nous. Nous espérons que vous avez fait bon voyage et serons heureux de vous revoir.",
    },
  },
  it: {
    pickup_details: {
      subject: "Il Suo transfer, prenotazione {number}",
      text: "Buongiorno {name},\n\nEcco i dettagli del Suo transfer. Il Suo veicolo: {vehicle}.\n\nPartenza: {pickup}\n\nRisponda a questa e-mail se il Suo volo o il Suo viaggio cambia.",
    },
    missing_documents: {
      subject: "Dati per la prenotazione {number}",
      text: "Buongiorno {name},\n\nPer il Suo transfer {number} ci mancano ancora alcuni dati. Risponda a questa e-mail prima della partenza.\n\nPartenza: {pickup}",
    },
    thank_you: {
      subject: "Grazie per aver viaggiato con {company}",
      text: "Buongiorno {name},\n\nGrazie per aver viaggiato con noi. Speriamo che il viaggio sia andato bene e di rivederLa presto.",
    },
  },
  pt: {
    pickup_details: {
      subject: "O seu transfer, reserva {number}",
      text: "Olá, {name},\n\nSeguem os detalhes do seu transfer. A sua viatura: {vehicle}.\n\nPartida: {pickup}\n\nResponda a este e-mail se o seu voo ou a sua viagem mudar.",
    },
    missing_documents: {
      subject: "Dados da reserva {number}",
      text: "Olá, {name},\n\nPara o seu transfer {number} ainda precisamos de alguns dados. Responda a este e-mail antes da partida.\n\nPartida: {pickup}",
    },
    thank_you: {
      subject: "Obrigado por viajar com {company}",
      text: "Olá, {name},\n\nObrigado por viajar connosco. Esperamos que tenha feito boa viagem e que nos visite de novo.",
    },
  },
  nl: {
    pickup_details: {
      subject: "Uw transfer, reservering {number}",
      text: "Beste {name},\n\nHier zijn de gegevens van uw transfer. Uw voertuig: {vehicle}.\n\nOphalen: {pickup}\n\nBeantwoord deze e-mail als uw vlucht of uw reis verandert.",
    },
    missing_documents: {
      subject: "Gegevens voor reservering {number}",
      text: "Beste {name},\n\nVoor uw transfer {number} hebben wij nog enkele gegevens nodig. Beantwoord deze e-mail vóór het ophalen.\n\nOphalen: {pickup}",
    },
    thank_you: {
      subject: "Bedankt dat u met {company} hebt gereisd",
      text: "Beste {name},\n\nHartelijk dank dat u met ons hebt gereisd. Wij hopen dat u een goede reis had en zien u graag terug.",
    },
  },
};
