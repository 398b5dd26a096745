import type { ActionQuote } from "#office/desk/quote.ts";
import type { Reservation } from "#office/desk/reservation.ts";

/** A name that is longer than most, and a word that doesn't fit into a narrow column. */
export const LONG_NAME = "Maria del Carme Fernández-Villaverde i Montgomery-Hohenstaufen von der Lüneburger Heide";
export const LONG_WORD = "Fahrzeugübergabeprotokollnachbearbeitungsbestätigung";

/** Sample reservation with only the fields that the shown components use. */
export const sampleReservation = {
  ...{ id: 4711, version: 3, kind: "rental", status: "confirmed", days: 4, notes: null },
  ...{ date_from: "2031-06-01", time_from: "10:00", date_to: "2031-06-05", time_to: "10:00" },
  ...{ pickup_place: "Palma", return_place: "Palma", pickup_place_id: 1, return_place_id: 1 },
  ...{ rental_location_code: "PMI", return_rental_location_code: "PMI", promotion_code: null, driver_age: 35 },
  ...{ customer_fullname: "Ana Ruiz Mora", customer_email: "ana@example.com", customer_phone: "+34 600 000 000" },
  ...{
    total_cost: "210.00",
    total_paid: "60.00",
    total_pending: "150.00",
    to_refund: "0.00",
    cancellation_reason: null,
  },
  ...{ reservation_lines: [{ item_id: "ECON", item_description: "Economy", quantity: 1 }] },
  ...{ reservation_extras: [], units: [{ id: 1, reference: "1234ABC", delivered: null, collected: null }] },
} as unknown as Reservation;

/** Price of a change of the reservation. */
export const sampleQuote = {
  ...{ allowed: true, move: "change", reasons: [], warnings: [{ code: "above_cost", params: {} }] },
  ...{ transfer: null, difference: "35.00", fee: "0.00", to_refund: "0.00", return_charges: null },
  quote: {
    ...{ date_from: "2031-06-01", time_from: "10:00", date_to: "2031-06-06", time_to: "10:00", days: 5 },
    ...{ item_cost: "200.00", extras_cost: "45.00", total_cost: "245.00", total_deposit: "300.00" },
    products: [{ category_code: "ECON", description: "Economy", quantity: 1, cost: "200.00" }],
    extras: [{ code: "SEAT", description: "Child seat", quantity: 2, cost: "45.00" }],
  },
} as unknown as ActionQuote;
