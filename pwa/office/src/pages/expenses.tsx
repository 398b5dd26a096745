import { useState } from "preact/hooks";
import { formatMoney } from "../account.ts";
import { linkToWithQuery, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import type { Expense } from "./expenses/expense.ts";
import { useExpenseConcepts } from "./expenses/expense-choices.ts";
import { ExpenseList } from "./expenses/expense-list.tsx";
import { ExpensePage } from "./expenses/expense-page.tsx";
import { ExpenseSheet } from "./expenses/expense-sheet.tsx";

const INITIAL_OUTCOME = { notice: "", lastExpenseVehicle: undefined };

/** Expense list with totals, new expense form, or one expense with its actions. */
export default function Expenses({ path }: { readonly path: readonly string[] }) {
  const [id] = path;
  const concepts = useExpenseConcepts();
  const [done, setDone] = useState<{ readonly notice: string; readonly lastExpenseVehicle: string | undefined }>(
    INITIAL_OUTCOME,
  );
  const toList = () => {
    location.hash = linkToWithQuery(Object.fromEntries(urlQuery.value), "expenses");
  };
  const onEntered = ({ total, stock_plate: plate, booking_item_reference: reference }: Expense) => {
    setDone({
      notice: t("did.newExpense", { total: formatMoney(total), plate: plate ?? reference }),
      lastExpenseVehicle: reference,
    });
    toList();
  };
  if (id && id !== "new")
    return (
      <ExpensePage
        key={id}
        id={id}
        concepts={concepts}
        onTakenBack={(notice) => {
          setDone({ notice, lastExpenseVehicle: undefined });
          toList();
        }}
      />
    );
  return (
    <>
      <ExpenseList key={done.notice} concepts={concepts} {...done} />
      {id === "new" && (
        <ExpenseSheet
          concepts={concepts}
          vehicle={urlQuery.value.get("booking_item_reference") ?? ""}
          onDone={onEntered}
          onClose={toList}
        />
      )}
    </>
  );
}
