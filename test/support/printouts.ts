import type { DocumentToPrint, PrintoutSettings } from "#domain/printing/documents.ts";
import type { Letterhead } from "#domain/printing/printout.ts";

/** Creates the letterhead of a company. */
export function createLetterhead(changes: Partial<Letterhead> = {}): Letterhead {
  return {
    name: "Acme Rent a Car",
    lines: ["Camí de Can Pastilla 12, 07610 Palma", "+34 971 000 000 · hola@acme.test"],
    color: "#0b6e69",
    logo: undefined,
    foot: "Inscrita en el Registro Mercantil de Palma",
    ...changes,
  };
}

/** Creates print settings in Spanish. */
export function createPrintContext(changes: Partial<PrintoutSettings> = {}): PrintoutSettings {
  return {
    letterhead: createLetterhead(),
    issuer: { name: "Acme Rent a Car, S.L.", taxId: "B57123456", address: ["Camí de Can Pastilla 12", "07610 Palma"] },
    language: "es",
    money: { currency: "EUR", decimals: 2 },
    country: "ES",
    territory: "iva",
    ...changes,
  };
}

/** Creates a partly paid invoice with two tax rates. */
export function createDocumentToPrint(changes: Partial<DocumentToPrint> = {}): DocumentToPrint {
  return {
    kind: "invoice",
    isDraft: false,
    serie: "A-PMI-26",
    number: 612,
    date: "2026-07-03",
    at: Date.UTC(2026, 6, 3),
    bookingId: 1042,
    corrects: undefined,
    replaces: [],
    vehicle: "1234 KLM",
    period: "2026-06-30 10:00 - 2026-07-03 10:00",
    agency: undefined,
    customer: { name: "Łukasz Żółkiewski", taxId: "PL5260001246", address: ["ul. Świętokrzyska 14", "PL"] },
    items: [
      { concept: "Alquiler Economy", quantity: 1, unitCents: 12_100, vat: 2100, totalCents: 12_100 },
      { concept: "Silla infantil", quantity: 2, unitCents: 550, vat: 1000, totalCents: 1100 },
    ],
    taxes: [
      { vat: 2100, subtotalCents: 10_000, taxesCents: 2100 },
      { vat: 1000, subtotalCents: 1000, taxesCents: 100 },
    ],
    totalCents: 13_200,
    paidCents: 3200,
    ...changes,
  };
}
