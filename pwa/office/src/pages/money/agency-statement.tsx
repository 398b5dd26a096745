import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { AgencyPaymentRequest, AgencyStatementMessage } from "#worker/api/office/agency-statement-messages.ts";
import { formatDay, formatDayRange, formatMoney, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useOptions } from "../../desk/use-options.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";

type Statement = Immutable<AgencyStatementMessage>;
type Line = Statement["data"][number];

const PERIOD = ["date_from", "date_to"] as const;
const MAX_PAID = 200;

const createFilters = (agencies: readonly { readonly id: number; readonly name: string }[]): readonly ListFilter[] => [
  {
    name: "agency",
    label: "list.agencies",
    kind: "choice",
    isRequired: true,
    choices: () => agencies.map(({ id, name }) => [String(id), name] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

/** Statement of an agency: reservations of a period with sale, commission, paid commission and balance. */
export default function AgencyStatementPage() {
  const agencies = useOptions("agencies");
  const agency = urlQuery.value.get("agency") ?? "";
  const { date: today } = getCompanyDateTime();
  const from = urlQuery.value.get("date_from") || `${today.slice(0, 8)}01`;
  const to = urlQuery.value.get("date_to") || today;
  return (
    <>
      <ListFilterForm filters={createFilters(agencies)} />
      {agency === "" ? (
        <p class="soft">{t("chooseAgency")}</p>
      ) : (
        <StatementView key={`${agency} ${from} ${to}`} agency={agency} from={from} to={to} />
      )}
    </>
  );
}

interface StatementProps {
  readonly agency: string;
  readonly from: string;
  readonly to: string;
}

function StatementView({ agency, from, to }: StatementProps) {
  const path = `/agencies/${agency}/statement`;
  const period = { date_from: from, date_to: to };
  const { whole, problem, read, retry } = useResource<AgencyStatementMessage>(
    toOfficePath(`${path}?${new URLSearchParams(period)}`),
  );
  const [isFormOpen, setFormOpen] = useState(false);
  const [notice, setNotice] = useState("");
  const [error, setError] = useState("");
  if (!whole) return problem ? <LoadErrorMessage problem={problem} onRetry={retry} /> : <p>{t("loading")}</p>;
  const due = whole.data.filter(({ balance }) => Number(balance) !== 0).slice(0, MAX_PAID);
  const pay = (body: AgencyPaymentRequest, key?: string) =>
    sendOfficeRequest<object, AgencyPaymentRequest>("POST", toOfficePath(`${path}/pay`), {
      body,
      ...(key !== undefined && { key }),
    });
  // A contract's balance may have changed since the page was loaded.
  const openForm = () => {
    setFormOpen(true);
    void read();
  };
  const showPaid = () => {
    setNotice(t("commissionsPaid"));
    setError("");
    void read();
  };
  const undoPayment = async ({ reservation_id: id }: Line) => {
    const answer = await pay({ reservation_ids: [id], date: null }).catch(() => undefined);
    if (!answer) return setError(t("notSent"));
    if (answer.status < 300) return showPaid();
    const { fields, notice: refusalNotice } = toRefusalTexts(answer);
    setError([refusalNotice, ...Object.values(fields)].join(" "));
  };
  return (
    <>
      <p>
        <strong>{whole.agency.name}</strong> · {formatDayRange(from, to)}
      </p>
      <dl class="facts">
        {AMOUNTS.map(([name, label]) => (
          <div key={name}>
            <dt>{t(label)}</dt>
            <dd>{formatMoney(whole.sums[name])}</dd>
          </div>
        ))}
      </dl>
      <p class="buttons">
        <ListDownload path={path} names={PERIOD} also={period} />
        {hasUserRight("manage") && due.length > 0 && (
          <button type="button" class="main small" onClick={openForm}>
            {t("payCommissions")}
          </button>
        )}
      </p>
      <p class="done" role="status">
        {notice}
      </p>
      {error && <p role="alert">{error}</p>}
      {whole.data.length === 0 ? (
        <p>{t("noStatementLines")}</p>
      ) : (
        <RowsTable
          name={t("agencyStatement")}
          rows={whole.data}
          columns={createColumns(undoPayment)}
          keyOf={({ reservation_id: id }) => id}
        />
      )}
      {isFormOpen && (
        <FormSheet<object, Pick<AgencyPaymentRequest, "date">>
          title={`${t("payCommissions")} · ${whole.agency.name}`}
          introduction={t("settleAbout", {
            n: due.length,
            amount: formatMoney(sumAmounts(due.map(({ balance }) => balance))),
          })}
          draft={["agency-statement", agency]}
          fields={[{ name: "date", kind: "date", label: "commissionPaidOn", required: true }]}
          begin={{ date: getCompanyDateTime().date }}
          submit={t("payCommissions")}
          send={(body, key) => pay({ ...body, reservation_ids: due.map(({ reservation_id: id }) => id) }, key)}
          onDone={() => {
            setFormOpen(false);
            showPaid();
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </>
  );
}

const AMOUNTS = [
  ["sale", "statementSale"],
  ["commission", "statementCommission"],
  ["paid", "paid"],
  ["balance", "statementBalance"],
] as const;

const createColumns = (undoPayment: (line: Line) => Promise<unknown>): readonly TableColumn<Line>[] => [
  { head: t("reservation"), cell: ({ reservation_id: id }) => <a href={linkTo("reservations", id)}>{id}</a> },
  { head: t("customer"), cell: ({ customer_fullname: name }) => name, is: "wide" },
  { head: t("field.date_to"), cell: ({ date_to: date }) => formatDay(date), is: "date" },
  ...AMOUNTS.map(
    ([name, label]): TableColumn<Line> => ({ head: t(label), cell: (line) => formatMoney(line[name]), is: "number" }),
  ),
  {
    head: t("commissionPaidOn"),
    cell: (line) => (
      <>
        {line.paid_on && formatDay(line.paid_on)}{" "}
        {line.paid_on && hasUserRight("manage") && (
          <ConfirmButton text={t("unsettle")} of={String(line.reservation_id)} onSure={() => undoPayment(line)} />
        )}
      </>
    ),
    is: "press",
  },
];
