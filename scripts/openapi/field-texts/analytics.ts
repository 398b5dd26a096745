import type { FieldDescriptions } from "../describe-fields.ts";
import { createNumberedFieldTexts, describeDate, describeMoney } from "./phrases.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];
const ALL_MONTHS = [...MONTHS, "November", "December"];

/** Texts of the yearly reports. */
export const analyticsFieldDescriptions: FieldDescriptions = {
  name: "analytics",
  fields: {
    ...createNumberedFieldTexts(
      ALL_MONTHS.map((_, index) => index + 1),
      (month) => [String(month), `Value of ${ALL_MONTHS[month - 1]} by \`report_type\`. Decimal text, or the number 0`],
    ),
    data: "Rows of the report",
    summary: "Sums over all rows",
    childs: "The same by branch",
    id: "Code or name of the row. `TOTAL` in the sums",
    name: "Name of the extra. `TOTAL` in the sums",
    "childs.id": "Id of the parent row and code of the branch",
    "childs.name": "Code of the branch",
    parent: "Id of the row to which the branch's part belongs",
    "childs.total": "Sum of the twelve months. Decimal text, or the number 0",
    "summary.total": "Sum of the twelve months. Decimal text, or the number 0",
    "reportProducts.id": "Reference of the vehicle",
    "reportProducts.summary.id": "Always `TOTAL`",
    "reportProducts.summary.stock_plate": "Always `TOTAL`",
    "reportProducts.summary.stock_model": "Always empty",
    "reportProducts.total": "Sum of the twelve months. Decimal text, or the number 0",
    "reportExtras.total": "Sum of the twelve months. Decimal text, or the number 0",
    "reportSupplements.total": "Sum of the twelve months. Decimal text, or the number 0",
    group_field_name: "Code of the branch or id of the branch group, by `group_entity`",
    own_property: "Whether the company owns the vehicle. Null in the sums",
    purchasable_adquisition_date: describeDate("Day on which the company acquired the vehicle. Null if unknown"),
    booking_item_reference: "Reference of the vehicle that it was spent on. Null without one",
    expense_account_id: "Id of the account to which the expense is posted",
    concept: "Name of the expense concept",
    concept_id: "Id of the expense concept",
    "reportExpenses.id": "Id of the expense",
    date: describeDate("Day of the receipt"),
    description: "Text of the expense line",
    reference: "Number of the supplier's document. Null without one",
    total_without_taxes: describeMoney("Amount without taxes, before the discount"),
    discount: describeMoney("Discount on the amount without taxes"),
    subtotal: describeMoney("Amount without taxes, after the discount"),
    total_taxes: describeMoney("Amount of the taxes"),
    "reportExpenses.total": describeMoney("Amount with taxes"),
    "reportExpenses.summary.total": describeMoney("Amount with taxes"),
    total_rows: "Number of expense lines",
    rental_location_code: "Code of the branch that bears the expense",
    rental_location_name: "Name of the branch that bears the expense",
    rental_storage_id: "Id of the branch group that bears the expense",
    rental_storage_name: "Name of the branch group that bears the expense",
  },
  parameters: {
    report_type: "Figure to report: billing, days, occupation, contracts or usage, with or without taxes",
    group_entity: "Whether rows are grouped by branch (`rental_location`) or branch group (`rental_storage`)",
    page: "Page number, from 0",
  },
};
