import type { PROBLEM_MESSAGES } from "./problem-messages.ts";

type Messages = typeof PROBLEM_MESSAGES;

/** Names of the placeholders of a message. */
export type PlaceholderName<Text> = Text extends `${string}{${infer First}}${infer Rest}`
  ? First | PlaceholderName<Rest>
  : never;

/** One value for each different placeholder of a code's message, in order of appearance. */
export type ReasonValues<Code extends ProblemCode> = ValuesOf<Messages[Code]>;

type ValuesOf<Text, Known = never> = Text extends `${string}{${infer First}}${infer Rest}`
  ? First extends Known
    ? ValuesOf<Rest, Known>
    : [ProblemValue, ...ValuesOf<Rest, Known | First>]
  : [];

export type ProblemCode = keyof Messages;
export type ProblemValue = string | number;

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
export function createReason<Code extends ProblemCode>(code: Code, ...values: ReasonValues<Code>): Reason {
  return createReasonWithUncheckedValues(code, values);
}

/** Returns a reason of a code that is only known at run time. Surplus values are dropped. */
export function createReasonWithUncheckedValues(code: ProblemCode, values: readonly ProblemValue[]): Reason {
  const names = listParams(code);
  if (names.length === 0) return { code };
  return { code, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])) };
}

/** Returns the problem of a field, with the parameters of its message in their order. */
export function createProblem<Code extends ProblemCode>(
  field: string,
  code: Code,
  ...values: ReasonValues<Code>
): Problem {
  return { field, ...createReasonWithUncheckedValues(code, values) };
}

/** Returns the names of a code's parameters in their order. */
function listParams(code: ProblemCode): readonly string[] {
  return (PARAM_NAMES as Readonly<Record<string, string>>)[code]?.split(" ") ?? [];
}

/** Names of a message's placeholders, separated by spaces. */
type JoinedNames<Text, Known = never> = Text extends `${string}{${infer First}}${infer Rest}`
  ? First extends Known
    ? JoinedNames<Rest, Known>
    : JoinedNames<Rest, Known | First> extends ""
      ? First
      : `${First} ${JoinedNames<Rest, Known | First>}`
  : "";

type ParamNames = {
  readonly [Code in ProblemCode as JoinedNames<Messages[Code]> extends "" ? never : Code]: JoinedNames<Messages[Code]>;
};

/** Parameter names by code. The messages themselves stay out of the clients, which have their own texts. */
const PARAM_NAMES: ParamNames = {
  too_long: "max",
  too_short: "min",
  code: "max",
  serie: "max",
  pattern: "placeholder",
  placeholder: "name names",
  country_meant: "country code",
  currency_of_company: "currency",
  whole: "min max",
  coordinate: "max",
  choice: "choices",
  form: "format",
  min_items: "min",
  max_items: "max",
  as_many: "count",
  after: "limit",
  not_after: "limit",
  later: "limit",
  together: "field",
  one_of: "fields",
  at_least_one_of: "fields",
  at_most_one_of: "fields",
  percent: "min max",
  at_least: "min",
  at_most: "max",
  sum: "sum",
  overlap: "other",
  gap: "range",
  same: "other",
  series_of_two: "first second branch",
  scope: "scope",
  webhook: "problem",
  same_member: "field",
  too_many_fields: "max",
  right_not_held: "right",
  picture: "max",
  customer_file: "max",
  too_many_rows: "max",
  nested: "max",
  too_many_values: "max",
  payment_method_closed: "method",
  minimum_days: "days",
  maximum_days: "days",
  closed_on: "date",
  no_pickups_on: "date",
  no_returns_on: "date",
  stop_sale: "product from to",
  minimum_notice: "minutes",
  booking_horizon: "days",
  no_price: "product",
  no_product: "product",
  no_extra: "extra",
  no_pickup_place: "place",
  no_return_place: "place",
  not_a_return_place: "place pickup_place",
  no_place_at_branch: "branch",
  no_sales_channel: "channel",
  sales_channel_closed: "channel",
  no_driver_rule: "rule",
  driver_age: "rule",
  no_promotion: "code",
  promotion_dates: "code",
  promotion_channel: "code",
  promotion_product: "code product",
  call_us: "max",
  max_extra: "extra max",
  extra_twice: "extra",
  no_point: "point",
  no_transfer: "origin destination",
  no_transfer_vehicle: "vehicle",
  transfer_vehicle_gone: "vehicle",
  no_route: "vehicle origin destination",
  no_route_there: "vehicle",
  arrives_late: "vehicle",
  no_seats: "vehicle",
  relied_on: "category",
  shortage_accepted: "code",
  next_loses_vehicle: "contract date vehicle",
  inspection_ends: "vehicle",
  insurance_ends: "vehicle",
  units_delivered: "count",
  share_equally: "quantity",
  kilometres_lower: "reading vehicle",
  kilometres_unlikely: "reading vehicle",
  commission_no_agent: "reservation",
  commission_other_agent: "reservation",
  commission_settled: "reservation",
  commission_not_done: "reservation",
  commission_not_settled: "reservation",
};
