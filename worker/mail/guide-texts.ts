import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { addCatalanToArticle, addItalianToArticle } from "./dates-with-article.ts";

interface GuideTexts {
  readonly extras: string;
  readonly bags: string;
  readonly largeItems: string;
  readonly pickupAddress: string;
  readonly returnAddress: string;
  readonly hours: string;
  readonly always: string;
  readonly closedDay: string;
  readonly map: string;
  readonly deposit: string;
  readonly depositReturned: (amount: string) => string;
  readonly phone: string;
  readonly freeUntil: (moment: string) => string;
  readonly feeUntil: (moment: string, amount: string) => string;
  /** Level that the vehicle must have at the return. */
  readonly fuel: string;
  readonly charge: string;
  readonly bring: string;
  readonly documents: readonly string[];
  readonly calendar: string;
}

/** Texts that prepare a customer for the pickup. */
export const PICKUP_GUIDE_TEXTS: Readonly<Record<PlatformLanguage, GuideTexts>> = {
  es: {
    extras: "Extras",
    bags: "Maletas",
    largeItems: "Objetos grandes",
    pickupAddress: "Dirección de recogida",
    returnAddress: "Dirección de devolución",
    hours: "Horario de la oficina",
    always: "abierto las 24 horas",
    closedDay: "cerrado",
    map: "Ver en el mapa",
    deposit: "Fianza",
    depositReturned: (amount) => `${amount}, se devuelve al final`,
    phone: "Teléfono",
    freeUntil: (moment) => `Puede cancelar gratis hasta el ${moment}.`,
    feeUntil: (moment, amount) => `Si cancela hasta el ${moment}, los gastos son de ${amount}.`,
    fuel: "Devuelva el vehículo con el mismo nivel de combustible.",
    charge: "Devuelva el vehículo con el mismo nivel de carga.",
    bring: "Traiga a la recogida",
    documents: [
      "El permiso de conducir de cada conductor",
      "El documento de identidad o el pasaporte",
      "Una tarjeta de pago a nombre del conductor principal",
    ],
    calendar: "Adjuntamos la cita para su calendario.",
  },
  ca: {
    extras: "Extres",
    bags: "Maletes",
    largeItems: "Objectes grans",
    pickupAddress: "Adreça de recollida",
    returnAddress: "Adreça de devolució",
    hours: "Horari de l'oficina",
    always: "obert les 24 hores",
    closedDay: "tancat",
    map: "Mostra al mapa",
    deposit: "Fiança",
    depositReturned: (amount) => `${amount}, es torna al final`,
    phone: "Telèfon",
    freeUntil: (moment) => `Podeu cancel·lar gratis fins ${addCatalanToArticle(moment)}.`,
    feeUntil: (moment, amount) => `Si cancel·leu fins ${addCatalanToArticle(moment)}, les despeses són de ${amount}.`,
    fuel: "Torneu el vehicle amb el mateix nivell de combustible.",
    charge: "Torneu el vehicle amb el mateix nivell de càrrega.",
    bring: "Porteu a la recollida",
    documents: [
      "El permís de conduir de cada conductor",
      "El document d'identitat o el passaport",
      "Una targeta de pagament a nom del conductor principal",
    ],
    calendar: "Adjuntem la cita per al vostre calendari.",
  },
  en: {
    extras: "Extras",
    bags: "Bags",
    largeItems: "Large items",
    pickupAddress: "Pickup address",
    returnAddress: "Return address",
    hours: "Opening hours",
    always: "open 24 hours",
    closedDay: "closed",
    map: "Show on the map",
    deposit: "Security deposit",
    depositReturned: (amount) => `${amount}, refunded at the end`,
    phone: "Phone",
    freeUntil: (moment) => `You can cancel free of charge until ${moment}.`,
    feeUntil: (moment, amount) => `If you cancel until ${moment}, the fee is ${amount}.`,
    fuel: "Please return the vehicle with the same fuel level.",
    charge: "Please return the vehicle with the same charge level.",
    bring: "Please bring to the pickup",
    documents: [
      "The driving licence of each driver",
      "An identity card or passport",
      "A payment card in the main driver's name",
    ],
    calendar: "The appointment for your calendar is attached.",
  },
  de: {
    extras: "Extras",
    bags: "Gepäckstücke",
    largeItems: "Sperrige Gegenstände",
    pickupAddress: "Adresse der Abholung",
    returnAddress: "Adresse der Rückgabe",
    hours: "Öffnungszeiten",
    always: "rund um die Uhr geöffnet",
    closedDay: "geschlossen",
    map: "Auf der Karte anzeigen",
    deposit: "Kaution",
    depositReturned: (amount) => `${amount}, wird am Ende erstattet`,
    phone: "Telefon",
    freeUntil: (moment) => `Sie können bis ${moment} kostenlos stornieren.`,
    feeUntil: (moment, amount) => `Wenn Sie bis ${moment} stornieren, beträgt die Gebühr ${amount}.`,
    fuel: "Bitte geben Sie das Fahrzeug mit gleichem Tankstand zurück.",
    charge: "Bitte geben Sie das Fahrzeug mit gleichem Ladestand zurück.",
    bring: "Bitte bringen Sie zur Abholung mit",
    documents: [
      "Den Führerschein jedes Fahrers",
      "Einen Personalausweis oder Reisepass",
      "Eine Zahlungskarte auf den Namen des Hauptfahrers",
    ],
    calendar: "Der Termin für Ihren Kalender ist angehängt.",
  },
  fr: {
    extras: "Options",
    bags: "Bagages",
    largeItems: "Objets volumineux",
    pickupAddress: "Adresse de prise en charge",
    returnAddress: "Adresse de restitution",
    hours: "Horaires d'ouverture",
    always: "ouvert 24 heures sur 24",
    closedDay: "fermé",
    map: "Voir sur la carte",
    deposit: "Dépôt de garantie",
    depositReturned: (amount) => `${amount}, remboursé à la fin`,
    phone: "Téléphone",
    freeUntil: (moment) => `Vous pouvez annuler gratuitement jusqu'au ${moment}.`,
    feeUntil: (moment, amount) => `Si vous annulez jusqu'au ${moment}, les frais sont de ${amount}.`,
    fuel: "Merci de restituer le véhicule avec le même niveau de carburant.",
    charge: "Merci de restituer le véhicule avec le même niveau de charge.",
    bring: "À apporter lors de la prise en charge",
    documents: [
      "Le permis de conduire de chaque conducteur",
      "Une carte d'identité ou un passeport",
      "Une carte de paiement au nom du conducteur principal",
    ],
    calendar: "Le rendez-vous pour votre calendrier est joint.",
  },
  it: {
    extras: "Extra",
    bags: "Bagagli",
    largeItems: "Oggetti ingombranti",
    pickupAddress: "Indirizzo del ritiro",
    returnAddress: "Indirizzo della riconsegna",
    hours: "Orari di apertura",
    always: "aperto 24 ore su 24",
    closedDay: "chiuso",
    map: "Mostra sulla mappa",
    deposit: "Deposito cauzionale",
    depositReturned: (amount) => `${amount}, restituito alla fine`,
    phone: "Telefono",
    freeUntil: (moment) => `Può annullare gratuitamente fino ${addItalianToArticle(moment)}.`,
    feeUntil: (moment, amount) => `Se annulla fino ${addItalianToArticle(moment)}, la penale è di ${amount}.`,
    fuel: "Riconsegni il veicolo con lo stesso livello di carburante.",
    charge: "Riconsegni il veicolo con lo stesso livello di carica.",
    bring: "Da portare al ritiro",
    documents: [
      "La patente di guida di ogni conducente",
      "Una carta d'identità o un passaporto",
      "Una carta di pagamento intestata al conducente principale",
    ],
    calendar: "In allegato trova l'appuntamento per il calendario.",
  },
  pt: {
    extras: "Extras",
    bags: "Malas",
    largeItems: "Objetos grandes",
    pickupAddress: "Morada do levantamento",
    returnAddress: "Morada da devolução",
    hours: "Horário de funcionamento",
    always: "aberto 24 horas",
    closedDay: "fechado",
    map: "Ver no mapa",
    deposit: "Caução",
    depositReturned: (amount) => `${amount}, devolvida no final`,
    phone: "Telefone",
    freeUntil: (moment) => `Pode cancelar gratuitamente até ${moment}.`,
    feeUntil: (moment, amount) => `Se cancelar até ${moment}, a taxa é de ${amount}.`,
    fuel: "Devolva o veículo com o mesmo nível de combustível.",
    charge: "Devolva o veículo com o mesmo nível de carga.",
    bring: "Traga para o levantamento",
    documents: [
      "A carta de condução de cada condutor",
      "O documento de identificação ou o passaporte",
      "Um cartão de pagamento em nome do condutor principal",
    ],
    calendar: "Segue em anexo o evento para o seu calendário.",
  },
  nl: {
    extras: "Extra's",
    bags: "Bagagestukken",
    largeItems: "Grote voorwerpen",
    pickupAddress: "Ophaaladres",
    returnAddress: "Inleveradres",
    hours: "Openingstijden",
    always: "24 uur per dag geopend",
    closedDay: "gesloten",
    map: "Op de kaart tonen",
    deposit: "Borg",
    depositReturned: (amount) => `${amount}, wordt na afloop terugbetaald`,
    phone: "Telefoon",
    freeUntil: (moment) => `U kunt tot ${moment} gratis annuleren.`,
    feeUntil: (moment, amount) => `Als u tot ${moment} annuleert, bedragen de kosten ${amount}.`,
    fuel: "Lever het voertuig in met hetzelfde brandstofniveau.",
    charge: "Lever het voertuig in met hetzelfde laadniveau.",
    bring: "Neem bij het ophalen mee",
    documents: [
      "Het rijbewijs van elke bestuurder",
      "Een identiteitskaart of paspoort",
      "Een betaalkaart op naam van de hoofdbestuurder",
    ],
    calendar: "De afspraak voor uw agenda is bijgevoegd.",
  },
};
