import { t, tOr } from "../texts.ts";
import { getFieldLabel } from "./fields.ts";

const COMPANY = "company_";

/** Names fields that an electronic invoice lacks. Those of the company are marked. */
export function formatEInvoiceFieldNames(fields: readonly string[]): string {
  const label = (name: string) => tOr(`eInvoiceField.${name}`, getFieldLabel({ name }));
  return fields
    .map((field) =>
      field.startsWith(COMPANY) ? `${label(field.slice(COMPANY.length))} (${t("groupCompany")})` : label(field),
    )
    .join(", ");
}
