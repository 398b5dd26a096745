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
    creditNote: "Abono de la factura",
    cancellationFee: "Gastos de cancelación",
    reduction: "Rebaja acordada",
    transfer: "Traslado",
    difference: "Diferencia del alquiler",
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
    creditNote: "Abonament de la factura",
    cancellationFee: "Despeses de cancel·lació",
    reduction: "Rebaixa acordada",
    transfer: "Trasllat",
    difference: "Diferència del lloguer",
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
    difference: "Rental, difference",
    discount: "Discount",
    timeFrom: "Pickup out of hours",
    timeTo: "Return out of hours",
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
    creditNote: "Gutschrift zur Rechnung",
    cancellationFee: "Stornogebühr",
    reduction: "Vereinbarter Nachlass",
    transfer: "Transfer",
    difference: "Miete, Differenz",
    discount: "Rabatt",
    timeFrom: "Abholung außerhalb der Öffnungszeiten",
    timeTo: "Rückgabe außerhalb der Öffnungszeiten",
    pickupPlace: "Zuschlag für den Abholort",
    returnPlace: "Zuschlag für den Rückgabeort",
    driverAge: "Zuschlag für das Alter des Fahrers",
    extras: "Extras",
    categorySupplements: ["Kraftstoff", "Fahrzeugzuschlag 2", "Fahrzeugzuschlag 3"],
    supplements: ["Zusätzliche Tage", "Betankung", "Zusätzliche Kilometer"],
  },
};

const REDUCTIONS: ReadonlySet<string> = new Set(Object.values(TEXTS).map(({ reduction }) => reduction));

/** Whether an item is a refund from before its invoice was issued, in any language. */
export function isReduction({ concept }: { readonly concept: string }): boolean {
  return REDUCTIONS.has(concept);
}

/** Returns the document texts in the account's language. */
export function documentTexts(language: PlatformLanguage): DocumentTexts {
  return TEXTS[language];
}
