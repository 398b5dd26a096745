import { formatCivilMinute } from "#domain/dates.ts";
import { formatRateAsPercent, toAmount } from "#domain/money.ts";
import { toSnakeCase } from "#domain/plain-text.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";

type Format = Pick<MessageFormat, "decimals">;
type Values = Readonly<Record<string, unknown>>;

// Names of stored numbers that the API writes as texts.
const CENTS = /_?cents$/;
const BASIS_POINTS = /_basis_points$/;
const CIVIL_MINUTES: readonly string[] = ["starts_at", "ends_at"];
const REFUNDS: readonly string[] = ["refund_asked", "refund_declined", "refund_dropped", "refund_at_gateway"];

function toEntry(
  name: string,
  value: unknown,
  format: Format,
  suffix: string,
): readonly [name: string, value: unknown] {
  if (Array.isArray(value)) return [name, value.map((item) => (isGroup(item) ? convert(item, format) : item))];
  if (isGroup(value)) return [name, GROUPS[name]?.(value, format) ?? convert(value, format)];
  return typeof value === "number" || value === null ? toNumberEntry(name, value, format, suffix) : [name, value];
}

// Renames `null` like a number, because the API name depends only on the stored name.
function toNumberEntry(
  name: string,
  value: number | null,
  { decimals }: Format,
  suffix: string,
): readonly [name: string, value: unknown] {
  const write = (toText: (number: number) => unknown) => (value === null ? null : toText(value));
  const writeAmount = () => write((cents) => toAmount(cents, decimals));
  if (CENTS.test(name)) return [(name.replace(CENTS, "") || "amount") + suffix, writeAmount()];
  if (BASIS_POINTS.test(name)) return [name.replace(BASIS_POINTS, "_percent"), write(formatRateAsPercent)];
  if (REFUNDS.includes(name)) return [name, writeAmount()];
  return [name, CIVIL_MINUTES.includes(name) ? write(formatCivilMinute) : value];
}

const isGroup = (value: unknown): value is Values => typeof value === "object" && value !== null;

// Parts of a closing are numbers of days, eighths and kilometres, each next to its cost.
const GROUPS: Readonly<Record<string, (values: Values, format: Format) => Values>> = {
  closing: (values, format) => convert(values, format, "_cost"),
  discount: ({ kind, value, ...rest }, { decimals }) => {
    const text = kind === "percentage" ? formatRateAsPercent(Number(value)) : toAmount(Number(value), decimals);
    return { kind, value: text, ...rest };
  },
};

function convert(values: Values, format: Format, suffix = ""): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => toEntry(toSnakeCase(name), value, format, suffix)),
  );
}

/** Converts values of a history entry, as stored, to names and values of the API. */
export function toHistoryValues<Particulars extends Values>(values: Particulars, format: Format): Particulars {
  return convert(values, format) as Particulars;
}
