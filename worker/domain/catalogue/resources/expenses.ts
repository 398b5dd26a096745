import { fieldBuilders } from "./fields.ts";
import type { Resource } from "./resource.ts";

const KIND = {
  tag: "Expenses",
  key: ["id"],
  isCounted: true,
  readRight: "see",
  writeRight: "manage",
  // Imported files refer to these resources by name.
  nameFields: ["name"],
  isRemovable: true,
} as const;

/** Classification of the fleet's expenses. */
export const EXPENSE_RESOURCES = [
  {
    ...KIND,
    name: "expense-accounts",
    singular: "expense_account",
    about: "Accounts to which expenses are posted",
    fields: [fieldBuilders.text("name", "name", 80, { required: true })],
  },
  {
    ...KIND,
    name: "expense-concepts",
    singular: "expense_concept",
    about: "Expense concepts, each with its account",
    fields: [
      fieldBuilders.text("name", "name", 80, { required: true }),
      fieldBuilders.reference("expense_account_id", "expenseAccountId", "expense-accounts", {
        required: true,
        isNumber: true,
      }),
    ],
  },
] as const satisfies readonly Resource[];
