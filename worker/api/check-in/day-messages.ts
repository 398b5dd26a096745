import { z } from "zod";
import { PERSONAL_RIGHTS } from "#domain/access/rights.ts";
import { ROLES } from "#domain/access/sessions.ts";
import { HAND_OVER_CHECK_MODES, HAND_OVER_CHECKS } from "#domain/catalogue/hand-over-checks.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

// spec: docs/interfaces/check-in.md. The format is our own. The app imports its types from here.

const text = z.string().nullable();

// Damage of a vehicle, listed with each rental until repaired.
const knownDamage = z
  .object({
    damage_id: z.string(),
    part: z.string(),
    kind: z.string(),
    severity: z.string(),
    x: z.int(),
    y: z.int(),
    note: text,
    /** Date when the damage was first recorded. */
    since: z.string(),
    booking_id: z.int().nullable(),
    /** Names of the photos, which are files of the booking in `booking_id`. */
    photos: z.array(z.string()),
    /** Whether a customer was charged for it. */
    is_charged: z.boolean(),
  })
  .meta({ id: "KnownDamage" });

/** A vehicle in search results and days. */
export const checkInVehicleSchema = z
  .object({
    reference: z.string(),
    name: z.string(),
    category_code: z.string(),
    ...acrissFields,
    family_id: z.int().nullable(),
    stock_plate: text,
    /** Alias of the vehicle in the company. */
    stock_reference: text,
    stock_brand: text,
    stock_model: text,
    stock_color: text,
    fuel: z.string(),
    rental_storage_id: z.int(),
    rental_location_code: z.string(),
    kilometres: z.int(),
    fuel_eighths: z.int().nullable(),
    /** `out`: with a customer. `blocked`: in the workshop or on a transfer today. */
    state: z.enum(["free", "out", "blocked"]),
    /** Current and future periods when the vehicle is blocked or assigned to a contract, in local time. */
    engagements: z.array(
      z.object({
        kind: z.enum(["blocked", "promised"]),
        from: z.string(),
        to: z.string(),
        booking_id: z.int().nullable(),
      }),
    ),
    /** Parking place and key number. Null if unknown. */
    parking_place: text,
    key_number: text,
    needs_cleaning: z.boolean(),
    needs_fuel: z.boolean(),
    /** Expiry of inspection and insurance. Null if unknown. */
    inspection_due: text,
    insured_until: text,
    damages: z.array(knownDamage),
  })
  .meta({ id: "Vehicle" });
export type CheckInVehicleMessage = z.infer<typeof checkInVehicleSchema>;

const reading = z.object({
  at: z.string(),
  by: text,
  kilometres: z.int().nullable(),
  fuel_eighths: z.int().nullable(),
});

/** A unit of the booking, handed over and returned separately. */
const resource = z
  .object({
    resource_id: z.int(),
    line_id: z.int(),
    category_code: z.string(),
    ...acrissFields,
    category_name: z.string(),
    state: z.enum(["to_deliver", "out", "collected"]),
    /** The assigned or rented vehicle. */
    vehicle: checkInVehicleSchema.nullable(),
    /** Kilometres and missing fuel of vehicles exchanged earlier, charged together with this one. */
    earlier: z.object({ kilometres: z.int(), missing_eighths: z.int() }),
    delivery: reading.nullable(),
    collection: reading.nullable(),
    /** Rates of the unit's costs at its return. */
    rates: z.object({
      /** Price per additional day. */
      extra_day: decimalAmountSchema,
      /** Price per missing eighth of the tank. */
      fuel_eighth: decimalAmountSchema,
      /** Kilometres included in the price. Null means unlimited. */
      kilometres_included: z.int().nullable(),
      extra_kilometre: decimalAmountSchema,
    }),
  })
  .meta({ id: "RentalUnit" });

export const contractDriverSchema = z.object({
  position: z.enum(["driver", "additional_driver_1", "additional_driver_2"]),
  full_name: z.string(),
  document_id: text,
  driving_license_number: text,
  driving_license_expiration_date: text,
  date_of_birth: text,
});

// A booking of the day with all data that the app needs offline.
const dayEntry = z
  .object({
    booking_id: z.int(),
    version: z.int(),
    status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
    date_from: z.string(),
    time_from: z.string(),
    /** Ids of places in the settings. Null for other places. */
    pickup_place_id: z.int().nullable(),
    pickup_place: z.string(),
    date_to: z.string(),
    time_to: z.string(),
    return_place_id: z.int().nullable(),
    return_place: z.string(),
    days: z.int(),
    rental_location_code: z.string(),
    return_rental_location_code: z.string(),
    rental_storage_id: z.int(),
    customer: z.object({
      full_name: z.string(),
      customer_type: z.string(),
      phone: text,
      email: text,
      document_id: text,
      /** As printed on the contract. */
      address: text,
      language: z.string(),
    }),
    drivers: z.array(contractDriverSchema),
    /**
     * Data that the authorities require or want before hand-over, if the account reports to them, named as in an
     * operation.
     */
    authorities: z.object({ missing: z.array(z.string()), wished: z.array(z.string()) }),
    /** Whether the customer signed at a delivery or return. */
    contract_signed: z.boolean(),
    /** Why the company doesn't rent to the customer. Null after the last delivery. */
    do_not_rent: z.object({ reason: z.string() }).nullable(),
    flight: text,
    notes: text,
    resources: z.array(resource),
    extras: z.array(
      z.object({
        extra_code: z.string(),
        name: z.string(),
        quantity: z.int(),
        unit_price: decimalAmountSchema,
        cost: decimalAmountSchema,
      }),
    ),
    amounts: z.object({
      item_cost: decimalAmountSchema,
      extras_cost: decimalAmountSchema,
      supplements_cost: decimalAmountSchema,
      total_cost: decimalAmountSchema,
      total_paid: decimalAmountSchema,
      /** Amount deducted from the total by credit notes. */
      total_credited: decimalAmountSchema,
      total_pending: decimalAmountSchema,
    }),
    deposit: z.object({ total: decimalAmountSchema, held: decimalAmountSchema, pending: decimalAmountSchema }),
    /** Identifies the contract text that the customer signs. */
    contract_hash: z.string(),
    /** Applied, held and rejected operations, latest last. */
    operations: z.array(
      z.object({
        op_id: z.string(),
        kind: z.string(),
        resource_id: z.int().nullable(),
        state: z.string(),
        by: z.string(),
        at: z.string(),
        files_arrived: z.int(),
        files_total: z.int(),
        /** Notes for other users by the user who did the work. */
        notes: text,
      }),
    ),
  })
  .meta({ id: "DayEntry" });
export type CheckInDayBookingMessage = z.infer<typeof dayEntry>;

/** A branch's day. Deliveries by pickup, collections by return, including overdue and current rentals. */
export const checkInDayAnswer = z
  .object({
    date: z.string(),
    rental_location_code: z.string(),
    deliveries: z.array(dayEntry),
    collections: z.array(dayEntry),
    /** References of the available vehicles by category, for units without a vehicle. `vehicles` has their data. */
    candidates: z.record(z.string(), z.array(z.string())),
    vehicles: z.array(checkInVehicleSchema),
  })
  .meta({ id: "Day" });
export type CheckInDayMessage = z.infer<typeof checkInDayAnswer>;

const catalogueEntry = z.object({ code: z.string(), name: z.string() });
const names = z.record(z.string(), z.record(z.string(), z.string()));

/** Account's settings, catalogue and texts that the app needs in addition to the day's bookings. */
export const checkInSettingsAnswer = z
  .object({
    account_name: z.string(),
    product_type: z.string(),
    country_code: z.string(),
    currency: z.string(),
    currency_decimals: z.int(),
    timezone: z.string(),
    /**
     * Whether the account reports invoices to the tax agency and rentals to the ministry (VERI*FACTU, SES.HOSPEDAJES).
     */
    tax_records: z.boolean(),
    communications: z.boolean(),
    /** Whether customers can book on the account's own page. False if booking websites need an API key. */
    books_at_own_address: z.boolean(),
    languages: z.array(z.string()),
    default_language: z.string(),
    user: z.object({
      user_id: z.int(),
      full_name: z.string(),
      role: z.enum(ROLES),
      /** Rights that differ between people of a role. */
      rights: z.array(z.enum(PERSONAL_RIGHTS)),
      language: text,
      theme: z.enum(["light", "dark"]).nullish().meta({ description: "Theme of the office. null: that of the system" }),
    }),
    /** Branches where this user works, and their branch groups. */
    rental_locations: z.array(catalogueEntry.extend({ rental_storage_id: z.int() })),
    rental_storages: z.array(z.object({ id: z.int(), name: z.string() })),
    categories: z.array(catalogueEntry.extend({ ...acrissFields, family_id: z.int().nullable() })),
    families: z.array(z.object({ id: z.int(), name: z.string() })),
    /** Names by language: of categories and extras by code, of places by id. */
    names: z.object({ categories: names, extras: names, places: names }),
    grace_minutes: z.int(),
    /** Mode of each check before the hand-over. */
    handover_checks: z.record(z.enum(HAND_OVER_CHECKS), z.enum(HAND_OVER_CHECK_MODES)),
    /** Limit per day. Higher readings are improbable and need confirmation. */
    max_km_per_day: z.int(),
    /** Age ranges of drivers, and whether drivers of that age are allowed. Ages without a range are allowed. */
    driver_ages: z.array(z.object({ age_from: z.int(), age_to: z.int(), allowed: z.boolean() })),
    payment_methods: z.array(z.string()),
    photo_views: z.array(z.string()),
    vehicle_parts: z.array(z.string()),
    damage_kinds: z.array(z.string()),
    damage_severities: z.array(z.string()),
    customer_checks: z.array(z.string()),
    /** Contract data besides the booking: lessors by branch, and terms by language. */
    contracts: z.object({
      lessors: z.record(
        z.string(),
        z.object({ name: z.string(), tax_id: text, address: text, phone: text, email: text }),
      ),
      terms: z.record(z.string(), z.string()),
    }),
    /** Price list of damage and the like. Null prices are typed. */
    surcharges: z.array(z.object({ code: z.string(), name: z.string(), price: decimalAmountSchema.nullable() })),
    limits: z.object({ photo_bytes: z.int(), photos_per_operation: z.int(), photo_pixels: z.int() }),
  })
  .meta({ id: "CheckInSettings" });
export type CheckInSettingsMessage = z.infer<typeof checkInSettingsAnswer>;

export const checkInVehiclesAnswer = z.object({ data: z.array(checkInVehicleSchema), total: z.int() });
export type CheckInVehiclesMessage = z.infer<typeof checkInVehiclesAnswer>;

// An extra available for a booking, with its price for the whole rental and the booked quantity.
const applicableExtra = z
  .object({
    extra_code: z.string(),
    name: z.string(),
    unit_price: decimalAmountSchema,
    booked_quantity: z.int(),
    max_quantity: z.int(),
    /** Quantity that can still be added. */
    sellable_quantity: z.int(),
    total_deposit: decimalAmountSchema.meta({ description: "Deposit of the booking, if chosen" }),
  })
  .meta({ id: "ApplicableExtra" });

export const applicableExtrasAnswer = z.object({ booking_id: z.int(), data: z.array(applicableExtra), total: z.int() });
export type ApplicableExtrasMessage = z.infer<typeof applicableExtrasAnswer>;
