import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import type {
  CustomerForIntegration,
  VehicleForIntegration,
  VehicleWithNames,
} from "#worker/usecases/reporting/read-models.ts";
import { formatMoneyOrNull, type MessageFormat, textOrNull, timestamp } from "./messages.ts";

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
  stock_brand: textOrNull,
  stock_model: textOrNull,
  stock_plate: textOrNull,
  stock_reference: textOrNull,
  stock_color: textOrNull,
  characteristic_1: textOrNull,
  characteristic_2: textOrNull,
  characteristic_3: textOrNull,
  characteristic_4: textOrNull,
  purchasable_acquisition_mode: z.enum(ACQUISITIONS),
  purchasable_adquisition_date: textOrNull, // sic
  purchasable_sold_release_date: textOrNull,
  purchasable_purchase_price: textOrNull,
  purchasable_purchase_units: z.number().nullable(),
  purchasable_sale_price: textOrNull,
  purchasable_renting_monthly_fee: textOrNull,
  purchasable_insurance_monthly_fee: textOrNull,
  purchasable_renting_duration: z.number().nullable(),
  usage_units: z.number(),
  usage_available_fuel: textOrNull,
  fuel: z.enum(FUELS),
  tank_capacity: textOrNull,
  active: z.boolean(),
  assignable: z.boolean(),
  creation_date: timestamp,
  last_update: timestamp,
};

export const bookingItem = z.object(itemShape).meta({ id: "BookingItem" });

export function toVehicleMessage(row: VehicleForIntegration, writing: MessageFormat): z.output<typeof bookingItem> {
  return {
    reference: row.reference,
    object: "booking_item",
    name: row.name,
    category_code: row.categoryCode,
    ...writing.acriss(row.categoryCode),
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
    ...toPurchase(row, writing),
    usage_units: row.usageUnits,
    usage_available_fuel: row.usageAvailableFuel,
    fuel: row.fuel as (typeof FUELS)[number],
    tank_capacity: row.tankCapacityHundredths === null ? null : toAmount(row.tankCapacityHundredths, HUNDREDTHS),
    active: row.active,
    assignable: row.assignable,
    creation_date: writing.timestamp(row.createdAt),
    last_update: writing.timestamp(row.lastUpdate),
  };
}

function toPurchase(row: VehicleForIntegration, writing: MessageFormat) {
  return {
    purchasable_acquisition_mode: row.acquisitionMode as (typeof ACQUISITIONS)[number],
    purchasable_adquisition_date: row.acquisitionDate,
    purchasable_sold_release_date: row.soldReleaseDate,
    purchasable_purchase_price: formatMoneyOrNull(row.purchasePriceCents, writing),
    purchasable_purchase_units: row.purchaseUnits,
    purchasable_sale_price: formatMoneyOrNull(row.salePriceCents, writing),
    purchasable_renting_monthly_fee: formatMoneyOrNull(row.rentingMonthlyFeeCents, writing),
    purchasable_insurance_monthly_fee: formatMoneyOrNull(row.insuranceMonthlyFeeCents, writing),
    purchasable_renting_duration: row.rentingDuration,
  };
}

/** Vehicle with the display names of related records. */
export const namedBookingItem = z
  .object({
    id: z.number(),
    ...itemShape,
    category_name: textOrNull,
    rental_storage_name: textOrNull,
    owner_rental_storage_name: textOrNull,
    rental_location_name: textOrNull,
  })
  .meta({ id: "NamedBookingItem" });

export function toNamedVehicleMessage(
  row: VehicleWithNames,
  writing: MessageFormat,
): z.output<typeof namedBookingItem> {
  return {
    id: row.id,
    ...toVehicleMessage(row, writing),
    category_name: row.categoryName,
    rental_storage_name: row.branchGroupName,
    owner_rental_storage_name: row.ownerBranchGroupName,
    rental_location_name: row.branchName,
  };
}

export const customer = z
  .object({
    id: z.number(),
    object: z.literal("customer"),
    customer_type: z.string(),
    full_name: textOrNull,
    name: z.string(),
    surname: z.string(),
    document_id: textOrNull,
    document_id_date: textOrNull,
    document_id_expiration_date: textOrNull,
    origin_country: textOrNull,
    date_of_birth: textOrNull,
    rental_location_code: textOrNull,
    sales_channel_code: textOrNull,
    language: textOrNull,
    email: textOrNull,
    phone_number_prefix: textOrNull,
    phone_number: textOrNull,
    mobile_phone_prefix: textOrNull,
    mobile_phone: textOrNull,
    address_street: textOrNull,
    address_number: textOrNull,
    address_complement: textOrNull,
    address_city: textOrNull,
    address_state: textOrNull,
    address_country: textOrNull,
    address_zip: textOrNull,
    merged_into_id: z.number().nullable(),
    creation_date: timestamp,
    last_update: timestamp,
  })
  .meta({ id: "Customer" });

export function toCustomerMessage(row: CustomerForIntegration, writing: MessageFormat): z.output<typeof customer> {
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
    rental_location_code: writing.ofBranches(row.branchCode),
    sales_channel_code: writing.ofChannels(row.salesChannelCode),
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
    creation_date: writing.timestamp(row.createdAt),
    last_update: writing.timestamp(row.lastUpdate),
  };
}
