/** Descriptions of the list tags. */
export const integrationTagDescriptions = {
  Contracts: "Bookings and contracts, with their lines, extras and charges.",
  Organization: "Branch groups, branches and pickup places.",
  Fleet: "Categories and vehicles.",
  Customers: "People and companies that rent.",
  Documents: "Invoices, internal bonds and charges, with results of the accounting system.",
} as const;
