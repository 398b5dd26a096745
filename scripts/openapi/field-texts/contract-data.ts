import type { FieldDescriptions } from "../describe-fields.ts";
import { addFieldNamePrefix, createNumberedFieldTexts } from "./phrases.ts";

const EMPTY = "Null or absent if unknown";
const DAY = "`yyyy-mm-dd`, in requests also `dd/mm/yyyy`";
const COUNTRY = "ISO 3166-1 alpha-2";

/** Creates the texts of a person's data that a contract needs. */
const person = (personRole: string): Readonly<Record<string, string>> => ({
  name: `First name of ${personRole}. ${EMPTY}`,
  surname: `Surname of ${personRole}. ${EMPTY}`,
  document_id: `Number of the identity document or passport of ${personRole}. ${EMPTY}`,
  document_id_type_id: `Type of the identity document of ${personRole}, an id of the document types. ${EMPTY}`,
  document_id_date: `Day of issue of that identity document. ${DAY}`,
  document_id_expiration_date: `Day on which that identity document expires. ${DAY}`,
  date_of_birth: `Day of birth of ${personRole}. ${DAY}`,
  driving_license_number: `Number of the driving licence of ${personRole}. ${EMPTY}`,
  driving_license_type_id: `Class of that driving licence, an id of the licence types. ${EMPTY}`,
  driving_license_type: `Class of that driving licence as text, such as B. ${EMPTY}`,
  driving_license_country: `Country that issued that driving licence, ${COUNTRY}. ${EMPTY}`,
  driving_license_date: `Day of issue of that driving licence. ${DAY}`,
  driving_license_expiration_date: `Day on which that driving licence expires. ${DAY}`,
  nacionality: `Nationality of ${personRole}, ${COUNTRY}. ${EMPTY}`,
  origin_country: `Country that issued the identity document of ${personRole}, ${COUNTRY}. ${EMPTY}`,
});

const phones = (personRole: string): Readonly<Record<string, string>> => ({
  email: `Email address of ${personRole}. ${EMPTY}`,
  phone: `Phone number of ${personRole} without its prefix. ${EMPTY}`,
  phone_prefix: `Country calling code of that phone number, digits only. ${EMPTY}`,
});

const postalAddress = (personRole: string): Readonly<Record<string, string>> => ({
  street: `Street of ${personRole}. ${EMPTY}`,
  number: `House number of ${personRole}. ${EMPTY}`,
  complement: `Floor, door or other part of the address of ${personRole}. ${EMPTY}`,
  city: `Town of ${personRole}. ${EMPTY}`,
  city_code: `Official code of the municipality of ${personRole}. ${EMPTY}`,
  state: `State or province of ${personRole}. ${EMPTY}`,
  state_code: `Official code of the province of ${personRole}. ${EMPTY}`,
  country: `Country of ${personRole}. ${EMPTY}`,
  zip: `Postcode of ${personRole}. ${EMPTY}`,
});

const { name: _, surname: __, origin_country: ___, document_id: ____, ...customerData } = person("the customer");

const ADDITIONAL = ["first", "second"] as const;

/** Texts of the data of customers and drivers that a contract and the authorities need. */
export const contractDataFieldDescriptions: FieldDescriptions = {
  name: "contract data",
  fields: {
    ...addFieldNamePrefix("customer_", customerData),
    customer_origin_country: `Country that issued the identity document of the customer, ${COUNTRY}. ${EMPTY}`,
    customer_phone_prefix: `Country calling code of the customer's phone number, digits only. ${EMPTY}`,
    customer_mobile_phone_prefix: `Country calling code of the second phone number, digits only. ${EMPTY}`,
    customer_second_surname: "Second surname of the customer, required for Spanish identity documents",
    customer_company_name: `Name of the company that rents. ${EMPTY}`,
    customer_company_document_id: `Tax id of the company that rents. ${EMPTY}`,
    customer_company_contact_name: `Contact person of the company that rents. ${EMPTY}`,
    ...addFieldNamePrefix("customer_address_", postalAddress("the customer")),
    customer_address: "Postal address of the customer",
    "customer_address.city_code": "Official code of the customer's municipality",
    "customer_address.state_code": "Official code of the customer's province",
    ...addFieldNamePrefix("driver_", person("the driver")),
    ...addFieldNamePrefix("driver_", phones("the driver")),
    driver_second_surname: "Second surname of the driver, required for Spanish identity documents",
    ...addFieldNamePrefix("driver_address_", postalAddress("the driver")),
    driver_address_country_code: `Country of the driver, ${COUNTRY}. ${EMPTY}`,
    ...addFieldNamePrefix("WebsiteBooking.address_", {
      street: `Street of the customer. ${EMPTY}`,
      number: `House number of the customer. ${EMPTY}`,
      complement: `Floor, door or other part of the address of the customer. ${EMPTY}`,
      city: `Town of the customer. ${EMPTY}`,
      state: `State or province of the customer. ${EMPTY}`,
      country: `Country of the customer. ${EMPTY}`,
      country_code: `Country of the customer, ${COUNTRY}. ${EMPTY}`,
      zip: `Postcode of the customer. ${EMPTY}`,
    }),
    driver_address: "Postal address of the driver",
    "driver_address.city_code": "Official code of the driver's municipality",
    "driver_address.state_code": "Official code of the driver's province",
    driver_is_customer: "Whether the customer drives, so that the driver's data is that of the customer",
    ...Object.assign(
      {},
      ...ADDITIONAL.map((which, index) => ({
        ...addFieldNamePrefix(`additional_driver_${index + 1}_`, person(`the ${which} additional driver`)),
        ...addFieldNamePrefix(`additional_driver_${index + 1}_`, phones(`the ${which} additional driver`)),
      })),
    ),
    ...createNumberedFieldTexts([1, 2], (n) => [
      `additional_driver_${n}_second_surname`,
      `Second surname of the ${ADDITIONAL[n - 1]} additional driver, required for Spanish identity documents`,
    ]),
    representative_name: "First name of the person who signs for a company",
    representative_surname: "Surname of the person who signs for a company",
    representative_second_surname: "Second surname of the person who signs for a company",
    representative_document_id: "Identity document of the person who signs for a company",
    "customer_address[street]": "Street of the customer, with house number",
    "customer_address[city]": "Town of the customer",
    "customer_address[city_code]": "Official code of the customer's municipality, five digits",
    "customer_address[zip]": "Postcode of the customer",
    "customer_address[country]": `Country of the customer, ${COUNTRY}`,
    flight_company: `Airline of the arrival. ${EMPTY}`,
    flight_number: `Flight number of the arrival. ${EMPTY}`,
    flight_time: `Expected time of the arrival, \`hh:mm\`. ${EMPTY}`,
    flight_company_departure: `Airline of the departure. ${EMPTY}`,
    flight_number_departure: `Flight number of the departure. ${EMPTY}`,
    flight_time_departure: `Time of the departure, \`hh:mm\`. ${EMPTY}`,
    flight_time_departura: "Same as `flight_time_departure`, as some websites spell it",
    flight_airport_origin: `Airport where the arriving flight starts. ${EMPTY}`,
    flight_airport_destination: `Airport where the departing flight lands. ${EMPTY}`,
    fligth_airport_origin: "Airport where the arriving flight starts. Spelled so by existing websites",
    fligth_airport_destination: "Airport where the departing flight lands. Spelled so by existing websites",
    destination_accommodation: `Hotel or other accommodation of the customer. ${EMPTY}`,
  },
};
