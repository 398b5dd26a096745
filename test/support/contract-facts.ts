import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { ContractTextData } from "#domain/printing/contract-text.ts";

/** Creates contract facts in German, with a vehicle with an old and a new damage. */
export function createContractTextData(changes: Partial<ContractTextData> = {}): ContractTextData {
  return {
    bookingId: 1042,
    language: "de",
    country: "ES",
    money: { currency: "EUR", decimals: 2 },
    lessor: {
      name: "Acme Rent a Car, S.L.",
      taxId: "B57123456",
      address: "Camí de Can Pastilla 12, 07610 Palma",
      phone: "+34 971 000 000",
      email: "hola@acme.test",
    },
    customerName: "Łukasz Żółkiewski",
    vehicle: { name: "SEAT Ibiza", plate: "1234 KLM" },
    categoryName: "Economy",
    damages: [
      { part: "bonnet", kind: "scratch", severity: "light", x: 480, y: 150, note: "2 cm", isNew: false },
      { part: "rear_left_door", kind: "dent", severity: "medium", x: 150, y: 550, note: undefined, isNew: true },
    ],
    customer: {
      documentId: "L01X00T47",
      phone: "+48 600 700 800",
      email: "l@example.com",
      address: "ul. Świętokrzyska 14, 00-050 Warszawa, PL",
    },
    drivers: [
      {
        name: "Ελένη Παπαδοπούλου",
        documentId: "ΑΒ123456",
        licence: "999 888",
        licenceExpires: "2031-05-01",
        born: "1980-02-03",
      },
    ],
    period: {
      dateFrom: "2026-06-30" as CivilDate,
      timeFrom: "10:00" as TimeText,
      dateTo: "2026-07-03" as CivilDate,
      timeTo: "10:00" as TimeText,
    },
    days: 3,
    pickupPlace: "Flughafen Palma",
    returnPlace: "Flughafen Palma",
    prices: {
      itemCents: 15_000,
      extras: [{ name: "Kindersitz", quantity: 2, cents: 3000 }],
      supplementsCents: 2500,
      totalCents: 20_500,
      paidCents: 10_000,
      creditedCents: 0,
      depositCents: 30_000,
    },
    rates: { kilometresIncluded: 900, extraKilometreCents: 15, fuelEighthCents: 1200, extraDayCents: 5000 },
    out: { kilometres: 41_200, fuelEighths: 8 },
    terms: "## 1. Gebrauch\nDas Fahrzeug wird sorgsam gebraucht.",
    ...changes,
  };
}
