import { createTexts } from "#shared/i18n.ts";
import type { FailureDetails, Reason } from "../api/client.ts";
import type { ProblemKey } from "../i18n/problems/en.ts";
import { type TextKey, t } from "../i18n/texts.ts";
import { formatDate } from "./civil-time.ts";
import { getCategoryName, getPlaceName } from "./names.ts";
import { language } from "./preferences.ts";

const problemTexts = createTexts<ProblemKey>({
  es: () => import("../i18n/problems/es.ts"),
  ca: () => import("../i18n/problems/ca.ts"),
  en: () => import("../i18n/problems/en.ts"),
  de: () => import("../i18n/problems/de.ts"),
});

const LABELS: Readonly<Record<string, TextKey>> = {
  ...{ date_from: "walkInFrom", time_from: "walkInFromTime", date_to: "walkInTo", time_to: "walkInToTime" },
  ...{ pickup_place: "pickupPlace", return_place: "returnPlace", category_code: "category", driver_age: "driverAge" },
  ...{ name: "firstName", surname: "surname", phone: "phoneNumber", email: "email", document_id: "document" },
  ...{ notes: "notes", kilometres: "kilometres", fuel_eighths: "fuel", extras: "step_extras", damages: "step_damage" },
  ...{ vehicle_reference: "step_vehicle", exchange: "step_replacement", signature: "signature", charges: "step_money" },
  return_rental_location_code: "returnPlace",
};

// Codes of problems whose text doesn't name the field, so the field's label is put before it.
const NEEDS_LABEL: ReadonlySet<string> = new Set([
  ...["missing", "empty", "too_long", "plain", "email", "telephone", "document", "person_name", "date", "time"],
  ...["whole_number", "whole", "at_least", "at_most", "not_known", "unknown_field"],
]);

/** Returns reasons as sentences in the user's language, without the server's own texts. */
export async function describeReasons(reasons: readonly Reason[]): Promise<readonly string[]> {
  // If the texts can't be loaded, the app still shows that the server refused.
  await problemTexts.loadTexts(language.peek()).catch(() => undefined);
  return [...new Set(reasons.map(describeReason))];
}

/** Returns an error response of the server as one text in the user's language. */
export async function describeFailure({
  code,
  params,
  detail,
}: FailureDetails & Pick<Reason, "code">): Promise<string> {
  const fields = (detail ?? []).flatMap((item) => (item.code === undefined ? [] : [{ ...item, code: item.code }]));
  const all: readonly Reason[] = fields.length > 0 ? fields : [{ code, params }];
  return (await describeReasons(all)).join(" ");
}

/** Returns the labelled fields of a refused record as sentences in the user's language. */
export function describeFields(detail: NonNullable<FailureDetails["detail"]>): Promise<readonly string[]> {
  return describeReasons(
    detail.flatMap(({ field = "", code = "unknown_field", params }) => {
      const name = field.split(".").find((part) => LABELS[part] !== undefined);
      return name === undefined ? [] : [{ field: name, code, params }];
    }),
  );
}

function describeReason({ code, params = {}, field }: Reason): string {
  const name = field?.replace(/^customer\./, "") ?? "";
  const label = LABELS[name];
  // If the params name a violated life-cycle rule, its text is more specific than that of the code.
  const known = [params["rule"], code].map((key) => problemTexts.t(String(key) as ProblemKey, readable(params)));
  const text = known.find((item) => item !== "");
  if (text === undefined) return toUnknown(label);
  return label && NEEDS_LABEL.has(code) ? `${t(label)}: ${text}` : text;
}

function toUnknown(label: TextKey | undefined): string {
  const text = problemTexts.t(label ? "unknown_field" : "unknown");
  return text === "" ? t("changeRefused") : [label && t(label), text].filter(Boolean).join(": ");
}

const CATEGORIES = ["product", "category", "code"];
const PLACES = ["place", "pickup_place"];

/** Replaces codes, ids and dates by names and dates in the user's language. */
function readable(params: NonNullable<Reason["params"]>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]): [string, string | number] => {
      const text = String(value);
      if (CATEGORIES.includes(name)) return [name, getCategoryName(text)];
      if (PLACES.includes(name)) return [name, getPlaceName({ id: Number(value), name: text })];
      return [name, /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDate(text) : value];
    }),
  );
}
