/** An API with its own pages. */
export interface DescribedInterface {
  /** Path below /docs/reference/. */
  readonly name: string;
  readonly title: string;
  readonly for: string;
  /** File name of its OpenAPI document in docs/openapi. */
  readonly document: string;
  /** Name of the interface's page in docs/interfaces, if any. */
  readonly page?: string;
}

/** APIs in menu order. */
export const INTERFACES: readonly DescribedInterface[] = [
  {
    name: "agency",
    title: "Agency",
    for: "Online agencies search, book, read and cancel",
    document: "ota",
    page: "agency",
  },
  {
    name: "vehicles",
    title: "Vehicle booking engine",
    for: "Websites that rent vehicles",
    document: "rental-engine",
    page: "booking-engine-vehicles",
  },
  {
    name: "transfers",
    title: "Transfer booking engine",
    for: "Websites that sell transfers",
    document: "transfer-engine",
    page: "booking-engine-transfers",
  },
  {
    name: "promotion-codes",
    title: "Promotion codes",
    for: "Websites that check a code while it is typed",
    document: "promotion-codes",
  },
  {
    name: "payments",
    title: "Online payments",
    for: "The way to a payment gateway and back",
    document: "payments",
    page: "payments",
  },
  {
    name: "customers",
    title: "Customers and sign-in",
    for: "Customers' own bookings, sign-in of staff, second factors",
    document: "customer-access",
    page: "customer-access",
  },
  {
    name: "integration",
    title: "Integration",
    for: "Accounting systems extract, and report back what they booked",
    document: "integration",
    page: "integration",
  },
  {
    name: "analytics",
    title: "Analytics",
    for: "Dashboards, by a key",
    document: "analytics",
    page: "analytics",
  },
  {
    name: "staff-analytics",
    title: "Analytics for the staff",
    for: "The same reports, by a person's token",
    document: "staff-analytics",
  },
  {
    name: "check-in",
    title: "Check-in",
    for: "Deliveries and collections, in the field",
    document: "check-in",
    page: "check-in",
  },
  {
    name: "documents",
    title: "Documents and charges",
    for: "Invoices, charges and deposits at the desk",
    document: "documents",
    page: "documents",
  },
  {
    name: "office",
    title: "Office",
    for: "Everything the company's own people do",
    document: "office",
    page: "office",
  },
  {
    name: "operations",
    title: "Operations",
    for: "What waits for a person",
    document: "operations",
    page: "operations",
  },
];
