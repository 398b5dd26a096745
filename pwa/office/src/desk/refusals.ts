import type { ProblemCode } from "#domain/problems.ts";
import { isStaffRefusalCode } from "#domain/refusal-codes.ts";
import { formatMoney, getCategoryName } from "../account.ts";
import type { OfficeResponse } from "../api.ts";
import { t, tOr } from "../texts.ts";
import { formatReason } from "./problem-texts.ts";
import type { ReasonParams, RefusalReason } from "./quote.ts";

/** Whether a code belongs to a refused value. Such codes have a sentence in every language. */
export function isProblemCode(code: string): code is ProblemCode {
  return tOr(`problem.${code}`, "") !== "";
}

/** Returns the refusal for a missing right, with the role that has it. */
export const formatMissingRight = (right: string): string =>
  t(right === "administer" ? "refused.permission_denied" : "managerMay", { right: tOr(`right.${right}`, right) });

const nameAll = (names: unknown, getName: (name: string) => string) =>
  String(names).split(", ").map(getName).join(", ");

const nameApprovers = (refusal: string, approvers: unknown) =>
  approvers ? `${refusal} · ${t("refused.approvers", { names: String(approvers) })}` : refusal;

/** Sentences of refusals that need more than their code's text. */
const REFUSALS: Readonly<Record<string, (params: ReasonParams) => string>> = {
  action_not_allowed: ({ rule }) => tOr(`rule.${rule}`, t("refused.action_not_allowed")),
  sold_out: ({ resource, code, approvers }) =>
    nameApprovers(
      resource === "transfer"
        ? t("refused.soldOutTrips")
        : t("refused.sold_out", { what: getCategoryName(String(code)) }),
      approvers,
    ),
  permission_denied: ({ right, approvers }) => nameApprovers(formatMissingRight(String(right)), approvers),
  handover_blocked: ({ missing }) =>
    t("refused.handover_blocked", { missing: nameAll(missing, (name) => tOr(`handover.${name}`, name)) }),
  customer_incomplete: ({ fields }) =>
    t("refused.customer_incomplete", {
      fields: nameAll(fields, (path) => {
        const name = path.replace("customer.", "");
        return tOr(`field.${name}`, tOr(`back.${name}`, name));
      }),
    }),
  discount_limit: ({ limit, approvers }) =>
    nameApprovers(t("refused.discount_limit", { amount: formatMoney(String(limit ?? "0")) }), approvers),
  discount_limit_exceeded: ({ limit }) =>
    t("refused.discount_limit_exceeded", { amount: formatMoney(String(limit ?? "0")) }),
  amount_exceeds_deposit: ({ maximum }) =>
    t("refused.amount_exceeds_deposit", { maximum: formatMoney(String(maximum ?? "0")) }),
};

/** Returns the sentence of a refusal or a warning in the user's language, by its code. */
export function translateReason({ code, params = {} }: Pick<RefusalReason, "code" | "params">): string {
  if (isProblemCode(code)) return formatReason({ code, params });
  const special = REFUSALS[code];
  if (special) return special(params);
  return isStaffRefusalCode(code) ? t(`refused.${code}`, params) : t("failed");
}

/** Sentences of a refusal: by field, and for the whole request. */
export interface RefusalTexts {
  readonly fields: Readonly<Record<string, string>>;
  readonly notice: string;
}

/** Returns the reasons of a refused quote: one for each refused field, otherwise one for the whole request. */
export function listReasons({ status, body }: OfficeResponse): readonly RefusalReason[] {
  const detail = listRefusedFields(body);
  if (status === 400 && detail.length > 0) return detail;
  return [{ code: body.code ?? "", params: body.params ?? {} }];
}

/** Returns the refused fields of an answer with their codes. */
export function listRefusedFields({
  detail = [],
}: OfficeResponse["body"]): readonly (RefusalReason & { readonly field: string })[] {
  return detail.map((item) => ({ ...item, code: item.code ?? "" }));
}

/** Returns the sentences of reasons by the field that they name, and the reasons without a field. */
export function splitReasonsByField(reasons: readonly RefusalReason[]) {
  return {
    fields: Object.fromEntries(
      reasons.flatMap((reason) => (reason.field ? [[reason.field, translateReason(reason)] as const] : [])),
    ),
    others: reasons.filter(({ field }) => !field),
  };
}

/** Formats a refused answer as one text, for places without fields. */
export function formatRefusal(answer: OfficeResponse): string {
  const { fields, notice } = toRefusalTexts(answer);
  return [notice, ...Object.values(fields)].join(" ");
}

/** Returns the sentences of a refused answer: one for each refused field, one for the rest. */
export function toRefusalTexts({ status, body }: OfficeResponse): RefusalTexts {
  const detail = listRefusedFields(body);
  if (status === 400 && detail.length > 0) {
    const fields = Object.fromEntries(detail.map((reason) => [reason.field, translateReason(reason)]));
    return { fields, notice: t("fixFields") };
  }
  return { fields: {}, notice: translateReason({ code: body.code ?? "", params: body.params }) };
}

/**
 * Returns the sentences of a refused answer for a form. A refusal of the whole request that names a field of the form
 * belongs to this field.
 */
export function toFormRefusal(answer: OfficeResponse, names: readonly string[]): RefusalTexts {
  const refused = toRefusalTexts(answer);
  if (answer.status === 400) return refused;
  const placed = listRefusedFields(answer.body)
    .filter(({ field }) => names.includes(field))
    // The code of the whole request is more specific than that of its field.
    .map(({ field }) => [field, refused.notice] as const);
  return placed.length === 0 ? refused : { fields: Object.fromEntries(placed), notice: t("fixFields") };
}
