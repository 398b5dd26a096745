import { useEffect, useState } from "preact/hooks";
import { MAX_DATE } from "#shared/max-date.ts";
import {
  account,
  formatDay,
  formatMoment,
  formatMoney,
  formatSignedMoney,
  getBranchName,
  getCompanyDateTime,
  hasUserRight,
} from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import { formatAmountCell } from "../../desk/amount-cell.ts";
import { BRANCH_PARAMETER, readFilterValue } from "../../desk/chosen-branch.ts";
import { Select } from "../../desk/inputs.tsx";
import { type ListTotal, ListTotals } from "../../desk/list-totals.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { Skeleton } from "../../desk/skeleton.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { replaceQueryValues, urlQuery } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { CashClosingSheet } from "./cash-closing-sheet.tsx";
import type { CashRegister, CashRegisterClosing, CashRegisterLine } from "./money.ts";

const columns = (): readonly TableColumn<CashRegisterLine>[] => [
  {
    head: t("row.payment_method_id"),
    cell: ({ payment_method_id: method }) => tOr(`method.${method}`, method),
  },
  { head: t("branch"), cell: ({ rental_location_code: code }) => getBranchName(code ?? "") },
  { head: t("charged"), cell: ({ charged }) => formatAmountCell(charged), is: "number" },
  { head: t("refunded"), cell: ({ refunded }) => formatAmountCell(refunded), is: "number" },
  { head: t("total"), cell: ({ total }) => <strong>{formatMoney(total)}</strong>, is: "number" },
  {
    head: t("depositsIn"),
    cell: (registerLine) => formatAmountCell(registerLine.deposits_received),
    is: "number",
    from: "laptop",
  },
  {
    head: t("depositsOut"),
    cell: (registerLine) => formatAmountCell(registerLine.deposits_returned),
    is: "number",
    from: "laptop",
  },
  {
    head: t("depositsKept"),
    cell: (registerLine) => formatAmountCell(registerLine.deposits_kept),
    is: "number",
    from: "laptop",
  },
  {
    head: t("withDeposits"),
    cell: (registerLine) => <strong>{formatMoney(registerLine.total_with_deposits)}</strong>,
    is: "number",
  },
];

/** Daily payments by method and branch, and the cash closing of a branch. */
export function DayRegister() {
  const [notice, setNotice] = useState("");
  const [isClosing, setClosing] = useState(false);
  const date = urlQuery.value.get("date") ?? getCompanyDateTime().date;
  const branch = readFilterValue(urlQuery.value, BRANCH_PARAMETER) || onlyBranch();
  const registerQuery = new URLSearchParams({ date, ...(branch && { rental_location_code: branch }) });
  const {
    whole: register,
    problem,
    read,
    retry,
  } = useResource<CashRegister>(toOfficePath(`/register?${registerQuery}`));
  useEffect(() => setNotice(""), [date, branch]);
  // Other desks may have recorded payments since the page was loaded.
  const startClosing = () => {
    setClosing(true);
    void read();
  };
  return (
    <>
      <DayAndBranch date={date} branch={branch} />
      <LoadErrorMessage problem={problem} onRetry={retry} />
      <p class="done" role="status">
        {notice}
      </p>
      {!register && !problem && <Skeleton />}
      {register && (
        <>
          {register.data.length === 0 ? (
            <p class="calm">{t("noMoneyThatDay")}</p>
          ) : (
            <>
              <RowsTable
                name={t("register")}
                rows={register.data}
                columns={columns()}
                keyOf={(registerLine) => `${registerLine.rental_location_code} ${registerLine.payment_method_id}`}
              />
              <ListTotals totals={toListTotals(register)} />
            </>
          )}
          <Cash of={register} branch={branch} onClose={startClosing} />
          <Closings closings={register.closings} />
        </>
      )}
      {isClosing && register?.cash && (
        <CashClosingSheet
          branch={branch}
          date={date}
          cash={register.cash}
          onClose={() => setClosing(false)}
          onDone={(closing) => {
            setClosing(false);
            setNotice(t("cashClosed", { difference: formatSignedMoney(closing.difference) }));
            void read();
          }}
        />
      )}
    </>
  );
}

// Returns the user's branch if they have only one.
function onlyBranch(): string {
  const [firstBranch, ...others] = account.value.rental_locations;
  return firstBranch && others.length === 0 ? firstBranch.code : "";
}

function DayAndBranch({ date, branch }: { readonly date: string; readonly branch: string }) {
  return (
    <search class="filters">
      <label>
        {t("date")}
        <input
          type="date"
          max={MAX_DATE}
          value={date}
          onChange={(event) => replaceQueryValues({ date: event.currentTarget.value })}
        />
      </label>
      <label>
        {t("branch")}
        <Select
          value={branch}
          none={t("all")}
          choices={account.value.rental_locations.map(({ code, name }) => [code, name])}
          onChange={(code) => replaceQueryValues({ rental_location_code: code })}
        />
      </label>
    </search>
  );
}

const toListTotals = ({ totals }: CashRegister): readonly ListTotal[] => [
  [t("charged"), totals.charged],
  [t("refunded"), totals.refunded],
  [t("total"), totals.total],
  [t("withDeposits"), totals.total_with_deposits],
];

interface CashProps {
  readonly of: CashRegister;
  readonly branch: string;
  readonly onClose: () => void;
}

function Cash({ of: { cash, date, closings }, branch, onClose }: CashProps) {
  const isClosed = closings.some((closing) => closing.rental_location_code === branch && closing.date === date);
  return (
    <section class="panel money" aria-labelledby="cash">
      <h2 id="cash">{t("cash")}</h2>
      {!cash && <p class="soft">{t("chooseBranchForCash")}</p>}
      {cash && (
        <>
          <dl>
            {(["opening", "moved", "expected"] as const).map((item) => (
              <div key={item} class={item === "expected" ? "sum strong" : "sum"}>
                <dt>{t(`cash.${item}`)}</dt>
                <dd class="number">{formatMoney(cash[item])}</dd>
              </div>
            ))}
          </dl>
          {isClosed && <p class="soft">{t("closedAlready")}</p>}
          {!isClosed && hasUserRight("sell") && (
            <div class="buttons">
              <button type="button" class="main" onClick={onClose}>
                {t("closeCash")}
              </button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Closings({ closings }: { readonly closings: readonly CashRegisterClosing[] }) {
  if (closings.length === 0) return null;
  const closingColumns: readonly TableColumn<CashRegisterClosing>[] = [
    {
      head: t("branch"),
      cell: (closing) => (
        <>
          {getBranchName(closing.rental_location_code)}
          <small>{formatDay(closing.date)}</small>
        </>
      ),
    },
    { head: t("difference"), cell: (closing) => formatSignedMoney(closing.difference), is: "number" },
    { head: t("cash.expected"), cell: (closing) => formatMoney(closing.expected), is: "number" },
    { head: t("back.counted"), cell: (closing) => formatMoney(closing.counted), is: "number" },
    { head: t("back.taken_out"), cell: (closing) => formatAmountCell(closing.taken_out), is: "number", from: "laptop" },
    { head: t("cash.left"), cell: (closing) => formatMoney(closing.left), is: "number" },
    {
      head: t("closedBy"),
      cell: (closing) => (
        <>
          {closing.closed_by}
          <small>{formatMoment(closing.closed_at)}</small>
          {closing.note && <small>“{closing.note}”</small>}
        </>
      ),
      is: "wide",
    },
  ];
  return (
    <div class="column">
      <h2>{t("closings")}</h2>
      <RowsTable name={t("closings")} rows={closings} columns={closingColumns} keyOf={({ id }) => id} />
    </div>
  );
}
