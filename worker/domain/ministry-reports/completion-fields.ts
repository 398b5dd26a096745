import type { BookingCustomer, ContractData } from "#domain/bookings/bookings.ts";

/** Fields that can be added for a report to the ministry, named as in `missing`, with their kind. */
export const COMPLETION_FIELD_KINDS = {
  customer_name: "name",
  customer_surname: "name",
  customer_second_surname: "name",
  customer_document_id: "number",
  customer_phone: "phone",
  customer_email: "email",
  "customer_address[street]": "text",
  "customer_address[city]": "text",
  "customer_address[city_code]": "municipality",
  "customer_address[zip]": "zip",
  "customer_address[country]": "country",
  representative_name: "name",
  representative_surname: "name",
  representative_second_surname: "name",
  representative_document_id: "number",
  driver_name: "name",
  driver_surname: "name",
  driver_second_surname: "name",
  driver_document_id: "number",
  driver_date_of_birth: "date",
  driver_origin_country: "country",
  driver_driving_license_number: "number",
  driver_driving_license_expiration_date: "date",
  additional_driver_1_name: "name",
  additional_driver_1_surname: "name",
  additional_driver_1_second_surname: "name",
  additional_driver_1_document_id: "number",
  additional_driver_1_driving_license_number: "number",
  additional_driver_1_driving_license_expiration_date: "date",
  additional_driver_2_name: "name",
  additional_driver_2_surname: "name",
  additional_driver_2_second_surname: "name",
  additional_driver_2_document_id: "number",
  additional_driver_2_driving_license_number: "number",
  additional_driver_2_driving_license_expiration_date: "date",
} as const;

/** Fields by which staff complete the data of a report to the ministry. */
export const COMPLETION_FIELDS = Object.keys(COMPLETION_FIELD_KINDS) as readonly CompletionField[];

/** Types of the values of these fields, such as a name or a date. */
export type CompletionFieldKind = (typeof COMPLETION_FIELD_KINDS)[CompletionField];

export type CompletionField = keyof typeof COMPLETION_FIELD_KINDS;

/** Values by field. Missing ones stay unchanged. */
export type ReportCompletion = { readonly [Name in CompletionField]?: string | undefined };

const COLUMNS = {
  customer_name: "name",
  customer_surname: "surname",
  customer_document_id: "documentId",
  customer_phone: "phone",
  customer_email: "email",
} as const satisfies Partial<Record<CompletionField, keyof BookingCustomer>>;

/** Completed data as stored in a booking: customer columns, and the rest of the contract data. */
export interface StoredCompletion {
  readonly customer: Partial<Pick<BookingCustomer, (typeof COLUMNS)[keyof typeof COLUMNS]>>;
  readonly contractData: ContractData;
}

/** Splits entered report data into columns of the booking and its contract data. Absent fields are left out. */
export function toStoredCompletion(completion: ReportCompletion): StoredCompletion {
  const entries = Object.entries(completion).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);
  return {
    customer: Object.fromEntries(entries.flatMap(([name, value]) => (isColumn(name) ? [[COLUMNS[name], value]] : []))),
    contractData: Object.fromEntries(
      entries.flatMap(([name, value]) => (isColumn(name) ? [] : [[name.replace(/\[(\w+)\]/, "_$1"), value]])),
    ),
  };
}
