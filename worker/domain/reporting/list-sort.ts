/** Sort of a list by one of its fields. Rows with equal values follow by id. */
export interface ListSort<Field extends string = string> {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** Sortable fields of each list. */
export const SORTABLE_FIELDS = {
  reservations: [
    "id",
    "date_from",
    "date_to",
    "customer_fullname",
    "status",
    "rental_location_code",
    "days",
    "total_cost",
    "total_paid",
    "total_pending",
    "created",
  ],
  vehicles: [
    "reference",
    "name",
    "stock_plate",
    "category_code",
    "rental_location_code",
    "usage_units",
    "state",
    "inspection_due",
    "insured_until",
    "service_due",
  ],
  customers: ["id", "full_name", "email", "document_id", "customer_type", "rental_location_code"],
  documents: ["id", "date", "number", "customer_fullname", "total", "total_pending", "rental_location_code"],
  charges: ["id", "date", "amount", "payment_method_id", "rental_location_code"],
  expenses: ["date", "id", "booking_item_reference", "total", "concept", "rental_location_code"],
  quotes: ["id", "number", "status", "valid_until", "customer", "total_cost"],
} as const;

export type SortableListName = keyof typeof SORTABLE_FIELDS;
export type SortField<List extends SortableListName> = (typeof SORTABLE_FIELDS)[List][number];

/** Names of the filters that each office list offers as ready-made views. */
export const LIST_VIEWS = {
  reservations: [
    "upcoming",
    "pickups_today",
    "returns_today",
    "out",
    "overdue",
    "unpaid",
    "no_vehicle",
    "not_invoiced",
    "pending_confirmation",
    "attention",
  ],
  vehicles: ["free", "out", "blocked", "retired"],
  customers: ["individuals", "companies"],
  documents: ["unpaid", "drafts", "credit_notes"],
  charges: ["today", "this_month"],
  expenses: ["this_month", "this_year"],
  quotes: ["draft", "sent", "accepted", "declined", "expired"],
} as const;

export type ListViewName<List extends SortableListName> = (typeof LIST_VIEWS)[List][number];

/** Parses `field` or `-field`. The caller has checked the field. */
export function parseSort<Field extends string>(text: Field | `-${Field}`): ListSort<Field> {
  return text.startsWith("-")
    ? { field: text.slice(1) as Field, isDescending: true }
    : { field: text as Field, isDescending: false };
}

/** Formats a sort as `field` or `-field`. */
export const formatSort = ({ field, isDescending }: ListSort) => `${isDescending ? "-" : ""}${field}`;

/** Sort of a page with the row that the previous page ended with. */
export interface SortedPageRequest<Field extends string, Key = number> {
  readonly sort: ListSort<Field>;
  readonly after: Key | undefined;
}
