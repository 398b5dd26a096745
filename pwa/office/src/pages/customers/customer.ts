import type { Immutable } from "#shared/immutable.ts";
import type {
  CustomerChangeRequest,
  CustomerDetailMessage,
  CustomerListMessage,
} from "#worker/api/office/customer-messages.ts";
import { account } from "../../account.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { getLanguageName } from "../../desk/names.ts";
import { getTaxNumberWarning } from "../../desk/tax-number-warning.ts";
import { t } from "../../texts.ts";
import { listCustomerLanguages } from "../text-languages.ts";

/** A customer in the office API. */
export type Customer = Immutable<CustomerListMessage["data"][number]>;

export type Marketing = Customer["marketing"];

export type CustomerDetail = Immutable<CustomerDetailMessage>;

export const getCustomerName = ({ full_name, name, surname }: Customer) =>
  full_name ?? [name, surname].filter(Boolean).join(" ");

/** Formats a phone number with the country code and a plus. */
export function formatPhone({ phone_number_prefix: prefix, phone_number: number }: Customer): string {
  const country = prefix?.replace(/^(?:\+|00)/, "");
  return number ? [country && `+${country}`, number].filter(Boolean).join("\u00a0") : "";
}

const TYPES = ["individual", "legal_entity", "group_company", "internal_department"] as const;
export const listCustomerTypeChoices = () => TYPES.map((type) => [type, t(`customerType.${type}`)] as const);

const FORMATS = ["none", "ubl", "xrechnung", "cii", "facturx", "facturae"] as const;
const formatChoices = () =>
  FORMATS.map((format) => [format, format === "none" ? t("noEInvoice") : t(`option.${format}`)] as const);

/** Returns the editable customer fields, with a warning about the values. */
export function listCustomerFields(
  values: FormValues = {},
): readonly FormField<Exclude<keyof Customer & keyof CustomerChangeRequest, "do_not_rent">>[] {
  const branches = account.value.rental_locations.map(({ code, name }) => [code, name] as const);
  const languages = listCustomerLanguages(account.value).map(
    (language) => [language, getLanguageName(language)] as const,
  );
  return [
    { name: "customer_type", kind: "choice", required: true, choices: listCustomerTypeChoices(), isWide: true },
    { name: "name", kind: "text", required: true, label: "in.customer.name" },
    { name: "surname", kind: "text", label: "in.customer.surname" },
    {
      ...{ name: "document_id", kind: "text", label: "in.customer.document_id" },
      ...getTaxNumberWarning(values["document_id"], {
        isCompany: values["customer_type"] !== "individual",
        country: values["origin_country"] || values["address_country"],
      }),
    },
    { name: "document_id_expiration_date", kind: "date" },
    { name: "date_of_birth", kind: "date" },
    { name: "origin_country", kind: "text", hint: "countryHint" },
    { name: "email", kind: "email", label: "in.customer.email" },
    { name: "language", kind: "choice", choices: languages },
    { name: "phone_number_prefix", kind: "text" },
    { name: "phone_number", kind: "text", label: "in.customer.phone" },
    { name: "address_street", kind: "text" },
    { name: "address_number", kind: "text" },
    { name: "address_complement", kind: "text" },
    { name: "address_zip", kind: "text" },
    { name: "address_city", kind: "text" },
    { name: "address_state", kind: "text" },
    { name: "address_country", kind: "text", hint: "countryHint" },
    { name: "rental_location_code", kind: "choice", choices: branches },
    { name: "payment_terms_days", kind: "whole", label: "paymentTerms" },
    { name: "discount_percent", kind: "percent", label: "customerDiscount" },
    { name: "einvoice_format", kind: "choice", choices: formatChoices() },
    { name: "buyer_reference", kind: "text" },
    { name: "einvoice_endpoint", kind: "text", hint: "endpointHint" },
    { name: "dir3_accounting_office", kind: "text" },
    { name: "dir3_managing_body", kind: "text" },
    { name: "dir3_processing_unit", kind: "text" },
  ];
}
