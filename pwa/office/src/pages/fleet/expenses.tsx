import { useEffect, useState } from "preact/hooks";
import { dayText, may, money, nowThere } from "../../account.ts";
import { ask, contentOf, office } from "../../api.ts";
import { Trouble } from "../../desk/trouble.tsx";
import { linkTo, linkWith } from "../../route.ts";
import { t } from "../../texts.ts";
import type { Expense } from "../expenses/expense.ts";

interface Spent {
  readonly data: readonly Expense[];
  readonly total: number;
  readonly summary: { readonly total: string };
}

const SHOWN = "3";

/** What a vehicle cost this year, the last of it, and the way to all of it. */
export function VehicleExpenses({ reference }: { readonly reference: string }) {
  const [spent, setSpent] = useState<Spent>();
  const [hasFailed, setFailed] = useState(false);
  const year = nowThere().date.slice(0, 4);
  const of = { booking_item_reference: reference };
  const days = { date_from: `${year}-01-01`, date_to: `${year}-12-31` };
  const read = () => {
    setFailed(false);
    ask("GET", office(`/expenses?${new URLSearchParams({ ...of, ...days, page_size: SHOWN })}`)).then(
      (answer) => {
        const content = contentOf<Spent>(answer);
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
      <Trouble problem={hasFailed ? t("failed") : ""} onRetry={read} />
      {spent && (
        <dl class="facts">
          <div>
            <dt>{t("spentIn", { year })}</dt>
            <dd>
              <strong>{money(spent.summary.total)}</strong>
            </dd>
          </div>
          {spent.data.map((one) => (
            <div key={one.id}>
              <dt>{dayText(one.date)}</dt>
              <dd>
                <a href={linkTo("expenses", one.id)}>{one.concept}</a> · {money(one.total)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="moves">
        {may("manage") && (
          <a class="button" href={linkWith(of, "expenses", "new")}>
            {t("newExpense")}
          </a>
        )}
        <a class="button quiet" href={linkWith(of, "expenses")}>
          {t("itsExpenses")}
        </a>
      </div>
    </section>
  );
}
