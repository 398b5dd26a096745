import type { ContractData } from "#domain/bookings/bookings.ts";
import type { AuthorityCodes } from "#domain/ministry-reports/lists.ts";
import type { ReportedParty } from "#domain/ministry-reports/people.ts";
import type { ReportedRental } from "#domain/ministry-reports/rental.ts";

export const AUTHORITY_CODES: AuthorityCodes = {
  chosen: { "color:Blau": "AZUL" },
  lists: {
    brand: [
      ["SEAT", "Seat"],
      ["MERCEDES", "Mercedes-Benz"],
    ],
    color: [
      ["BLANCO", "Blanco"],
      ["AZUL", "Azul"],
    ],
    "municipalities:07": [
      ["07037", "Mercadal, Es"],
      ["07040", "Palma"],
    ],
    "municipalities:20": [["20069", "Donostia/San Sebastián"]],
  },
};

export function createRenter(
  data: ContractData = {},
  customer: Partial<ReportedParty["customer"]> = {},
): ReportedParty {
  const known = { isCompany: false, email: "ana@example.com", phone: "+34600111222", documentId: undefined };
  return { customer: { name: "Ana", surname: "García López", ...known, ...customer }, data, codes: AUTHORITY_CODES };
}

const PLACE = {
  establishment: undefined,
  ...{ street: "Carrer Major 1", city: "Palma", zip: "07001", country: "ES", municipality: "07040" },
};

/** Creates a rental with complete data. */
export function createReportedRental(changes: Partial<ReportedRental> = {}): ReportedRental {
  return {
    ...createRenter(
      {
        driver_is_customer: "true",
        driver_date_of_birth: "1984-05-17",
        driver_origin_country: "ES",
        driver_driving_license_number: "12345678",
        driver_driving_license_expiration_date: "2030-01-31",
        customer_address_street: "Carrer Nou",
        customer_address_number: "3",
        customer_address_city: "Palma",
        customer_address_zip: "07001",
        customer_address_country: "ES",
      },
      { documentId: "12345678Z" },
    ),
    ...{ reference: "7-70", contractDate: "2026-11-20", payment: "TARJT", category: "Economy" },
    ...{ pickupAt: "2026-11-21T10:00:00", returnAt: "2026-11-25T18:00:00", pickup: PLACE, return: PLACE },
    vehicle: {
      ...{ brand: "Seat", model: "Ibiza", plate: "0000BBB", vin: "VSSZZZ00000000000" },
      ...{ color: "Blanco", kilometres: 1000 },
    },
    ...changes,
  };
}
