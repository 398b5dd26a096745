import {
  formatCompanyMoment,
  formatDay,
  formatMoment,
  formatMoney,
  formatPercent,
  getBranchName,
  getCategoryName,
} from "../../account.ts";
import { formatChangeAuthor } from "../../desk/change-author.ts";
import { parseFuelLevel } from "../../desk/fuel-levels.ts";
import type { HistoryEntry } from "../../desk/reservation.ts";
import { type TextKey, t, tOr } from "../../texts.ts";

interface PrintedDocument {
  readonly id: number;
  readonly serie: string | null;
  readonly number: string | null;
}

interface TimelineProps {
  readonly entries: readonly HistoryEntry[];
  /** Documents used to replace ids in entries by numbers. */
  readonly documents?: readonly PrintedDocument[];
}

/** History of a reservation, newest first: author, change, time, old and new values. */
export function ReservationHistory({ entries, documents = [] }: TimelineProps) {
  return (
    <section class="panel" aria-labelledby="history">
      <h2 id="history">{t("history")}</h2>
      {entries.length === 0 && <p class="calm">{t("noHistory")}</p>}
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={`${entry.at}-${String(index)}`}>
            <p>
              <strong>{tOr(`event.${entry.move}`, entry.move)}</strong>{" "}
              <span class="soft">{formatChangeAuthor(entry.who)}</span>
            </p>
            <p class="soft">
              <time dateTime={entry.at.slice(0, 16)}>{formatMoment(entry.at)}</time>
            </p>
            {entry.reason && <p>“{entry.reason}”</p>}
            {entry.reason_code && <p>{t(`reason.${entry.reason_code}` as TextKey, entry.reason_params)}</p>}
            <Changes before={numbered(entry.before, documents)} after={numbered(entry.after, documents)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

// Fields that contain a document id.
const DOCUMENT_FIELDS: readonly string[] = ["credit_note", "exchanged"];

function numbered(particulars: Particulars, documents: readonly PrintedDocument[]): Particulars {
  if (!particulars) return particulars;
  const particularTexts = Object.entries(particulars).flatMap(([name, value]) => {
    if (!DOCUMENT_FIELDS.includes(name)) return [[name, value] as const];
    const printed = documents.find(({ id }) => id === value);
    return printed ? [[name, `${printed.serie ?? ""}/${printed.number ?? ""}`] as const] : [];
  });
  return Object.fromEntries(particularTexts);
}

// Values that the history doesn't show, because they mean nothing to users.
const INNER: readonly string[] = ["id", "version", "vehicle_reference", "op_id", "unit_id", "agreed_return"];

// Empty, null and undefined are equal.
const toComparable = (value: unknown) => JSON.stringify(value === "" ? null : (value ?? null));

type Particulars = HistoryEntry["before"];
type Group = Readonly<Record<string, unknown>>;

function Changes({ before, after }: { readonly before: Particulars; readonly after: Particulars }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !INNER.includes(name) && toComparable(before?.[name]) !== toComparable(after?.[name]),
  );
  if (names.length === 0) return null;
  return (
    <ul class="plain changes">
      {names.map((name) => (
        <li key={name}>
          <span class="soft">{getHistoryValueLabel(name, after?.[name] ?? before?.[name])}:</span>{" "}
          {before && name in before
            ? `${formatHistoryValue(before[name], name)}${after && name in after ? " → " : ""}`
            : ""}
          {after && name in after ? formatHistoryValue(after[name], name) : ""}
        </li>
      ))}
    </ul>
  );
}

/** Returns the label of a value of an entry. */
export function getHistoryValueLabel(name: string, value?: unknown): string {
  if (name === "vehicle") return t("vehicleName");
  // Vehicles have a fuel type under the same name.
  if (name === "fuel" && parseFuelLevel(String(value)) !== undefined) return t("fuelOrCharge");
  const fallbackLabel = tOr(`field.${name}`, tOr(`row.${name}`, name.replaceAll("_", " ")));
  return tOr(`told.${name}`, tOr(`in.${name}`, tOr(`back.${name}`, fallbackLabel)));
}

const AMOUNT_NAME = /^(total|fee|to_refund|upgrade|amount|commission|agent_kept|refund_.+)$/;

// Whether a text is an amount. Detected by name, because yen amounts have no decimal point, or by format.
function isAmount(text: string, name: string): boolean {
  return (AMOUNT_NAME.test(name) && /^-?\d+(\.\d+)?$/.test(text)) || /^-?\d+\.\d{2}$/.test(text);
}

/** Formats a value of an entry. */
export function formatHistoryValue(value: unknown, name = ""): string {
  if (value === null || value === undefined || value === "") return t("nothing");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map((item) => formatHistoryValue(item, name)).join(", ");
  if (typeof value === "object") return (GROUP_FORMATTERS[name] ?? partsText)(value as Group);
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text);
  const formatter = VALUE_FORMATTERS[name] ?? (isAmount(text, name) ? formatMoney : undefined);
  return formatter?.(text) ?? tOr(`state.${text}`, text);
}

// A quantity of one is left out: "Economy", "2 × Economy".
function partsText({ quantity, ...parts }: Group): string {
  const text = Object.entries(parts)
    .map(([part, item]) => formatHistoryValue(item, part))
    .join(" · ");
  return quantity === undefined || quantity === 1 ? text : `${String(quantity)} × ${text}`;
}

// Returns the label of a changed customer field, by its domain name.
function fieldText(name: string): string {
  if (name === "id") return t("customer");
  const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace("customer_address_", "address.");
  const transferField = name.replace(/^detailed_(return_)?/, "");
  const otherLabel = tOr(`in.transfer.${transferField}`, getHistoryValueLabel(name));
  return tOr(`in.customer.${field}`, tOr(`lack.${name}`, otherLabel));
}

function discountText({ kind, value, reason }: Group): string {
  const amount = (kind === "percentage" ? formatPercent : formatMoney)(String(value));
  return reason ? `${amount} · ${String(reason)}` : amount;
}

const CLOSING = {
  extra_days_cost: "part.supplement_1_cost",
  fuel_cost: "part.supplement_2_cost",
  kilometres_cost: "part.supplement_3_cost",
} as const;

// Formats the closing costs of a return.
function closingText(closing: Group): string {
  const charged = Object.entries(CLOSING).filter(([name]) => Number(closing[name]) > 0);
  return charged.map(([name, key]) => `${t(key)} ${formatMoney(String(closing[name]))}`).join(" · ") || t("nothing");
}

const GROUP_FORMATTERS: Readonly<Record<string, (group: Group) => string>> = {
  closing: closingText,
  discount: discountText,
};

const HANDED: Readonly<Record<string, string>> = { delivery: "delivered", collection: "collected" };

const VALUE_FORMATTERS: Readonly<Record<string, (text: string) => string>> = {
  kind: (text) =>
    tOr(`event.${HANDED[text] ?? ""}`, tOr(`block.${text}`, tOr(`damage.${text}`, tOr(`work.${text}`, text)))),
  document: (text) => tOr(`mode.${text}`, text),
  position: (text) => tOr(`told.${text}`, text),
  moment: (text) => tOr(`moment.${text}`, text),
  part: (text) => tOr(`vehiclePart.${text}`, text),
  recorded_at: formatCompanyMoment,
  starts_at: formatMoment,
  ends_at: formatMoment,
  discount_percent: formatPercent,
  branch_code: getBranchName,
  return_rental_location_code: getBranchName,
  acquisition_mode: (text) => tOr(`acquisition.${text}`, text),
  charge: (text) => tOr(`moneyKind.${text}`, text),
  check_in: (text) => t(text === "held" ? "kind.field_work_held" : "kind.field_work_refused"),
  code: (text) => tOr(`work.${text}`, text),
  flags: (text) => tOr(`flag.${text}`, text),
  category_code: getCategoryName,
  customer_type: (text) => tOr(`customerType.${text}`, text),
  fields: fieldText,
  fuel: (text) => tOr(`option.${text}`, text),
  purpose: (text) => tOr(`linkFor.${text}`, text),
  payment_method_id: (text) => tOr(`method.${text}`, text),
};
