import type { ContractData } from "#domain/bookings/bookings.ts";
import { addDays } from "#domain/dates.ts";
import type { DemoContract } from "./contracts.ts";
import habits from "./habits.json" with { type: "json" };

/**
 * Creates the contract data that a customer enters before pickup
 * (docs/interfaces/booking-engine-vehicles.md#contract-data): driver's documents, address and flight.
 */
export function createContractData(contract: DemoContract): ContractData {
  const { customer, id, pickupPlace, units } = contract;
  const { documentIdDate, documentIdExpirationDate, originCountry } = customer;
  const isComplete = units.some(({ delivery }) => delivery) || id % 3 !== 0;
  if (documentIdDate === undefined || documentIdExpirationDate === undefined || !isComplete) return {};
  const airline = habits.airlines[id % habits.airlines.length] ?? "";
  const licenceFrom = addDays(documentIdDate, -400);
  return {
    driver_is_customer: "true",
    driver_name: customer.name,
    driver_surname: customer.surname,
    driver_document_id: customer.documentId,
    driver_document_id_date: documentIdDate,
    driver_document_id_expiration_date: documentIdExpirationDate,
    driver_origin_country: originCountry,
    driver_date_of_birth: customer.dateOfBirth ?? "",
    driver_driving_license_number: `${originCountry}${customer.documentId.slice(0, 8)}`,
    driver_driving_license_country: originCountry,
    driver_driving_license_date: licenceFrom,
    driver_driving_license_expiration_date: addDays(licenceFrom, 15 * 365),
    customer_address_street: customer.addressStreet,
    customer_address_number: customer.addressNumber,
    customer_address_city: customer.addressCity,
    customer_address_state: customer.addressState,
    customer_address_country: originCountry,
    customer_address_zip: customer.addressZip,
    ...(pickupPlace.placeType === "airport" && {
      flight_company: airline,
      flight_number: `${airline}${1_000 + ((id * 37) % 8_999)}`,
    }),
  };
}
