import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import type {
  CustomerForIntegration,
  VehicleForIntegration,
  VehicleWithNames,
} from "#worker/usecases/reporting/read-models.ts";
import { formatMoneyOrNull, type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const FUELS = ["none", "petrol", "diesel", "electric", "hybrid"] as const;
const ACQUISITIONS = ["purchase", "renting", "rented", "supplier", "virtual"] as const;
const HUNDREDTHS = 2;

const itemShape = {
  reference: z.string(),
  object: z.literal("booking_item"),
  name: z.string(),
  category_code: z.string(),
  ...acrissFields,
  rental_storage_id: z.number(),
  owner_rental_storage_id: z.number(),
  rental_location_code: z.string(),
  stock_brand: nullableText,
  stock_model: nullableText,
  stock_plate: nullableText,
  stock_reference: nullableText,
  stock_color: nullableText,
  characteristic_1: nullableText,
  characteristic_2: nullableText,
  characteristic_3: nullableText,
  characteristic_4: nullableText,
  purchasable_acquisition_mode: z.enum(ACQUISITIONS),
  purchasable_adquisition_date: nullableText, // sic
  purchasable_sold_release_date: nullableText,
  purchasable_purchase_price: nullableText,
  purchasable_purchase_units: z.number().nullable(),
  purchasable_sale_price: nullableText,
  purchasable_renting_monthly_fee: nullableText,
  purchasable_insurance_monthly_fee: nullableText,
  purchasable_renting_duration: z.number().nullable(),
  usage_units: z.number(),
  usage_available_fuel: nullableText,
  fuel: z.enum(FUELS),
  tank_capacity: nullableText,
  active: z.boolean(),
  assignable: z.boolean(),
  creation_date: timestampTextSchema,
  last_update: timestampTextSchema,
};

export const integrationVehicleSchema = z.object(itemShape).meta({ id: "BookingItem" });

export function toIntegrationVehicleMessage(
  row: VehicleForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationVehicleSchema> {
  return {
    reference: row.reference,
    object: "booking_item",
    name: row.name,
    category_code: row.categoryCode,
    ...messageFormat.acriss(row.categoryCode),
    rental_storage_id: row.branchGroupId,
    owner_rental_storage_id: row.ownerBranchGroupId,
    rental_location_code: row.branchCode,
    stock_brand: row.brand,
    stock_model: row.model,
    stock_plate: row.plate,
    stock_reference: row.alias,
    stock_color: row.color,
    characteristic_1: row.characteristic1,
    characteristic_2: row.characteristic2,
    characteristic_3: row.characteristic3,
    characteristic_4: row.characteristic4,
    ...toPurchase(row, messageFormat),
    usage_units: row.usageUnits,
    usage_available_fuel: row.usageAvailableFuel,
    fuel: row.fuel as (typeof FUELS)[number],
    tank_capacity: row.tankCapacityHundredths === null ? null : toAmount(row.tankCapacityHundredths, HUNDREDTHS),
    active: row.active,
    assignable: row.assignable,
    creation_date: messageFormat.timestamp(row.createdAt),
    last_update: messageFormat.timestamp(row.lastUpdate),
  };
}

function toPurchase(row: VehicleForIntegration, messageFormat: MessageFormat) {
  return {
    purchasable_acquisition_mode: row.acquisitionMode as (typeof ACQUISITIONS)[number],
    purchasable_adquisition_date: row.acquisitionDate,
    purchasable_sold_release_date: row.soldReleaseDate,
    purchasable_purchase_price: formatMoneyOrNull(row.purchasePriceCents, messageFormat),
    purchasable_purchase_units: row.purchaseUnits,
    purchasable_sale_price: formatMoneyOrNull(row.salePriceCents, messageFormat),
    purchasable_renting_monthly_fee: formatMoneyOrNull(row.rentingMonthlyFeeCents, messageFormat),
    purchasable_insurance_monthly_fee: formatMoneyOrNull(row.insuranceMonthlyFeeCents, messageFormat),
    purchasable_renting_duration: row.rentingDuration,
  };
}

/** Vehicle with the display names of related records. */
export const integrationVehicleWithNamesSchema = z
  .object({
    id: z.number(),
    ...itemShape,
    category_name: nullableText,
    rental_storage_name: nullableText,
    owner_rental_storage_name: nullableText,
    rental_location_name: nullableText,
  })
  .meta({ id: "NamedBookingItem" });

export function toIntegrationVehicleWithNamesMessage(
  row: VehicleWithNames,
  messageFormat: MessageFormat,
): z.output<typeof integrationVehicleWithNamesSchema> {
  return {
    id: row.id,
    ...toIntegrationVehicleMessage(row, messageFormat),
    category_name: row.categoryName,
    rental_storage_name: row.branchGroupName,
    owner_rental_storage_name: row.ownerBranchGroupName,
    rental_location_name: row.branchName,
  };
}

export const integrationCustomerSchema = z
  .object({
    id: z.number(),
    object: z.literal("customer"),
    customer_type: z.string(),
    full_name: nullableText,
    name: z.string(),
    surname: z.string(),
    document_id: nullableText,
    document_id_date: nullableText,
    document_id_expiration_date: nullableText,
    origin_country: nullableText,
    date_of_birth: nullableText,
    rental_location_code: nullableText,
    sales_channel_code: nullableText,
    language: nullableText,
    email: nullableText,
    phone_number_prefix: nullableText,
    phone_number: nullableText,
    mobile_phone_prefix: nullableText,
    mobile_phone: nullableText,
    address_street: nullableText,
    address_number: nullableText,
    address_complement: nullableText,
    address_city: nullableText,
    address_state: nullableText,
    address_country: nullableText,
    address_zip: nullableText,
    merged_into_id: z.number().nullable(),
    creation_date: timestampTextSchema,
    last_update: timestampTextSchema,
  })
  .meta({ id: "Customer" });

export function toIntegrationCustomerMessage(
  row: CustomerForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationCustomerSchema> {
  return {
    id: row.id,
    object: "customer",
    customer_type: row.customerType,
    full_name: row.fullName,
    name: row.name,
    surname: row.surname,
    document_id: row.documentId,
    document_id_date: row.documentIdDate,
    document_id_expiration_date: row.documentIdExpirationDate,
    origin_country: row.originCountry,
    date_of_birth: row.dateOfBirth,
    rental_location_code: messageFormat.ofBranches(row.branchCode),
    sales_channel_code: messageFormat.ofChannels(row.salesChannelCode),
    language: row.language,
    email: row.email,
    phone_number_prefix: row.phoneNumberPrefix,
    phone_number: row.phoneNumber,
    mobile_phone_prefix: row.mobilePhonePrefix,
    mobile_phone: row.mobilePhone,
    address_street: row.addressStreet,
    address_number: row.addressNumber,
    address_complement: row.addressComplement,
    address_city: row.addressCity,
    address_state: row.addressState,
    address_country: row.addressCountry,
    address_zip: row.addressZip,
    merged_into_id: row.mergedIntoId,
    creation_date: messageFormat.timestamp(row.createdAt),
    last_update: messageFormat.timestamp(row.lastUpdate),
  };
}
