import type { OwnTexts } from "../own-texts.ts";

export const globexOwnTexts: OwnTexts = {
  departments: ["Management", "Workshop", "Sales"],
  sales: {
    invoice: [{ concept: "Toll and violation processing", unitCents: 3500, externalCode: "4100" }],
    ticket: [
      { concept: "Packing tape", unitCents: 650, externalCode: "4010" },
      { concept: "Moving boxes", unitCents: 2400, externalCode: "4011" },
    ],
    order: [{ concept: "Loading help, two hours", unitCents: 14_000, externalCode: "4200" }],
    bond: [{ concept: "Van for the shop's own errands", unitCents: 4000, externalCode: "4900" }],
  },
  fair: [
    { concept: "House T-shirt", unitCents: 1800, externalCode: "7000020" },
    { concept: "Water and lemonade", unitCents: 250, externalCode: "7000021" },
    { concept: "Street map", unitCents: 1250, externalCode: "7000022" },
    { concept: "City guide", unitCents: 1560, externalCode: "7000023" },
    { concept: "Donation to the animal shelter", unitCents: 500, externalCode: "7000024" },
  ],
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
  blockReasons: { workshop: "In the shop", transfer: "On the way to another lot", other: "Held for a photo shoot" },
  closures: { christmas: "Christmas Day", newYear: "New Year's Day" },
};
