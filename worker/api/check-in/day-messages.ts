import { z } from "zod";
import { acriss } from "#worker/api/acriss-messages.ts";
import { amount } from "#worker/api/primitives.ts";

// spec: docs/interfaces/check-in.md; the shapes are ours. The app takes its types from here.

const text = z.string().nullable();

// Damage that a vehicle carries; it goes with it from rental to rental until it is repaired.
const knownDamage = z
  .object({
    damage_id: z.string(),
    part: z.string(),
    kind: z.string(),
    severity: z.string(),
    x: z.int(),
    y: z.int(),
    note: text,
    /** When it was seen first, as a date. */
    since: z.string(),
    booking_id: z.int().nullable(),
    /** Files of that booking. */
    photos: z.array(z.string()),
  })
  .meta({ id: "KnownDamage" });

/** A vehicle, as the search and the day tell of it. */
export const vehicle = z
  .object({
    reference: z.string(),
    name: z.string(),
    category_code: z.string(),
    ...acriss,
    family_id: z.int().nullable(),
    stock_plate: text,
    /** Its alias. */
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
    /** When it is not free, now and later, on the account's own clock: blocked, or promised to a contract. */
    engagements: z.array(
      z.object({
        kind: z.enum(["blocked", "promised"]),
        from: z.string(),
        to: z.string(),
        booking_id: z.int().nullable(),
      }),
    ),
    /** Where it stands and where its key hangs; null: nobody said. */
    parking_place: text,
    key_number: text,
    needs_cleaning: z.boolean(),
    needs_fuel: z.boolean(),
    /** The last days on which it is inspected and insured; null: nobody said. */
    inspection_due: text,
    insured_until: text,
    damages: z.array(knownDamage),
  })
  .meta({ id: "Vehicle" });
export type VehicleMessage = z.infer<typeof vehicle>;

const reading = z.object({
  at: z.string(),
  by: text,
  kilometres: z.int().nullable(),
  fuel_eighths: z.int().nullable(),
});

/** One unit of the booking: what is handed over and taken back. */
export const resource = z
  .object({
    resource_id: z.int(),
    line_id: z.int(),
    category_code: z.string(),
    ...acriss,
    category_name: z.string(),
    state: z.enum(["to_deliver", "out", "collected"]),
    /** The vehicle that is assigned, or went out. */
    vehicle: vehicle.nullable(),
    /** What vehicles that were exchanged for this one were driven, and what they lacked: it is charged with it. */
    earlier: z.object({ kilometres: z.int(), missing_eighths: z.int() }),
    delivery: reading.nullable(),
    collection: reading.nullable(),
    /** What is charged at the end, for one unit. */
    rates: z.object({
      /** One more day. */
      extra_day: amount,
      /** One eighth of the tank. */
      fuel_eighth: amount,
      /** Null: without limit. */
      kilometres_included: z.int().nullable(),
      extra_kilometre: amount,
    }),
  })
  .meta({ id: "RentalUnit" });

const driver = z.object({
  position: z.enum(["driver", "additional_driver_1", "additional_driver_2"]),
  full_name: z.string(),
  document_id: text,
  driving_license_number: text,
  driving_license_expiration_date: text,
  date_of_birth: text,
});

// A booking of the day with all that the app needs without a network.
const dayEntry = z
  .object({
    booking_id: z.int(),
    version: z.int(),
    status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
    date_from: z.string(),
    time_from: z.string(),
    pickup_place: z.string(),
    date_to: z.string(),
    time_to: z.string(),
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
      /** As it is written on the contract. */
      address: text,
      language: z.string(),
    }),
    drivers: z.array(driver),
    /**
     * What the authorities want to know before the hand-over, where the account tells them: by the names of an
     * operation's.
     */
    authorities: z.object({ missing: z.array(z.string()), wished: z.array(z.string()) }),
    flight: text,
    notes: text,
    resources: z.array(resource),
    extras: z.array(
      z.object({
        extra_code: z.string(),
        name: z.string(),
        quantity: z.int(),
        unit_price: amount,
        cost: amount,
      }),
    ),
    amounts: z.object({
      item_cost: amount,
      extras_cost: amount,
      supplements_cost: amount,
      total_cost: amount,
      total_paid: amount,
      /** What credit notes took off the total. */
      total_credited: amount,
      total_pending: amount,
    }),
    deposit: z.object({ total: amount, held: amount, pending: amount }),
    /** Names what the customer signs. */
    contract_hash: z.string(),
    /** What was done, is held or was refused, the last of it last. */
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
        /** What whoever did it wrote to colleagues. */
        notes: text,
      }),
    ),
  })
  .meta({ id: "DayEntry" });
export type DayEntryMessage = z.infer<typeof dayEntry>;

/** A day of a branch. Deliveries are by pickup, collections by return; what is overdue or still out is there too. */
export const dayAnswer = z
  .object({
    date: z.string(),
    rental_location_code: z.string(),
    deliveries: z.array(dayEntry),
    collections: z.array(dayEntry),
    /** Vehicles that could go out, by category of what has none assigned yet: references of `vehicles`. */
    candidates: z.record(z.string(), z.array(z.string())),
    vehicles: z.array(vehicle),
  })
  .meta({ id: "Day" });
export type DayMessage = z.infer<typeof dayAnswer>;

const named = z.object({ code: z.string(), name: z.string() });

/** What the app must know beside the day. */
export const settingsAnswer = z
  .object({
    account_name: z.string(),
    product_type: z.string(),
    country_code: z.string(),
    currency: z.string(),
    currency_decimals: z.int(),
    timezone: z.string(),
    /** Whether the tax agency is told of its invoices, and the ministry of its rentals (VERI*FACTU, SES.HOSPEDAJES). */
    tax_records: z.boolean(),
    communications: z.boolean(),
    /** Whether its own address takes bookings: not where websites need a key. */
    books_at_own_address: z.boolean(),
    languages: z.array(z.string()),
    default_language: z.string(),
    user: z.object({
      user_id: z.int(),
      full_name: z.string(),
      role: z.string(),
      language: text,
    }),
    /** The branches this user works at, the branch groups these belong to. */
    rental_locations: z.array(named.extend({ rental_storage_id: z.int() })),
    rental_storages: z.array(z.object({ id: z.int(), name: z.string() })),
    categories: z.array(named.extend({ ...acriss, family_id: z.int().nullable() })),
    families: z.array(z.object({ id: z.int(), name: z.string() })),
    grace_minutes: z.int(),
    /** More than these for each day out are improbable: the person is asked whether they are right. */
    max_km_per_day: z.int(),
    /** Whom vehicles are let to; an age that is not named is accepted. */
    driver_ages: z.array(z.object({ age_from: z.int(), age_to: z.int(), allowed: z.boolean() })),
    payment_methods: z.array(z.string()),
    photo_views: z.array(z.string()),
    vehicle_parts: z.array(z.string()),
    damage_kinds: z.array(z.string()),
    damage_severities: z.array(z.string()),
    customer_checks: z.array(z.string()),
    /** What contracts say beside the booking: who lets, by branch; the general conditions, by language. */
    contracts: z.object({
      lessors: z.record(
        z.string(),
        z.object({ name: z.string(), tax_id: text, address: text, phone: text, email: text }),
      ),
      terms: z.record(z.string(), z.string()),
    }),
    limits: z.object({ photo_bytes: z.int(), photos_per_operation: z.int(), photo_pixels: z.int() }),
  })
  .meta({ id: "CheckInSettings" });
export type SettingsMessage = z.infer<typeof settingsAnswer>;

export const vehiclesAnswer = z.object({ data: z.array(vehicle), total: z.int() });
export type VehiclesMessage = z.infer<typeof vehiclesAnswer>;

// An extra that applies to a booking: its price for the whole rental, and what is booked already.
const applicableExtra = z
  .object({
    extra_code: z.string(),
    name: z.string(),
    unit_price: amount,
    booked_quantity: z.int(),
    max_quantity: z.int(),
    /** How many more can be added now. */
    sellable_quantity: z.int(),
    total_deposit: amount.meta({ description: "The deposit of the booking where it is chosen" }),
  })
  .meta({ id: "ApplicableExtra" });

export const extrasAnswer = z.object({ booking_id: z.int(), data: z.array(applicableExtra), total: z.int() });
export type ExtrasMessage = z.infer<typeof extrasAnswer>;
