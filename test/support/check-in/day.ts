import type { Booking, Day, RentalUnit, Settings, TransferTrip, Vehicle } from "#app/api/messages.ts";
import { DESK_PAYMENT_METHODS, PHOTO_VIEWS, STAFF_CONFIRMATIONS } from "#domain/check-in/codes.ts";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";

const NAMES = ["Ana Ruiz", "Jordi Puig", "Karin Vogel", "Tom Hughes", "Lucía Marín", "Núria Ferrer", "Peter Lang"];
const MODELS = [
  ["Seat", "Ibiza"],
  ["Renault", "Clio"],
  ["Volkswagen", "Caddy"],
] as const;

const TIMEZONE = "Europe/Madrid";

export function createVehicle(number: number, changes: Partial<Vehicle> = {}): Vehicle {
  const [brand, model] = MODELS[number % MODELS.length] ?? MODELS[0];
  return {
    reference: `V${String(number).padStart(4, "0")}`,
    name: `${brand} ${model}`,
    category_code: number % 2 === 0 ? "ECON" : "VAN",
    family_id: 1,
    stock_plate: `${String(1000 + number).padStart(4, "0")} KLM`,
    stock_reference: `car-${number}`,
    stock_brand: brand,
    stock_model: model,
    stock_color: "white",
    fuel: "petrol",
    rental_storage_id: 1,
    rental_location_code: "PMI",
    kilometres: 10_000 + number,
    fuel_eighths: 8,
    state: "free",
    engagements: [],
    parking_place: null,
    key_number: null,
    needs_cleaning: false,
    needs_fuel: false,
    inspection_due: null,
    insured_until: null,
    damages: [
      {
        damage_id: `01890000-0000-7000-8000-${String(number).padStart(12, "0")}`,
        part: "rear_bumper",
        kind: "scratch",
        severity: "light",
        x: 500,
        y: 960,
        note: "Parking bollard",
        since: "2027-04-02",
        booking_id: null,
        photos: [],
        is_charged: false,
      },
    ],
    ...changes,
  };
}

export function createUnit(bookingId: number, changes: Partial<RentalUnit> = {}): RentalUnit {
  return {
    resource_id: bookingId * 10,
    line_id: bookingId * 10,
    category_code: "ECON",
    category_name: "Economy",
    state: "to_deliver",
    vehicle: null,
    earlier: { kilometres: 0, missing_eighths: 0 },
    delivery: null,
    collection: null,
    rates: { extra_day: "35.00", fuel_eighth: "9.00", kilometres_included: 600, extra_kilometre: "0.20" },
    ...changes,
  };
}

export function createBooking(id: number, date: string, changes: Partial<Booking> = {}): Booking {
  return {
    booking_id: id,
    version: 1,
    authorities: { missing: [], wished: [] },
    status: "confirmed",
    date_from: date,
    time_from: `${String(8 + (id % 12)).padStart(2, "0")}:30`,
    pickup_place_id: 1,
    pickup_place: "Palma airport",
    date_to: date,
    time_to: "20:00",
    return_place_id: 1,
    return_place: "Palma airport",
    days: 3,
    rental_location_code: "PMI",
    return_rental_location_code: "PMI",
    rental_storage_id: 1,
    customer: {
      full_name: NAMES[id % NAMES.length] ?? "Ana Ruiz",
      customer_type: "individual",
      phone: "+34 600 000 000",
      email: "ana@example.com",
      document_id: "12345678Z",
      address: "Calle Mayor 1, 07001 Palma, ES",
      language: "es",
    },
    drivers: [
      {
        position: "driver",
        full_name: NAMES[id % NAMES.length] ?? "Ana Ruiz",
        document_id: "12345678Z",
        driving_license_number: "B-9921",
        driving_license_expiration_date: "2031-05-01",
        date_of_birth: "1988-02-11",
      },
    ],
    contract_signed: false,
    do_not_rent: null,
    flight: "VY3920",
    notes: null,
    resources: [createUnit(id)],
    extras: [{ extra_code: "BABY", name: "Child seat", quantity: 1, unit_price: "12.00", cost: "12.00" }],
    amounts: {
      item_cost: "120.00",
      extras_cost: "12.00",
      supplements_cost: "0.00",
      total_cost: "132.00",
      total_paid: "32.00",
      total_credited: "0.00",
      total_pending: "100.00",
    },
    deposit: { total: "300.00", held: "0.00", pending: "300.00" },
    contract_hash: "c0ffee00c0ffee00",
    operations: [],
    ...changes,
  };
}

/** Creates a transfer trip from the airport to a hotel. */
export function createTrip(id: number, date: string, changes: Partial<TransferTrip> = {}): TransferTrip {
  return {
    booking_id: id,
    version: 1,
    status: "confirmed",
    position: "outward",
    round_trip: false,
    date,
    time: "09:15",
    minutes: 50,
    origin: { name: "Palma airport", address: null, flight: "Iberia IB3912 08:50" },
    destination: { name: "Hotel Formentor", address: "Playa de Formentor 3, room 214", flight: null },
    date_from: date,
    time_from: "09:15",
    rental_location_code: "PMI",
    vehicle: "Minibus",
    adults: 4,
    children: 2,
    infants: 1,
    bags: 3,
    large_items: null,
    extras: [{ name: "Child seat", quantity: 2 }],
    customer: {
      full_name: "Karin Vogel",
      phone: "+49 151 000 000",
      email: "karin.vogel@example.com",
      language: "de",
      address: null,
    },
    comments: "Two surfboards, 2.40 m each",
    picked_up: null,
    dropped: null,
    nobody_came: null,
    amounts: { total_cost: "96.00", total_paid: "19.20", total_pending: "76.80" },
    ...changes,
  };
}

/** Creates a branch's day: odd bookings are deliveries, every third is a collection. */
export function createDay(date: string, bookings: readonly Booking[], vehicles: readonly Vehicle[]): Day {
  const isDelivery = (booking: Booking) => booking.date_from === date && !isOut(booking);
  return {
    date,
    rental_location_code: "PMI",
    deliveries: bookings.filter((booking) => isDelivery(booking)),
    collections: bookings.filter(isOut),
    candidates: { ECON: vehicles.filter(({ state }) => state === "free").map(({ reference }) => reference) },
    vehicles: [...vehicles],
  };
}

const isOut = ({ resources }: Booking) => resources.some(({ state }) => state !== "to_deliver");

export function createCheckInSettings(fullName: string, role: Settings["user"]["role"]): Settings {
  return {
    account_name: "Acme Rentals",
    product_type: "category_of_resources",
    country_code: "ES",
    currency: "EUR",
    currency_decimals: 2,
    timezone: TIMEZONE,
    tax_records: false,
    communications: false,
    books_at_own_address: true,
    languages: ["es", "en"],
    default_language: "en",
    user: { user_id: 1, full_name: fullName, role, rights: [], language: "en" },
    rental_locations: [
      { code: "PMI", name: "Palma airport", rental_storage_id: 1 },
      { code: "CIT", name: "Palma city", rental_storage_id: 1 },
    ],
    rental_storages: [{ id: 1, name: "Mallorca" }],
    categories: [
      { code: "ECON", name: "Economy", family_id: 1 },
      { code: "VAN", name: "Van", family_id: 1 },
    ],
    families: [{ id: 1, name: "Cars" }],
    names: {
      categories: { ECON: { en: "Economy", de: "Kleinwagen" } },
      extras: { BABY: { en: "Child seat", de: "Kindersitz" } },
      places: { 1: { en: "Palma airport", de: "Flughafen Palma" } },
    },
    grace_minutes: 60,
    handover_checks: { payment: "warn", deposit: "warn", licence: "warn", identity: "warn", signature: "warn" },
    max_km_per_day: 1500,
    driver_ages: [
      { age_from: 0, age_to: 20, allowed: false },
      { age_from: 21, age_to: 24, allowed: true },
    ],
    contracts: {
      lessors: {
        PMI: {
          name: "Acme Rent a Car, S.L.",
          tax_id: "B57123456",
          address: "Camí de Can Pastilla 12, 07610 Palma",
          phone: "+34 971 000 000",
          email: "hola@acme.test",
        },
      },
      terms: {
        es: "## 1. Uso\nEl vehículo se usa con cuidado.",
        en: "## 1. Use\nThe vehicle is used with care.",
        de: "## 1. Gebrauch\nDas Fahrzeug wird sorgsam gebraucht.",
      },
    },
    payment_methods: [...DESK_PAYMENT_METHODS],
    photo_views: [...PHOTO_VIEWS],
    vehicle_parts: [...VEHICLE_PARTS],
    damage_kinds: [...DAMAGE_KINDS],
    damage_severities: [...DAMAGE_SEVERITIES],
    customer_checks: [...STAFF_CONFIRMATIONS],
    surcharges: [
      { code: "SCRATCH", name: "Scratch", price: "90.00" },
      { code: "DAMAGE", name: "Other damage", price: null },
    ],
    limits: { photo_bytes: 10 * 1024 * 1024, photos_per_operation: 100, photo_pixels: 50_000_000 },
  };
}
