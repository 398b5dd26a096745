import { type CustomerListMessage, customerFilters } from "./customer-messages.ts";
import { type ExpenseListMessage, expenseFilters } from "./expense-messages.ts";
import { type TableColumns, tableQueryFields } from "./export-table-messages.ts";
import { type QuoteListMessage, quoteFilters } from "./quote-messages.ts";
import { reservationFilters } from "./request-messages.ts";
import type { ReservationListMessage } from "./reservation-messages.ts";
import { type VehicleListMessage, vehicleFilters } from "./vehicle-messages.ts";

/** Query parameters of each table: the filters of its list, and the options of the format. */
export const tableExportQueries = {
  reservations: reservationFilters.extend(tableQueryFields),
  vehicles: vehicleFilters.extend(tableQueryFields),
  customers: customerFilters.extend(tableQueryFields),
  expenses: expenseFilters.extend(tableQueryFields),
  quotes: quoteFilters.extend(tableQueryFields),
} as const;

type Reservation = ReservationListMessage["data"][number];
type Line = Reservation["reservation_lines"][number];

/** Formats the quantities and categories of a reservation, such as `2 A, 1 B`. */
const formatLines = (lines: readonly Line[]) =>
  lines.map(({ quantity, item_id: id }) => `${quantity} ${id}`).join(", ");

export const RESERVATION_COLUMNS: TableColumns<Reservation> = [
  ["id", ({ id }) => id, "number"],
  ["status", ({ status }) => status],
  ["date_from", ({ date_from: date }) => date, "date"],
  ["time_from", ({ time_from: time }) => time],
  ["pickup_place", ({ pickup_place: place }) => place],
  ["date_to", ({ date_to: date }) => date, "date"],
  ["time_to", ({ time_to: time }) => time],
  ["return_place", ({ return_place: place }) => place],
  ["days", ({ days }) => days, "number"],
  ["category_code", ({ reservation_lines: lines }) => formatLines(lines)],
  ["customer_fullname", ({ customer_fullname: name }) => name],
  ["customer_document_id", ({ customer_document_id: id }) => id],
  ["customer_email", ({ customer_email: email }) => email],
  ["customer_phone", ({ customer_phone: phone }) => phone],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["return_rental_location_code", ({ return_rental_location_code: code }) => code],
  ["sales_channel_code", ({ sales_channel_code: code }) => code],
  ["agency_reservation_id", ({ agency_reservation_id: id }) => id],
  ["promotion_code", ({ promotion_code: code }) => code],
  ["total_cost", ({ total_cost: amount }) => amount, "number"],
  ["total_paid", ({ total_paid: amount }) => amount, "number"],
  ["total_pending", ({ total_pending: amount }) => amount, "number"],
  ["deposit_held", ({ deposit_held: amount }) => amount, "number"],
  ["created", ({ created }) => created],
  ["notes", ({ notes }) => notes],
];

export const VEHICLE_COLUMNS: TableColumns<VehicleListMessage["data"][number]> = [
  ["reference", ({ reference }) => reference],
  ["name", ({ name }) => name],
  ["stock_plate", ({ stock_plate: plate }) => plate],
  ["category_code", ({ category_code: code }) => code],
  ["stock_brand", ({ stock_brand: brand }) => brand],
  ["stock_model", ({ stock_model: model }) => model],
  ["stock_vin", ({ stock_vin: vin }) => vin],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["state", ({ state }) => state],
  ["active", ({ active }) => String(active)],
  ["needs_cleaning", ({ needs_cleaning: needsCleaning }) => String(needsCleaning)],
  ["usage_units", ({ usage_units: units }) => units, "number"],
  ["inspection_due", ({ inspection_due: date }) => date, "date"],
  ["insured_until", ({ insured_until: date }) => date, "date"],
  ["service_due", ({ service_due: date }) => date, "date"],
];

export const CUSTOMER_COLUMNS: TableColumns<CustomerListMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["customer_type", ({ customer_type: type }) => type],
  ["full_name", ({ full_name: name }) => name],
  ["document_id", ({ document_id: id }) => id],
  ["email", ({ email }) => email],
  ["phone_number", ({ phone_number: phone }) => phone],
  ["discount_percent", ({ discount_percent: percent }) => percent, "number"],
  ["marketing_consent", ({ marketing }) => String(marketing.consents)],
];

export const EXPENSE_COLUMNS: TableColumns<ExpenseListMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["date", ({ date }) => date, "date"],
  ["booking_item_reference", ({ booking_item_reference: reference }) => reference],
  ["stock_plate", ({ stock_plate: plate }) => plate],
  ["account", ({ account }) => account],
  ["concept", ({ concept }) => concept],
  ["description", ({ description }) => description],
  ["reference", ({ reference }) => reference],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["total_without_taxes", ({ total_without_taxes: amount }) => amount, "number"],
  ["discount", ({ discount }) => discount, "number"],
  ["subtotal", ({ subtotal }) => subtotal, "number"],
  ["total_taxes", ({ total_taxes: amount }) => amount, "number"],
  ["total", ({ total }) => total, "number"],
];

export const QUOTE_COLUMNS: TableColumns<QuoteListMessage["data"][number]> = [
  ["number", ({ number }) => number],
  ["status", ({ status }) => status],
  ["created", ({ created }) => created.slice(0, 10), "date"],
  ["valid_until", ({ valid_until: until }) => until],
  ["customer_fullname", ({ customer }) => `${customer.name} ${customer.surname}`.trim()],
  ["customer_email", ({ customer }) => customer.email],
  ["date_from", ({ date_from: date }) => date, "date"],
  ["date_to", ({ date_to: date }) => date, "date"],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["total_cost", ({ total_cost: amount }) => amount, "number"],
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
];
