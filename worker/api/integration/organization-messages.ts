import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { acrissFields, toAcrissFields } from "#worker/api/acriss-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type {
  BranchForIntegration,
  BranchGroupForIntegration,
  CategoryForIntegration,
  PlaceForIntegration,
} from "#worker/usecases/reporting/read-models.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const placed = {
  address_street_address: nullableText,
  address_city: nullableText,
  address_state: nullableText,
  address_zip: nullableText,
  address_country_code: nullableText,
  address_lat: z.number().nullable(),
  address_lng: nullableText.meta({ description: "Longitude in degrees as text. Null if unknown" }),
};
const dated = { creation_date: timestampTextSchema, last_update: timestampTextSchema };
const classified = { classifier_id: z.number().nullable(), classifier_name: nullableText };
const placeType = z.enum(["location", "airport", "harbor", "bus_station", "train_station", "accommodation", "hotel"]);

export const integrationBranchGroupSchema = z
  .object({
    id: z.number(),
    object: z.literal("rental_storage"),
    name: z.string(),
    ...classified,
    timezone: z.string(),
    ...placed,
    ...dated,
  })
  .meta({ id: "RentalStorage" });

export function toIntegrationBranchGroupMessage(
  row: BranchGroupForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationBranchGroupSchema> {
  return {
    id: row.id,
    object: "rental_storage",
    name: row.name,
    ...toClassifier(row),
    timezone: row.timezone,
    ...toAddress(row),
    ...toTimestamps(row, messageFormat),
  };
}

export const integrationBranchSchema = z
  .object({
    code: z.string(),
    object: z.literal("rental_location"),
    name: z.string(),
    ...classified,
    place_type: placeType,
    timezone: z.string(),
    currency: z.string(),
    rental_storage_id: z.number(),
    company_name: nullableText,
    document_id: nullableText,
    phone_number: nullableText,
    whatsapp_number: nullableText,
    email: nullableText,
    emergency_number: nullableText,
    commercial_register: nullableText,
    ...placed,
    ...dated,
  })
  .meta({ id: "RentalLocation" });

export function toIntegrationBranchMessage(
  row: BranchForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationBranchSchema> {
  return {
    code: row.code,
    object: "rental_location",
    name: row.name,
    ...toClassifier(row),
    place_type: row.placeType as z.output<typeof placeType>,
    timezone: row.timezone,
    currency: row.currency,
    rental_storage_id: row.branchGroupId,
    company_name: row.companyName,
    document_id: row.documentId,
    phone_number: row.phoneNumber,
    whatsapp_number: row.whatsappNumber,
    email: row.email,
    emergency_number: row.emergencyNumber,
    commercial_register: row.commercialRegister,
    ...toAddress(row),
    ...toTimestamps(row, messageFormat),
  };
}

export const integrationPlaceSchema = z
  .object({
    id: z.number(),
    object: z.literal("pickup_return_place"),
    name: z.string(),
    ...classified,
    place_type: placeType,
    is_pickup: z.boolean(),
    is_return: z.boolean(),
    web_public: z.boolean(),
    price: decimalAmountSchema,
    rental_location_code: z.string(),
    iata: nullableText,
    ...placed,
    ...dated,
  })
  .meta({ id: "PickupPlace" });

export function toIntegrationPlaceMessage(
  row: PlaceForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationPlaceSchema> {
  return {
    id: row.id,
    object: "pickup_return_place",
    name: row.name,
    ...toClassifier(row),
    place_type: row.placeType as z.output<typeof placeType>,
    is_pickup: row.isPickup,
    is_return: row.isReturn,
    web_public: row.webPublic,
    price: toAmount(row.priceCents, messageFormat.decimals),
    rental_location_code: row.branchCode,
    iata: row.iata,
    ...toAddress(row),
    ...toTimestamps(row, messageFormat),
  };
}

export const integrationCategorySchema = z
  .object({
    code: z.string(),
    object: z.literal("booking_category"),
    name: z.string(),
    family_id: z.number().nullable(),
    family_name: nullableText,
    active: z.boolean(),
    web_public: z.boolean(),
    ...acrissFields,
    ...dated,
  })
  .meta({ id: "BookingCategory" });

export function toIntegrationCategoryMessage(
  row: CategoryForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationCategorySchema> {
  return {
    code: row.code,
    object: "booking_category",
    name: row.name,
    family_id: row.familyId,
    family_name: row.familyName,
    active: row.active,
    web_public: row.webPublic,
    ...toAcrissFields(row),
    ...toTimestamps(row, messageFormat),
  };
}

function toClassifier({
  classifierId,
  classifierName,
}: BranchGroupForIntegration | BranchForIntegration | PlaceForIntegration) {
  return { classifier_id: classifierId, classifier_name: classifierName };
}

function toAddress(row: BranchGroupForIntegration | BranchForIntegration | PlaceForIntegration) {
  return {
    address_street_address: row.addressStreetAddress,
    address_city: row.addressCity,
    address_state: row.addressState,
    address_zip: row.addressZip,
    address_country_code: row.addressCountryCode,
    address_lat: row.addressLat,
    address_lng: row.addressLng === null ? null : String(row.addressLng),
  };
}

function toTimestamps(
  row: { readonly createdAt: number; readonly lastUpdate: number },
  { timestamp: formatTimestamp }: MessageFormat,
) {
  return { creation_date: formatTimestamp(row.createdAt), last_update: formatTimestamp(row.lastUpdate) };
}
