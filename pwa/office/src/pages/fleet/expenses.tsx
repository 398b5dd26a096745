import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { ExpenseListMessage } from "#worker/api/office/expense-messages.ts";
import { formatDay, formatMoney, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";

type Spent = Immutable<ExpenseListMessage>;

const MAX_VISIBLE_EXPENSES = "3";

/** Expenses of a vehicle this year: total, latest ones and a link to all. */
export function VehicleExpenses({ reference }: { readonly reference: string }) {
  const [spent, setSpent] = useState<Spent>();
  const [hasFailed, setFailed] = useState(false);
  const year = getCompanyDateTime().date.slice(0, 4);
  const vehicleFilter = { booking_item_reference: reference };
  const days = { date_from: `${year}-01-01`, date_to: `${year}-12-31` };
  const read = () => {
    setFailed(false);
    sendOfficeRequest<ExpenseListMessage>(
      "GET",
      toOfficePath(`/expenses?${new URLSearchParams({ ...vehicleFilter, ...days, page_size: MAX_VISIBLE_EXPENSES })}`),
    ).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        if (content) setSpent(content);
        else setFailed(true);
      },
      () => setFailed(true),
    );
  };
  useEffect(read, [reference]);
  return (
    <section class="panel" aria-labelledby="expenses">
      <h2 id="expenses">{t("expenses")}</h2>
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={read} />
      {spent && (
        <dl class="facts">
          <div>
            <dt>{t("spentIn", { year })}</dt>
            <dd>
              <strong>{formatMoney(spent.summary.total)}</strong>
            </dd>
          </div>
          {spent.data.map((expense) => (
            <div key={expense.id}>
              <dt>{formatDay(expense.date)}</dt>
              <dd>
                <a href={linkTo("expenses", expense.id)}>{expense.concept}</a> · {formatMoney(expense.total)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="buttons">
        {hasUserRight("manage") && (
          <a class="button" href={linkToWithQuery(vehicleFilter, "expenses", "new")}>
            {t("newExpense")}
          </a>
        )}
        <a class="button quiet" href={linkToWithQuery(vehicleFilter, "expenses")}>
          {t("itsExpenses")}
        </a>
      </div>
    </section>
  );
}
