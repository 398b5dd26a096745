import { z } from "zod";
import { CONSENT_SOURCES, hasMarketingConsent, type MarketingConsent } from "#domain/access/consent.ts";
import type { MergeableCustomerField } from "#domain/access/merged-customer.ts";
import { isElectronicAddress } from "#domain/e-invoices/electronic-address.ts";
import { EINVOICE_FORMATS, type EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { formatRateAsPercent, parseAmount } from "#domain/money.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { integrationCustomerSchema, toIntegrationCustomerMessage } from "#worker/api/integration/vehicle-messages.ts";
import {
  birthDate,
  civilDateSchema,
  commaSeparatedIdsSchema,
  countryCode,
  createRefineOptions,
  documentNumber,
  emailAddressSchema,
  integerTextSchema,
  languageCode,
  MAX_ID,
  pastedCodeSchema,
  percentageTextSchema,
  personName,
  phoneNumber,
  phonePrefix,
  reasonText,
  searchedTextSchema,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { officeFailureAnswer } from "./failure-messages.ts";
import { totalIsExactSchema } from "./list-messages.ts";
import { reservationHistoryEntrySchema, toHistoryEntryMessage } from "./reservation-messages.ts";
import { checkCursorMatchesSort, createSortFields, sortedIdCursorField } from "./sort-messages.ts";

const TYPES = ["individual", "legal_entity", "group_company", "internal_department"] as const;

const consentSource = z.enum(CONSENT_SOURCES, `must be one of ${CONSENT_SOURCES.join(", ")}`);

const EINVOICE_CHOICES = ["none", ...EINVOICE_FORMATS] as const;
const stored = (description: string) => z.string().nullable().meta({ description });
const einvoiceShape = {
  einvoice_format: z
    .enum(EINVOICE_CHOICES)
    .nullable()
    .meta({ description: "Format of electronic invoices. Null for the company's" }),
  buyer_reference: stored("Reference that their invoices must name. In Germany the Leitweg-ID"),
  einvoice_endpoint: stored("Electronic address with its scheme: 9920:ESB12345674"),
  dir3_accounting_office: stored("DIR3 code of the accounting office of a Spanish administration"),
  dir3_managing_body: stored("DIR3 code of the managing body"),
  dir3_processing_unit: stored("DIR3 code of the processing unit"),
};

const listed = integrationCustomerSchema
  .extend({
    version: z.int(),
    discount_percent: z.string().meta({ description: "Own discount, for reservations without another" }),
    do_not_rent: z
      .object({ reason: z.string() })
      .nullable()
      .meta({ description: "Why the company doesn't rent to them" }),
    payment_terms_days: z.int().meta({ description: "Days until the customer's invoices are due" }),
    ...einvoiceShape,
    merged_into_id: z.int().nullable().meta({ description: "Merged customer's current ID" }),
    marketing: z
      .object({
        consents: z.boolean().meta({ description: "Whether offers may be sent" }),
        consented_at: timestampTextSchema.nullable(),
        consent_door: consentSource.nullable(),
        withdrawn_at: timestampTextSchema.nullable(),
        withdrawn_door: consentSource.nullable(),
      })
      .meta({ description: "Last marketing consent or withdrawal" }),
  })
  .meta({ id: "OfficeCustomer" });

export const customerAnswer = z
  .object({
    customer: listed.extend({ contracts: z.int().meta({ description: "Number of contracts of the customer" }) }),
    history: z.array(reservationHistoryEntrySchema),
  })
  .meta({ id: "CustomerWithHistory" });
export type CustomerDetailMessage = z.output<typeof customerAnswer>;
export const customerHistoryAnswer = z.object({ data: z.array(reservationHistoryEntrySchema) });
export const customerList = z.object({
  data: z.array(listed),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type CustomerListMessage = z.output<typeof customerList>;
/** Rejection of a new customer, with the existing customers that may be the same person. */
export const customerDuplicateAnswer = officeFailureAnswer
  .extend({
    candidates: z
      .array(
        z.object({
          id: z.int(),
          full_name: z.string().nullable(),
          document_id: z.string().nullable(),
          email: z.string().nullable(),
          phone_number: z.string().nullable(),
        }),
      )
      .optional()
      .meta({ description: "Customers with the same document, email or phone number (possible_duplicate)" }),
  })
  .meta({ id: "CustomerDuplicate" });
export type CustomerDuplicateMessage = z.output<typeof customerDuplicateAnswer>;
export const customerConflictAnswer = officeFailureAnswer
  .extend(customerAnswer.partial().shape)
  .meta({ id: "CustomerConflict" });

export const customerParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });

/** Filters of the list of customers and of its table. */
export const customerFilters = z.object({
  q: searchedTextSchema(60).optional().meta({ description: "Any part of the name, document, mail or phone" }),
  customer_type: z.enum(TYPES).optional(),
  rental_location_code: textLineSchema(30).optional(),
  ids: commaSeparatedIdsSchema,
  ...createSortFields("customers"),
});
export const officeCustomersQuery = customerFilters
  .extend({ page_size: integerTextSchema(200, 1).default(50), after: sortedIdCursorField.optional() })
  .superRefine(checkCursorMatchesSort);

const MAX_TERMS_DAYS = 365;
/** Data of a customer. Null empties a field. */
const customerFields = {
  customer_type: z.enum(TYPES, `must be one of ${TYPES.join(", ")}`).optional(),
  surname: personName(100).optional(),
  document_id: documentNumber(50).nullish(),
  document_id_date: civilDateSchema.nullish(),
  document_id_expiration_date: civilDateSchema.nullish(),
  origin_country: countryCode.nullish(),
  date_of_birth: birthDate.nullish(),
  rental_location_code: textLineSchema(30).optional(),
  language: languageCode.nullish(),
  email: emailAddressSchema().nullish(),
  phone_number_prefix: phonePrefix(10).nullish(),
  phone_number: phoneNumber(30).nullish(),
  mobile_phone_prefix: phonePrefix(10).nullish(),
  mobile_phone: phoneNumber(30).nullish(),
  address_street: textLineSchema(100).nullish(),
  address_number: textLineSchema(20).nullish(),
  address_complement: textLineSchema(50).nullish(),
  address_city: textLineSchema(100).nullish(),
  address_state: textLineSchema(100).nullish(),
  address_country: countryCode.nullish(),
  address_zip: pastedCodeSchema(20).nullish(),
  einvoice_format: z.enum(EINVOICE_CHOICES, `must be one of ${EINVOICE_CHOICES.join(", ")}`).nullish(),
  buyer_reference: textLineSchema(60).nullish(),
  einvoice_endpoint: textLineSchema(90)
    .refine(isElectronicAddress, createRefineOptions("form", "scheme:address such as 9920:ESB12345674"))
    .nullish(),
  dir3_accounting_office: pastedCodeSchema(10).nullish(),
  dir3_managing_body: pastedCodeSchema(10).nullish(),
  dir3_processing_unit: pastedCodeSchema(10).nullish(),
  discount_percent: percentageTextSchema.optional(),
  do_not_rent: z
    .strictObject({ reason: reasonText(500) }, "must be an object with a reason")
    .nullish()
    .meta({ description: "Mark of customers to whom the company doesn't rent. Null removes it. Managers only" }),
  payment_terms_days: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(MAX_TERMS_DAYS, `must be at most ${MAX_TERMS_DAYS}`)
    .optional(),
};

export const customerBody = z
  .strictObject(
    {
      name: personName(100),
      ...customerFields,
      confirm_new: z
        .boolean("must be true or false")
        .optional()
        .meta({ description: "Creates the customer although others have the same document, email or phone number" }),
    },
    "must be an object",
  )
  .meta({ id: "NewCustomer" });
export type CustomerRequest = z.input<typeof customerBody>;
export const customerChangeBody = z
  .strictObject({
    expected_version: z.int("must be a whole number").min(1),
    name: personName(100).optional(),
    ...customerFields,
  })
  .meta({ id: "CustomerChange" });
export type CustomerChangeRequest = z.input<typeof customerChangeBody>;
/** Fields of a merge by their names in the interface. */
const MERGED_FIELDS = {
  customer_type: "customerType",
  name: "name",
  surname: "surname",
  document_id: "documentId",
  document_id_date: "documentIdDate",
  document_id_expiration_date: "documentIdExpirationDate",
  origin_country: "originCountry",
  date_of_birth: "dateOfBirth",
  rental_location_code: "branchCode",
  language: "language",
  email: "email",
  phone_number_prefix: "phoneNumberPrefix",
  phone_number: "phoneNumber",
  mobile_phone_prefix: "mobilePhonePrefix",
  mobile_phone: "mobilePhone",
  address_street: "addressStreet",
  address_number: "addressNumber",
  address_complement: "addressComplement",
  address_city: "addressCity",
  address_state: "addressState",
  address_country: "addressCountry",
  address_zip: "addressZip",
  payment_terms_days: "paymentTermsDays",
  discount_percent: "discountBasisPoints",
  einvoice_format: "einvoiceFormat",
  buyer_reference: "buyerReference",
  einvoice_endpoint: "einvoiceEndpoint",
  dir3_accounting_office: "dir3AccountingOffice",
  dir3_managing_body: "dir3ManagingBody",
  dir3_processing_unit: "dir3ProcessingUnit",
} as const satisfies Readonly<Record<string, MergeableCustomerField>>;
type MergedName = keyof typeof MERGED_FIELDS;
const MERGED_NAMES = Object.keys(MERGED_FIELDS) as [MergedName, ...MergedName[]];

export const customerMergeBody = z
  .strictObject(
    {
      into: z.int("must be a whole number").min(1),
      reason: textLineSchema(500).optional(),
      take: z
        .array(z.enum(MERGED_NAMES, `must be one of ${MERGED_NAMES.join(", ")}`), "must be a list of fields")
        .max(MERGED_NAMES.length)
        .optional()
        .meta({ description: "Fields whose values come from the merged customer, unless empty" }),
    },
    "must be an object",
  )
  .meta({ id: "CustomerMerge" });
export type CustomerMergeRequest = z.input<typeof customerMergeBody>;

/** Converts the request of a merge. */
export function toCustomerMerge({ into, reason, take = [] }: z.output<typeof customerMergeBody>) {
  return { into, reason, taken: take.map((name) => MERGED_FIELDS[name]) };
}

export const customerMergePreviewAnswer = z
  .object({
    reservations: z.int(),
    paid_reservations: z.int().meta({ description: "Reservations whose invoices they get" }),
    draft_documents: z.int(),
    quotes: z.int(),
    notes: z.int(),
    tasks: z.int(),
    files: z.int(),
    users: z.int().meta({ description: "1 if the customer can sign in" }),
    issued_documents: z.int().meta({ description: "Number of issued documents, which stay with the merged customer" }),
  })
  .meta({ id: "MergePreview" });
export type CustomerMergePreviewMessage = z.output<typeof customerMergePreviewAnswer>;

export function toCustomerMergePreviewMessage(preview: MergePreview): CustomerMergePreviewMessage {
  const { reservations, quotes, notes, tasks, files, users } = preview;
  return {
    ...{ reservations, quotes, notes, tasks, files, users },
    paid_reservations: preview.paidReservations,
    draft_documents: preview.draftDocuments,
    issued_documents: preview.issuedDocuments,
  };
}

/** Counts of the records that a merge moves. */
type MergePreview = {
  readonly [Name in
    | "reservations"
    | "paidReservations"
    | "draftDocuments"
    | "issuedDocuments"
    | "quotes"
    | "notes"
    | "tasks"
    | "files"
    | "users"]: number;
};

type CustomerInput = Omit<z.output<typeof customerChangeBody>, "expected_version" | "name">;

/** Converts the sent customer fields to their internal names, leaving out missing ones. */
export function toCustomerChange(body: CustomerInput) {
  const change = {
    customerType: body.customer_type,
    surname: body.surname,
    documentId: body.document_id,
    documentIdDate: body.document_id_date,
    documentIdExpirationDate: body.document_id_expiration_date,
    originCountry: body.origin_country,
    dateOfBirth: body.date_of_birth,
    branchCode: body.rental_location_code,
    language: body.language,
    email: body.email,
    phoneNumberPrefix: body.phone_number_prefix,
    phoneNumber: body.phone_number,
    mobilePhonePrefix: body.mobile_phone_prefix,
    mobilePhone: body.mobile_phone,
    addressStreet: body.address_street,
    addressNumber: body.address_number,
    addressComplement: body.address_complement,
    addressCity: body.address_city,
    addressState: body.address_state,
    addressCountry: body.address_country,
    addressZip: body.address_zip,
    einvoiceFormat: body.einvoice_format,
    buyerReference: body.buyer_reference,
    einvoiceEndpoint: body.einvoice_endpoint,
    dir3AccountingOffice: body.dir3_accounting_office,
    dir3ManagingBody: body.dir3_managing_body,
    dir3ProcessingUnit: body.dir3_processing_unit,
    discountBasisPoints: body.discount_percent === undefined ? undefined : parseAmount(body.discount_percent, 2),
    doNotRentReason: body.do_not_rent === undefined ? undefined : (body.do_not_rent?.reason ?? null),
    paymentTermsDays: body.payment_terms_days,
  };
  type Change = { readonly [Name in keyof typeof change]?: Exclude<(typeof change)[Name], undefined> };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
}

type StoredCustomer = Parameters<typeof toIntegrationCustomerMessage>[0] & {
  readonly version: number;
  readonly mergedIntoId: number | null;
  readonly discountBasisPoints: number;
  readonly doNotRentReason: string | null;
  readonly paymentTermsDays: number;
  readonly einvoiceFormat: EInvoiceFormat | "none" | null;
  readonly buyerReference: string | null;
  readonly einvoiceEndpoint: string | null;
  readonly dir3AccountingOffice: string | null;
  readonly dir3ManagingBody: string | null;
  readonly dir3ProcessingUnit: string | null;
} & MarketingConsent;

export function toCustomerListRowMessage(row: StoredCustomer, messageFormat: MessageFormat): z.output<typeof listed> {
  const moment = (at: number | null) => (at === null ? null : messageFormat.timestamp(at));
  return {
    ...toIntegrationCustomerMessage(row, messageFormat),
    version: row.version,
    merged_into_id: row.mergedIntoId,
    discount_percent: formatRateAsPercent(row.discountBasisPoints),
    do_not_rent: row.doNotRentReason === null ? null : { reason: row.doNotRentReason },
    payment_terms_days: row.paymentTermsDays,
    einvoice_format: row.einvoiceFormat,
    buyer_reference: row.buyerReference,
    einvoice_endpoint: row.einvoiceEndpoint,
    dir3_accounting_office: row.dir3AccountingOffice,
    dir3_managing_body: row.dir3ManagingBody,
    dir3_processing_unit: row.dir3ProcessingUnit,
    marketing: {
      consents: hasMarketingConsent(row),
      consented_at: moment(row.marketingConsentAt),
      consent_door: row.marketingConsentDoor,
      withdrawn_at: moment(row.marketingWithdrawnAt),
      withdrawn_door: row.marketingWithdrawnDoor,
    },
  };
}

export function toOfficeCustomerMessage(
  customerData: {
    readonly customer: StoredCustomer & { readonly contracts: number };
    readonly history: readonly Parameters<typeof toHistoryEntryMessage>[0][];
  },
  messageFormat: MessageFormat,
): z.output<typeof customerAnswer> {
  return {
    customer: {
      ...toCustomerListRowMessage(customerData.customer, messageFormat),
      contracts: customerData.customer.contracts,
    },
    history: customerData.history.map((entry) => toHistoryEntryMessage(entry, messageFormat)),
  };
}

/** Customer's consent to receive offers. */
export const marketingConsentBody = z
  .strictObject(
    {
      expected_version: z.int("must be a whole number").min(1),
      consents: z.boolean("must be true or false"),
      door: consentSource.meta({ description: "Where consent was given" }),
    },
    "must be an object",
  )
  .meta({ id: "MarketingConsent" });
export type MarketingConsentRequest = z.input<typeof marketingConsentBody>;

export const customerErasureBody = z.strictObject({ reason: textLineSchema(200) });
export type CustomerErasureRequest = z.input<typeof customerErasureBody>;

const storedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** All stored data of a person. */
export const personalDataAnswer = z.object({
  data: z.record(z.string(), z.array(storedRow)).meta({ description: "Stored rows by table" }),
  files: z
    .array(z.string())
    .meta({ description: "Photos, signatures, signed texts and files of the card: where each is read" }),
});

export function toPersonalDataMessage(
  data: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>,
): z.output<typeof personalDataAnswer> {
  const files = [...(data["check_in_files"] ?? []), ...(data["check_in_contracts"] ?? [])];
  return {
    data: Object.fromEntries(Object.entries(data).map(([table, rows]) => [table, rows.map((row) => ({ ...row }))])),
    files: [
      ...files.map((file) => `/api/v1/booking/${String(file["booking_id"])}/check-in-files/${String(file["hash"])}`),
      ...(data["customer_files"] ?? []).map(
        (file) => `/api/v1/office/customers/${String(file["customer_id"])}/files/${String(file["file_key"])}`,
      ),
    ],
  };
}

const VIEWED_TYPES = { individuals: "individual", companies: "legal_entity" } as const;

/** Converts a query to the filter of customers. */
export function toCustomerFilter(query: Omit<z.output<typeof customerFilters>, "sort">) {
  return {
    text: query.q,
    customerType: query.customer_type ?? (query.view && VIEWED_TYPES[query.view]),
    branchCode: query.rental_location_code,
    ids: query.ids,
  };
}
