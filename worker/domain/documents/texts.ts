import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Fixed texts on documents. */
export interface DocumentTexts {
  readonly rental: string;
  /** Returns the number of rental days with the language's plural. */
  readonly days: (count: number) => string;
  readonly contract: string;
  readonly advance: string;
  readonly creditNote: string;
  readonly cancellationFee: string;
  /** Label of a refund before the contract's invoice was issued. */
  readonly reduction: string;
  readonly transfer: string;
  readonly difference: string;
  readonly discount: string;
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly pickupPlace: string;
  readonly returnPlace: string;
  readonly driverAge: string;
  readonly extras: string;
  readonly categorySupplements: readonly [string, string, string];
  /** Charges found at return, in the order of the contract's supplements 1 to 3. */
  readonly supplements: readonly [string, string, string];
}

const TEXTS: Readonly<Record<PlatformLanguage, DocumentTexts>> = {
  es: {
    rental: "Alquiler",
    days: (count) => `${count} ${count === 1 ? "día" : "días"}`,
    contract: "Contrato",
    advance: "Anticipo de la reserva",
    creditNote: "Rectificación de la factura",
    cancellationFee: "Gastos de cancelación",
    reduction: "Rebaja acordada",
    transfer: "Traslado",
    difference: "Diferencia de precio",
    discount: "Descuento",
    timeFrom: "Entrega fuera de horario",
    timeTo: "Devolución fuera de horario",
    pickupPlace: "Suplemento por lugar de entrega",
    returnPlace: "Suplemento por lugar de devolución",
    driverAge: "Suplemento por edad del conductor",
    extras: "Extras",
    categorySupplements: ["Combustible", "Suplemento del vehículo 2", "Suplemento del vehículo 3"],
    supplements: ["Días adicionales", "Repostaje", "Kilómetros adicionales"],
  },
  ca: {
    rental: "Lloguer",
    days: (count) => `${count} ${count === 1 ? "dia" : "dies"}`,
    contract: "Contracte",
    advance: "Bestreta de la reserva",
    creditNote: "Rectificació de la factura",
    cancellationFee: "Despeses de cancel·lació",
    reduction: "Rebaixa acordada",
    transfer: "Trasllat",
    difference: "Diferència de preu",
    discount: "Descompte",
    timeFrom: "Lliurament fora d'horari",
    timeTo: "Devolució fora d'horari",
    pickupPlace: "Suplement pel lloc de lliurament",
    returnPlace: "Suplement pel lloc de devolució",
    driverAge: "Suplement per l'edat del conductor",
    extras: "Extres",
    categorySupplements: ["Combustible", "Suplement del vehicle 2", "Suplement del vehicle 3"],
    supplements: ["Dies addicionals", "Repostatge", "Quilòmetres addicionals"],
  },
  en: {
    rental: "Rental",
    days: (count) => `${count} ${count === 1 ? "day" : "days"}`,
    contract: "Contract",
    advance: "Advance payment",
    creditNote: "Credit note for invoice",
    cancellationFee: "Cancellation fee",
    reduction: "Agreed reduction",
    transfer: "Transfer",
    difference: "Price difference",
    discount: "Discount",
    timeFrom: "Out-of-hours pickup",
    timeTo: "Out-of-hours return",
    pickupPlace: "Pickup place supplement",
    returnPlace: "Return place supplement",
    driverAge: "Driver's age supplement",
    extras: "Extras",
    categorySupplements: ["Fuel", "Vehicle supplement 2", "Vehicle supplement 3"],
    supplements: ["Extra days", "Refuelling", "Extra kilometres"],
  },
  de: {
    rental: "Miete",
    days: (count) => `${count} ${count === 1 ? "Tag" : "Tage"}`,
    contract: "Vertrag",
    advance: "Anzahlung",
    creditNote: "Korrektur der Rechnung",
    cancellationFee: "Stornogebühr",
    reduction: "Vereinbarter Nachlass",
    transfer: "Transfer",
    difference: "Preisdifferenz",
    discount: "Rabatt",
    timeFrom: "Abholung außerhalb der Öffnungszeiten",
    timeTo: "Rückgabe außerhalb der Öffnungszeiten",
    pickupPlace: "Zuschlag für den Abholort",
    returnPlace: "Zuschlag für den Rückgabeort",
    driverAge: "Zuschlag für das Alter des Fahrers",
    extras: "Extras",
    categorySupplements: ["Kraftstoff", "Fahrzeugzuschlag 2", "Fahrzeugzuschlag 3"],
    supplements: ["Zusätzliche Tage", "Betankung", "Mehrkilometer"],
  },
  fr: {
    rental: "Location",
    days: (count) => `${count} ${count < 2 ? "jour" : "jours"}`,
    contract: "Contrat",
    advance: "Acompte sur la réservation",
    creditNote: "Avoir sur la facture",
    cancellationFee: "Frais d'annulation",
    reduction: "Réduction convenue",
    transfer: "Transfert",
    difference: "Différence de prix",
    discount: "Remise",
    timeFrom: "Prise en charge hors horaires",
    timeTo: "Restitution hors horaires",
    pickupPlace: "Supplément pour le lieu de prise en charge",
    returnPlace: "Supplément pour le lieu de restitution",
    driverAge: "Supplément pour l'âge du conducteur",
    extras: "Options",
    categorySupplements: ["Carburant", "Supplément véhicule 2", "Supplément véhicule 3"],
    supplements: ["Jours supplémentaires", "Plein de carburant", "Kilomètres supplémentaires"],
  },
  it: {
    rental: "Noleggio",
    days: (count) => `${count} ${count === 1 ? "giorno" : "giorni"}`,
    contract: "Contratto",
    advance: "Acconto sulla prenotazione",
    creditNote: "Nota di credito per la fattura",
    cancellationFee: "Penale di annullamento",
    reduction: "Riduzione concordata",
    transfer: "Servizio transfer",
    difference: "Differenza di prezzo",
    discount: "Sconto",
    timeFrom: "Ritiro fuori orario",
    timeTo: "Riconsegna fuori orario",
    pickupPlace: "Supplemento per il luogo di ritiro",
    returnPlace: "Supplemento per il luogo di riconsegna",
    driverAge: "Supplemento per l'età del conducente",
    extras: "Extra",
    categorySupplements: ["Carburante", "Supplemento veicolo 2", "Supplemento veicolo 3"],
    supplements: ["Giorni aggiuntivi", "Rifornimento", "Chilometri aggiuntivi"],
  },
  pt: {
    rental: "Aluguer",
    days: (count) => `${count} ${count === 1 ? "dia" : "dias"}`,
    contract: "Contrato",
    advance: "Adiantamento da reserva",
    creditNote: "Nota de crédito da fatura",
    cancellationFee: "Taxa de cancelamento",
    reduction: "Redução acordada",
    transfer: "Serviço de transfer",
    difference: "Diferença de preço",
    discount: "Desconto",
    timeFrom: "Levantamento fora de horas",
    timeTo: "Devolução fora de horas",
    pickupPlace: "Suplemento pelo local de levantamento",
    returnPlace: "Suplemento pelo local de devolução",
    driverAge: "Suplemento pela idade do condutor",
    extras: "Extras",
    categorySupplements: ["Combustível", "Suplemento da viatura 2", "Suplemento da viatura 3"],
    supplements: ["Dias adicionais", "Reabastecimento", "Quilómetros adicionais"],
  },
  nl: {
    rental: "Huur",
    days: (count) => `${count} ${count === 1 ? "dag" : "dagen"}`,
    contract: "Contract",
    advance: "Aanbetaling op de reservering",
    creditNote: "Creditnota bij factuur",
    cancellationFee: "Annuleringskosten",
    reduction: "Overeengekomen korting",
    transfer: "Transferrit",
    difference: "Prijsverschil",
    discount: "Korting",
    timeFrom: "Ophalen buiten openingstijden",
    timeTo: "Inleveren buiten openingstijden",
    pickupPlace: "Toeslag voor de ophaallocatie",
    returnPlace: "Toeslag voor de inleverlocatie",
    driverAge: "Toeslag voor de leeftijd van de bestuurder",
    extras: "Extra's",
    categorySupplements: ["Brandstof", "Voertuigtoeslag 2", "Voertuigtoeslag 3"],
    supplements: ["Extra dagen", "Bijtanken", "Extra kilometers"],
  },
};

const REDUCTIONS: ReadonlySet<string> = new Set(Object.values(TEXTS).map(({ reduction }) => reduction));

/** Whether an item is a refund from before its invoice was issued, in any language. */
export function isPreInvoiceRefundItem({ concept }: { readonly concept: string }): boolean {
  return REDUCTIONS.has(concept);
}

/** Returns a document's concept in another language. Concepts start with a fixed text. */
export function translateConcept(concept: string, from: PlatformLanguage, to: PlatformLanguage): string {
  const starts = (["contract", "advance", "creditNote"] as const).map((name) => [TEXTS[from][name], TEXTS[to][name]]);
  const [own, translated] = starts.find(([start = ""]) => concept === start || concept.startsWith(`${start} `)) ?? [];
  return own === undefined ? concept : `${translated}${concept.slice(own.length)}`;
}

/** Returns the document texts in a language. */
export function getDocumentTexts(language: PlatformLanguage): DocumentTexts {
  return TEXTS[language];
}
