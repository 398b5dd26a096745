import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Texts of a quote: its page, its PDF and its mail. */
export interface QuoteTexts {
  readonly quote: string;
  readonly validUntil: string;
  readonly pickup: string;
  readonly return: string;
  readonly days: string;
  readonly supplements: string;
  readonly discount: string;
  readonly total: string;
  readonly deposit: string;
  readonly terms: string;
  readonly priceNote: string;
  readonly taxesIncluded: string;
  readonly greeting: (person: string) => string;
  readonly mail: string;
  readonly open: string;
  readonly pdf: string;
  readonly accept: string;
  readonly decline: string;
  readonly declineReason: string;
  readonly details: string;
  readonly accepted: (reservation: number) => string;
  readonly acceptedPending: (reservation: number) => string;
  readonly declined: string;
  readonly expired: string;
  readonly soldOut: string;
  readonly changed: string;
  readonly unknown: string;
  readonly wrong: string;
  readonly payTotal: string;
  readonly payDeposit: string;
  /** Labels of the contract data asked for at acceptance. */
  readonly fields: Readonly<Record<QuoteField, string>>;
}

/** Contract data asked for at acceptance, if it isn't known. */
export const QUOTE_FIELDS = [
  "customer_email",
  "customer_phone",
  "customer_document_id",
  "customer_address_street",
  "customer_address_city",
  "customer_address_zip",
  "customer_address_country",
  "driver_date_of_birth",
  "driver_driving_license_number",
  "driver_driving_license_date",
] as const;
export type QuoteField = (typeof QUOTE_FIELDS)[number];

const TEXTS: Readonly<Record<PlatformLanguage, QuoteTexts>> = {
  en: {
    quote: "Quote",
    validUntil: "Valid until",
    pickup: "Pickup",
    return: "Return",
    days: "Days",
    supplements: "Supplements",
    discount: "Discount",
    total: "Total",
    deposit: "Security deposit",
    terms: "Terms and conditions",
    priceNote: "The price is guaranteed until that date.",
    taxesIncluded: "Prices include taxes.",
    greeting: (person) => (person ? `Hello ${person},` : "Hello,"),
    mail: "Here is your quote. Open the link to see it, accept it or decline it.",
    open: "Open the quote",
    pdf: "Quote as PDF",
    accept: "Accept",
    decline: "Decline",
    declineReason: "Reason (optional)",
    details: "Details for the contract",
    accepted: (reservation) => `Thank you. Your reservation ${reservation} is confirmed.`,
    acceptedPending: (reservation) => `Thank you. We received your reservation ${reservation} and will confirm it.`,
    declined: "You declined this quote. Contact us if you change your mind.",
    expired: "This quote has expired. Contact us for a new one.",
    soldOut: "The vehicle is no longer available for these dates. We will contact you with another offer.",
    changed: "This quote has changed. Please check it again.",
    unknown: "This quote doesn't exist.",
    wrong: "Please check these details:",
    payTotal: "Pay now",
    payDeposit: "Pay the advance now",
    fields: {
      customer_email: "Email",
      customer_phone: "Phone",
      customer_document_id: "Identity document",
      customer_address_street: "Street and number",
      customer_address_city: "City",
      customer_address_zip: "Postcode",
      customer_address_country: "Country (two letters)",
      driver_date_of_birth: "Driver's date of birth",
      driver_driving_license_number: "Driving licence number",
      driver_driving_license_date: "Driving licence issue date",
    },
  },
  es: {
    quote: "Presupuesto",
    validUntil: "Válido hasta",
    pickup: "Recogida",
    return: "Devolución",
    days: "Días",
    supplements: "Suplementos",
    discount: "Descuento",
    total: "Total",
    deposit: "Fianza",
    terms: "Condiciones generales",
    priceNote: "El precio está garantizado hasta esa fecha.",
    taxesIncluded: "Precios con impuestos incluidos.",
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    mail: "Aquí tiene su presupuesto. Abra el enlace para verlo, aceptarlo o rechazarlo.",
    open: "Abrir el presupuesto",
    pdf: "Presupuesto en PDF",
    accept: "Aceptar",
    decline: "Rechazar",
    declineReason: "Motivo (opcional)",
    details: "Datos para el contrato",
    accepted: (reservation) => `Gracias. Su reserva ${reservation} está confirmada.`,
    acceptedPending: (reservation) => `Gracias. Hemos recibido su reserva ${reservation} y se la confirmaremos.`,
    declined: "Ha rechazado este presupuesto. Si cambia de opinión, póngase en contacto con nosotros.",
    expired: "Este presupuesto ha caducado. Pídanos uno nuevo.",
    soldOut: "El vehículo ya no está disponible en estas fechas. Le propondremos otra opción.",
    changed: "Este presupuesto ha cambiado. Revíselo de nuevo.",
    unknown: "Este presupuesto no existe.",
    wrong: "Revise estos datos:",
    payTotal: "Pagar ahora",
    payDeposit: "Pagar el anticipo ahora",
    fields: {
      customer_email: "Correo electrónico",
      customer_phone: "Teléfono",
      customer_document_id: "Documento de identidad",
      customer_address_street: "Calle y número",
      customer_address_city: "Población",
      customer_address_zip: "Código postal",
      customer_address_country: "País (dos letras)",
      driver_date_of_birth: "Fecha de nacimiento del conductor",
      driver_driving_license_number: "Número del permiso de conducir",
      driver_driving_license_date: "Fecha de expedición del permiso",
    },
  },
  ca: {
    quote: "Pressupost",
    validUntil: "Vàlid fins al",
    pickup: "Recollida",
    return: "Devolució",
    days: "Dies",
    supplements: "Suplements",
    discount: "Descompte",
    total: "Total",
    deposit: "Fiança",
    terms: "Condicions generals",
    priceNote: "El preu està garantit fins aquella data.",
    taxesIncluded: "Preus amb impostos inclosos.",
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    mail: "Aquí teniu el vostre pressupost. Obriu l'enllaç per veure'l, acceptar-lo o rebutjar-lo.",
    open: "Obrir el pressupost",
    pdf: "Pressupost en PDF",
    accept: "Acceptar",
    decline: "Rebutjar",
    declineReason: "Motiu (opcional)",
    details: "Dades per al contracte",
    accepted: (reservation) => `Gràcies. La vostra reserva ${reservation} està confirmada.`,
    acceptedPending: (reservation) => `Gràcies. Hem rebut la vostra reserva ${reservation} i us la confirmarem.`,
    declined: "Heu rebutjat aquest pressupost. Si canvieu d'opinió, poseu-vos en contacte amb nosaltres.",
    expired: "Aquest pressupost ha caducat. Demaneu-nos-en un de nou.",
    soldOut: "El vehicle ja no està disponible en aquestes dates. Us proposarem una altra opció.",
    changed: "Aquest pressupost ha canviat. Torneu-lo a revisar.",
    unknown: "Aquest pressupost no existeix.",
    wrong: "Reviseu aquestes dades:",
    payTotal: "Pagar ara",
    payDeposit: "Pagar la bestreta ara",
    fields: {
      customer_email: "Correu electrònic",
      customer_phone: "Telèfon",
      customer_document_id: "Document d'identitat",
      customer_address_street: "Carrer i número",
      customer_address_city: "Població",
      customer_address_zip: "Codi postal",
      customer_address_country: "País (dues lletres)",
      driver_date_of_birth: "Data de naixement del conductor",
      driver_driving_license_number: "Número del permís de conduir",
      driver_driving_license_date: "Data d'expedició del permís",
    },
  },
  de: {
    quote: "Angebot",
    validUntil: "Gültig bis",
    pickup: "Abholung",
    return: "Rückgabe",
    days: "Tage",
    supplements: "Zuschläge",
    discount: "Rabatt",
    total: "Gesamt",
    deposit: "Kaution",
    terms: "Allgemeine Geschäftsbedingungen",
    priceNote: "Der Preis ist bis zu diesem Zeitpunkt garantiert.",
    taxesIncluded: "Preise inklusive Steuern.",
    greeting: (person) => (person ? `Hallo ${person},` : "Guten Tag,"),
    mail: "hier ist Ihr Angebot. Öffnen Sie den Link, um es anzusehen, anzunehmen oder abzulehnen.",
    open: "Angebot öffnen",
    pdf: "Angebot als PDF",
    accept: "Annehmen",
    decline: "Ablehnen",
    declineReason: "Grund (freiwillig)",
    details: "Angaben für den Vertrag",
    accepted: (reservation) => `Vielen Dank. Ihre Reservierung ${reservation} ist bestätigt.`,
    acceptedPending: (reservation) =>
      `Vielen Dank. Ihre Reservierung ${reservation} ist eingegangen, wir bestätigen sie in Kürze.`,
    declined: "Sie haben dieses Angebot abgelehnt. Melden Sie sich, falls Sie es sich anders überlegen.",
    expired: "Dieses Angebot ist abgelaufen. Fragen Sie uns nach einem neuen.",
    soldOut: "Das Fahrzeug ist in diesem Zeitraum nicht mehr verfügbar. Wir melden uns mit einem anderen Angebot.",
    changed: "Dieses Angebot wurde geändert. Bitte prüfen Sie es noch einmal.",
    unknown: "Dieses Angebot gibt es nicht.",
    wrong: "Bitte prüfen Sie diese Angaben:",
    payTotal: "Jetzt bezahlen",
    payDeposit: "Jetzt anzahlen",
    fields: {
      customer_email: "E-Mail",
      customer_phone: "Telefon",
      customer_document_id: "Ausweisnummer",
      customer_address_street: "Straße und Hausnummer",
      customer_address_city: "Ort",
      customer_address_zip: "Postleitzahl",
      customer_address_country: "Land (zwei Buchstaben)",
      driver_date_of_birth: "Geburtsdatum des Fahrers",
      driver_driving_license_number: "Führerscheinnummer",
      driver_driving_license_date: "Ausstellungsdatum des Führerscheins",
    },
  },
};

/** Returns the texts of quotes in a language. */
export function getQuoteTexts(language: PlatformLanguage): QuoteTexts {
  return TEXTS[language];
}
