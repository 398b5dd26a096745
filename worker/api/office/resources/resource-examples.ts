import type { ResourceName } from "#domain/catalogue/resources/names.ts";

interface Examples {
  readonly created: Readonly<Record<string, unknown>>;
  readonly changed: Readonly<Record<string, unknown>>;
}

const VERSION = { expected_version: 1 };
const changeName = (name: string) => ({ ...VERSION, name });

const EXAMPLES: Readonly<Record<ResourceName, Examples>> = {
  "branch-groups": { created: { name: "Menorca" }, changed: changeName("Mallorca") },
  branches: {
    created: { code: "IBZ", name: "Ibiza Airport", rental_storage_id: 1, place_type: "airport" },
    changed: { ...VERSION, phone_number: "+34 971 000 111" },
  },
  "opening-hours": {
    created: { rental_location_code: "PMI", weekday: 7, opens: "23:10", closes: "23:40" },
    changed: { ...VERSION, closes: "23:50" },
  },
  "closed-dates": {
    created: { rental_location_code: "PMI", date: "2031-12-25", reason: "Christmas" },
    changed: { ...VERSION, out_of_hours: true },
  },
  "service-plans": {
    created: { name: "Oil and filters", category_code: "ECON", every_units: 15_000, every_months: 12 },
    changed: { ...VERSION, every_units: 20_000 },
  },
  "vehicle-services": {
    created: { vehicle_reference: "ECON-01", date: "2026-03-02", usage_units: 15_020, work: "Oil", cost: "140.00" },
    changed: { ...VERSION, note: "Brake pads at 60 %" },
  },
  "special-hours": {
    created: { date: "2031-12-24", times: [{ opens: "09:00", closes: "13:00" }], reason: "Christmas Eve" },
    changed: { ...VERSION, times: [] },
  },
  places: {
    created: { name: "Port", rental_location_code: "PMI", place_type: "harbor", price: "15.00" },
    changed: { ...VERSION, position: 1 },
  },
  "sales-channels": { created: { code: "PARTNERS", name: "Partners" }, changed: changeName("Web") },
  families: { created: { code: "BIKES", name: "Bikes" }, changed: changeName("Cars") },
  categories: {
    created: { code: "SPORT", name: "Sport", vat_percent: "21.00", deposit: "600.00", seats: 2 },
    changed: { ...VERSION, suitcases: 2 },
  },
  extras: {
    created: { code: "CHAINS", name: "Snow chains", price_per: "rental", price: "25.00", vat_percent: "21.00" },
    changed: { ...VERSION, max_quantity: 3 },
  },
  seasons: {
    created: { name: "Easter 2040", periods: [{ date_from: "2040-03-25", date_to: "2040-04-08" }] },
    changed: changeName("High"),
  },
  prices: {
    created: {
      category_code: "ECON",
      sales_channel_code: "WEB",
      brackets: [
        { from_days: 1, to_days: 6, price: "90.00" },
        { from_days: 7, price: "75.00" },
      ],
    },
    changed: { ...VERSION, brackets: [{ from_days: 1, price: "42.00" }] },
  },
  offers: {
    created: { name: "Early bird", discount_type: "percentage", value: "5.00", rental_date_from: "2040-01-01" },
    changed: { ...VERSION, active: true },
  },
  "promotion-codes": {
    created: { code: "SUMMER", discount_type: "percentage", value: "10.00", date_from: "2040-06-01" },
    changed: { ...VERSION, minimum_days: 3 },
  },
  "driver-age-rules": {
    created: { description: "From 130 on", age_from: 130, age_to: 140, allowed: false },
    changed: { ...VERSION, deposit: "200.00" },
  },
  "one-way-fees": {
    created: { pickup_place_id: 1, return_place_id: 2, price: "80.00" },
    changed: { ...VERSION, price: "90.00" },
  },
  "selling-rules": {
    created: { category_code: "ECON", stop_sale_from: "2040-08-01", stop_sale_to: "2040-08-07" },
    changed: { ...VERSION, minimum_days: 2 },
  },
  "legal-texts": {
    created: { document: "privacy", language: "nl", text: "We use your data for your rental." },
    changed: { ...VERSION, text: "We use your data for your rental and its invoices." },
  },
  "cancellation-terms": {
    created: { occasion: "cancellation", hours_before: 8000, fee_type: "percentage", fee_value: "0.00" },
    changed: { ...VERSION, fee_type: "days", fee_value: "1" },
  },
  repatriations: {
    created: { rental_storage_id: 1, return_rental_storage_id: 2, days: 4 },
    changed: { ...VERSION, days: 2 },
  },
  "transfer-zones": { created: { name: "North" }, changed: changeName("North coast") },
  "transfer-points": { created: { name: "Hotel Sol", point_type: "location" }, changed: { ...VERSION, position: 1 } },
  "transfer-vehicles": {
    created: { name: "Coach", rental_location_code: "PMI", seats: 50, units: 1, vat_percent: "10.00" },
    changed: { ...VERSION, units: 2 },
  },
  "transfer-prices": {
    created: { transfer_vehicle_id: 1, from_point_id: 1, to_point_id: 2, minutes: 30, price: "60.00" },
    changed: { ...VERSION, price: "65.00" },
  },
  "transfer-extras": {
    created: { code: "SKIS", name: "Skis", price_per: "trip", price: "5.00", vat_percent: "10.00" },
    changed: { ...VERSION, max_quantity: 4 },
  },
  supplements: {
    created: { name: "Night", time_from: "22:00", time_to: "06:00", value_type: "percentage", value: "20.00" },
    changed: { ...VERSION, active: true },
  },
  agencies: { created: { name: "Island Tours" }, changed: { ...VERSION, active: true } },
  agents: {
    created: { name: "Concierge", commission_percent: "8.00" },
    changed: { ...VERSION, commission_percent: "9.00" },
  },
  users: {
    created: {
      username: "nora",
      email: "nora@example.com",
      full_name: "Nora Novak",
      role: "agent",
      branch_codes: ["PMI"],
      password: "Right-pass-1!",
    },
    changed: { ...VERSION, language: "de" },
  },
  "partner-keys": {
    created: { api_key: "acme-bi", name: "Reports", scope_analytics: true, secret: "a-secret-of-24-characters" },
    changed: { ...VERSION, name: "First agency" },
  },
  "engine-keys": {
    created: { api_key: "acme-shop", name: "Shop", allowed_origins: ["https://shop.example"] },
    changed: { ...VERSION, name: "Website" },
  },
  gateways: {
    created: {
      method: "wallet_standard",
      environment: "test",
      merchant: { business: "sales@example.com" },
    },
    changed: { ...VERSION, environment: "test" },
  },
  "document-series": {
    created: { serie: "A-MAH-26", last_number: 120, last_date: "2026-05-31", note: "goes on from the program before" },
    changed: { ...VERSION, note: "the airport's own" },
  },
  webhooks: {
    created: { url: "https://erp.example/rental-events", events: ["booking.*", "document.issued"] },
    changed: { expected_version: 2, events: ["booking.*"] },
  },
  calendars: {
    created: { name: "Small cars", category_code: "ECON" },
    changed: { ...VERSION, name: "Small cars at the airport" },
  },
  "expense-accounts": { created: { name: "Workshop" }, changed: changeName("Fleet") },
  "expense-concepts": {
    created: { name: "Windscreens", expense_account_id: 622 },
    changed: { ...VERSION, expense_account_id: 629 },
  },
  settings: { created: {}, changed: { ...VERSION, grace_minutes: 90 } },
};

/** Returns the examples of a resource type for the OpenAPI document: created and changed. */
export function getResourceExamples(name: ResourceName): Examples {
  return EXAMPLES[name];
}
