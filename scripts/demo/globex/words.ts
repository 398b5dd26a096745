import type { Words } from "../words.ts";

export const globexWords: Words = {
  rental: "Rental",
  days: "days",
  contract: "Contract",
  advance: "Reservation deposit",
  advanceInvoiced: "Deposit already invoiced",
  creditNote: "Credit note for invoice",
  supplements: {
    timeFrom: "After-hours pickup",
    timeTo: "After-hours return",
    pickupPlace: "Pickup location fee",
    returnPlace: "Return location fee",
    driverAge: "Young driver fee",
    category1: "Fuel",
    category2: "Preparation",
    category3: "Assistance",
  },
  afterRental: [
    { supplement: 1, concept: "Refueling on return", fromCents: 2500, toCents: 9500, keptFromDeposit: false },
    { supplement: 2, concept: "Extra cleaning", fromCents: 5000, toCents: 9000, keptFromDeposit: false },
    { supplement: 3, concept: "Body damage", fromCents: 9000, toCents: 22_000, keptFromDeposit: true },
  ],
  sundry: {
    invoice: [{ concept: "Toll and violation processing", unitCents: 3500, externalCode: "4100" }],
    ticket: [
      { concept: "Packing tape", unitCents: 650, externalCode: "4010" },
      { concept: "Moving boxes", unitCents: 2400, externalCode: "4011" },
    ],
    order: [{ concept: "Loading help, two hours", unitCents: 14_000, externalCode: "4200" }],
    bond: [{ concept: "Van for the shop's own errands", unitCents: 4000, externalCode: "4900" }],
  },
  expenses: {
    insurance: "Insurance premium",
    renting: "Lease payment",
    tyres: "Tires",
    repair: "Repair",
    service: "Oil and service",
    inspection: "State inspection",
    cleaning: "Cleaning",
    roadTax: "Registration",
  },
  expenseAccounts: [
    { id: 6100, name: "Leases", kinds: ["renting"] },
    { id: 6200, name: "Repairs and maintenance", kinds: ["tyres", "repair", "service"] },
    { id: 6300, name: "Insurance", kinds: ["insurance"] },
    { id: 6400, name: "Other fleet costs", kinds: ["cleaning", "inspection", "roadTax"] },
  ],
  comments: [
    "Needs the ramp.",
    "Picks up for a trade show, hours may slip.",
    "Prefers the van closest to the gate.",
    "Second driver signs at the counter.",
  ],
  cancellationReasons: ["Move postponed", "Found help elsewhere", "Duplicate reservation", "Did not show up"],
  blockReasons: { workshop: "In the shop", transfer: "On the way to another lot", other: "Held for a photo shoot" },
  closures: { christmas: "Christmas Day", newYear: "New Year's Day" },
};
