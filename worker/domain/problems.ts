/** Every reason for which a value is refused: its code, and the English message for developers and logs. */
const MESSAGES = {
  // Any field
  missing: "is required",
  unknown_field: "is not a known field",
  invalid: "is not valid",
  fixed: "can't be changed after creation",
  text: "must be text",
  plain: "must be plain text without control characters or emoji",
  empty: "must not be empty",
  too_long: "must have at most {max} characters",
  too_short: "must have at least {min} characters",
  code: "must contain only letters, digits, dots, dashes and underscores, at most {max}",
  email: "must be an email address",
  person_name: "must be a name without a link",
  telephone: "must be a phone number",
  serie: "must contain only letters, digits, spaces, dots, dashes, slashes and underscores, at most {max}",
  pattern:
    "must contain {placeholder}, and otherwise only letters, digits, spaces, dots, dashes, slashes and underscores",
  letters: "must have 1 to 5 letters or digits",
  language: "must be a language code of two letters",
  country: "must be a country code of two letters",
  country_meant: "must be the country code {country}, not {code}",
  currency: "must be a currency code of three letters",
  currency_of_company: "must be {currency}, the account's currency",
  timezone: "must be a time zone such as Europe/Madrid",
  address: "must be a URL that starts with https:// or http://",
  origin: "must be website origins in lower case such as https://www.example.com, or * for any",
  whole: "must be a whole number from {min} to {max}",
  whole_number: "must be a whole number",
  number: "must be a number",
  coordinate: "must be a number from -{max} to {max}",
  money: "must be a non-negative amount such as 120.00, with at most the currency's decimals",
  too_fine: "has more decimals than the currency",
  percent: "must be a percentage from 0 to 100 with at most two decimals",
  flag: "must be true or false",
  date: "must be a valid date, yyyy-mm-dd",
  past_date: "must be a date in the past",
  time: "must be a time of day, hh:mm",
  moment: "must be a valid date and time",
  choice: "must be one of {choices}",
  form: "must match the format {format}",
  list: "must be a list",
  object: "must be an object",
  min_items: "must have at least {min} entries",
  max_items: "must have at most {max} entries",
  twice: "is duplicated",
  rows: "must be a list of rows",
  as_many: "must have {count} prices, one for each length, null if there is none",
  record: "must be an object of strings",
  not_known: "not found",
  after: "must not be before {limit}",
  not_after: "must not be after {limit}",
  later: "must be later than {limit}",
  in_future: "must not be in the future",
  together: "must be set together with {field}",
  one_of: "requires exactly one of {fields}",
  positive: "must be above zero",
  at_least: "must be at least {min}",
  at_most: "must be at most {max}",
  sum: "must be {sum}, the sum of its parts",
  overlap: "overlaps with {other}",
  gap: "{range} is not covered",
  taken: "already in use",
  same: "must differ from {other}",
  series_of_two: "{first} and {second} would share one series: add {branch} to the series pattern",
  below: "must not be the resource itself or a descendant",
  last_administrator: "you can't remove your own administrator role",
  password: "must have 8 to 128 characters and not be a known breached password",
  scope: "requires {scope}",
  acriss: "must be four ACRISS letters such as ECMR: category, type, drive, fuel and air conditioning",
  rate_name: "must be a rate with two decimals such as 0.00",
  rate_code: "must be S1, S2, N1, N2 or E1 to E8, optionally with its regime such as 02:E2",
  public_key: "must be an Ed25519 key, SPKI in base64: MCowBQYDK2VwAyEA and 44 more characters",
  network: "must be CIDR ranges such as 203.0.113.0/24 or 2001:db8::/32",
  webhook: "must be a public https:// URL without user name and with a standard port: {problem}",
  version_outdated: "is outdated",
  same_member: "must not differ from {field}",
  repeated: "must not be repeated",
  too_many_fields: "more than {max} fields",
  no_content: "must contain a change",
  too_many_rows: "matches more than {max} rows: choose fewer days",

  // Requests
  not_utf8: "must be UTF-8",
  not_json: "must be valid JSON",
  nested: "must not be nested deeper than {max} levels",
  too_many_values: "must not contain more than {max} values",
  payment_method_closed: "the payment method {method} is not offered",
  pay_on_delivery_closed: "paying on delivery is not offered",
  payment_required: "is required to pay now",
  password_required: "is required for an account",
  password_breached: "is a password that attackers try first",
  several_branches: "is required: there are several branches",
  several_branch_groups: "is required: there are several branch groups",
  no_branch_group: "branch group not found",
  not_in_list: "is not a valid cursor",
  version_required: "is required: the version that was read, a whole number",
  account_amount: "must be an amount in the account's currency",

  // Rental period, places and products
  pickup_in_past: "the pickup is in the past",
  return_in_past: "the return is in the past",
  return_not_after_pickup: "the return must be after the pickup",
  return_not_later: "the return is not later than agreed",
  return_not_earlier: "the return is not earlier than agreed",
  minimum_days: "the shortest rental is {days} days",
  maximum_days: "the longest rental is {days} days",
  closed_at_pickup: "the branch is closed at the pickup time",
  closed_at_return: "the branch is closed at the return time",
  closed_on: "there are no pickups on {date}: the branch is closed",
  no_pickups_on: "there are no pickups on {date}",
  no_returns_on: "there are no returns on {date}",
  stop_sale: "product {product} is not sold from {from} to {to}",
  minimum_notice: "must be booked at least {minutes} minutes before the pickup",
  booking_horizon: "must be booked at most {days} days before the pickup",
  no_price: "product {product} has no price for this period",
  no_product: "there is no product {product}",
  no_extra: "there is no extra {extra}",
  no_pickup_place: "there is no pickup place {place}",
  no_return_place: "there is no return place {place}",
  not_a_return_place: "place {place} is not a return place for a pickup at {pickup_place}",
  no_branch: "branch not found",
  no_place_at_branch: "there is no pickup place at the branch {branch}",
  several_places: "is required: there are several pickup places",
  no_places: "there is no pickup place yet",
  no_sales_channel: "there is no sales channel {channel}",
  sales_channel_closed: "the sales channel {channel} is not open to you",
  no_driver_rule: "there is no driver age rule {rule}",
  driver_age: "this driver's age is not accepted: {rule}",
  no_promotion: "there is no promotion code {code}",
  promotion_dates: "promotion code {code} does not apply to these dates",
  promotion_channel: "promotion code {code} does not apply to this sales channel",
  promotion_product: "promotion code {code} applies only to product {product}",
  call_us: "please call us for more than {max} vehicles",
  max_extra: "extra {extra} can be added at most {max} times",
  extra_twice: "extra {extra} is duplicated",
  product_required: "a contract has at least one product",
  unit_required: "at least one unit is required",
  out_of_sale: "it is not offered for this rental",

  // Transfers
  trip_in_past: "the trip is in the past",
  trip_return_early: "the return must depart after the outward trip has arrived, including its stop-over",
  trip_done: "can't be changed: the trip is already done",
  trip_date_required: "is required, with its time, for a new trip",
  no_point: "there is no point {point}",
  no_transfer: "there is no transfer from point {origin} to point {destination}",
  no_transfer_vehicle: "there is no vehicle {vehicle}",
  transfer_vehicle_gone: "vehicle {vehicle} is no longer sold",
  no_route: "vehicle {vehicle} does not drive from {origin} to {destination}",
  no_route_there: "vehicle {vehicle} does not drive there",
  arrives_late: "vehicle {vehicle} arrives too late for the return",
  no_seats: "vehicle {vehicle} doesn't have enough seats",
  no_vehicle_with_seats: "no vehicle has enough seats",
  no_passenger: "at least one adult or child must travel",
  no_trips: "a rental has no trips",
  trips_required: "is required for a transfer: it has trips",

  // Contract
  relied_on: "other reservations need the {category} that this contract brings to its return branch",
  inspection_ends: "the inspection of {vehicle} ends before its return",
  insurance_ends: "the insurance of {vehicle} ends before its return",
  contract_in_progress: "can't be changed: the contract is in progress",
  units_delivered: "must be at least {count}: that many vehicles were delivered",
  fee_too_high: "is more than the contract costs",
  amount_required: "is required: the extra has no price for a rental",
  amount_too_high: "is too high",
  price_too_low: "is less than the extras and fees of the reservation",
  transfer_price_too_low: "is less than the extras of the transfer",
  share_equally: "must be divisible by the {quantity} units of the line",
  vehicle_required: "is required: no vehicle is assigned",
  vehicle_is_out: "is the vehicle that is on rent",
  kilometres_lower:
    "is less than the {reading} km of the last reading of {vehicle}: send readings_confirmed if it is right",
  kilometres_unlikely:
    "is far more than the {reading} km of the last reading of {vehicle}: send readings_confirmed if it is right",
  no_unit: "is not a unit of this booking",
  collections_only: "is only allowed for a collection",
  not_for_kind: "is only allowed for a delivery, a collection or a correction",
  exchange_required: "is required for an exchange",

  // Money and people
  agent_required: "must be empty without an agent",
  above_cost: "is more than the reservation costs",
  commission_no_agent: "reservation {reservation} has no agent",
  commission_other_agent: "reservation {reservation} belongs to another agent",
  commission_settled: "reservation {reservation} is already settled",
  commission_not_done: "reservation {reservation} isn't finished",
  commission_not_settled: "reservation {reservation} isn't settled",
  above_counted: "is more than was counted",
  entered_already: "is already entered",
  same_customer: "is the same customer",
  internal_customer: "is an internal department, not a customer",
  merge_other_way: "has an unverified account: merge the other way round",
} as const;

type Messages = typeof MESSAGES;
type Name<Text> = Text extends `${string}{${infer First}}${infer Rest}` ? First | Name<Rest> : never;

/** One value for each different placeholder of a message, in order of appearance. */
type ValuesOf<Text, Known = never> = Text extends `${string}{${infer First}}${infer Rest}`
  ? First extends Known
    ? ValuesOf<Rest, Known>
    : [ProblemValue, ...ValuesOf<Rest, Known | First>]
  : [];

export type ProblemCode = keyof Messages;
export type ProblemValue = string | number;

/** Parameters of a code, by the placeholders of its message. */
export type ProblemParams<Code extends ProblemCode> = { readonly [Key in Name<Messages[Code]>]: ProblemValue };

/** Reason for which a value is refused, without its field. Clients translate it by `code` and `params`. */
export interface Reason {
  readonly code: ProblemCode;
  readonly params?: Readonly<Record<string, ProblemValue>> | undefined;
}

/** A refused field. `field` is a path such as `periods.1.date_to`. */
export interface Problem extends Reason {
  readonly field: string;
}

/** Returns a reason with the parameters of its message in their order. */
export function reason<Code extends ProblemCode>(code: Code, ...values: ValuesOf<Messages[Code]>): Reason {
  return reasonWith(code, values);
}

/** Returns a reason of a code that is only known at run time. Surplus values are dropped. */
export function reasonWith(code: ProblemCode, values: readonly ProblemValue[]): Reason {
  const names = listParams(code);
  if (names.length === 0) return { code };
  return { code, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])) };
}

/** Returns the problem of a field, with the parameters of its message in their order. */
export function problem<Code extends ProblemCode>(
  field: string,
  code: Code,
  ...values: ValuesOf<Messages[Code]>
): Problem {
  return { field, ...reasonWith(code, values) };
}

/** Returns the English message of a reason, for developers and logs. */
export function formatProblem({ code, params = {} }: Reason): string {
  return MESSAGES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}

/** All codes, for tests and documents. */
export const PROBLEM_CODES = Object.keys(MESSAGES) as readonly ProblemCode[];

/** Returns the names of a code's parameters in their order. */
export function listParams(code: ProblemCode): readonly string[] {
  return [...new Set([...MESSAGES[code].matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)))];
}
