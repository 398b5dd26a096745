import type { Reason } from "#domain/problems.ts";
import { formatDay, formatKilometres, getCategoryName } from "../account.ts";
import { t, tOr } from "../texts.ts";

type Format = (value: string) => string;

// Rules name fields and choices as the API does, several separated by commas.
const formatNames: Format = (value) =>
  value
    .split(", ")
    .map((text) => text.replace(/^role: /, ""))
    .map((text) => tOr(`field.${text}`, tOr(`option.${text}`, tOr(`in.${text}`, tOr(`field.date_${text}`, text)))))
    .join(", ");

const FORMATS: Readonly<Record<string, Format>> = {
  field: formatNames,
  fields: formatNames,
  choices: formatNames,
  other: formatNames,
  scope: formatNames,
  limit: formatNames,
  product: getCategoryName,
  category: getCategoryName,
  reading: (value) => formatKilometres(Number(value)),
  problem: formatWebhookProblem,
};

function formatValue(name: string, value: string | number): string {
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text);
  return FORMATS[name]?.(text) ?? text;
}

/** Returns the text of a webhook's URL problem or failed delivery. */
export function formatWebhookProblem(code: string): string {
  return tOr(`webhookProblem.${code}`, code);
}

/** Returns the text of a stored problem of a refund or card hold. Codes of the gateway aren't translated. */
export function formatGatewayProblem(of: "refundWhy" | "cardHoldWhy", problem: string): string {
  return tOr(`${of}.${problem}`, t("gatewayProblem", { problem }));
}

/** Returns the sentence of a reason in the user's language, with fields and choices named as in the forms. */
export function formatReason({ code, params = {} }: Reason): string {
  const values = Object.entries(params).map(([name, value]) => [name, formatValue(name, value)] as const);
  return t(`problem.${code}`, { ...params, ...Object.fromEntries(values) });
}
