import { useEffect, useState } from "preact/hooks";
import { formatDay, formatMoney, getPlaceName, getUserDecimalMark, hasUserRight } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { formatAmountCell } from "../../desk/amount-cell.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import type { ReservationList, ReservationListItem } from "../../desk/reservation.ts";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { SaveFileButton } from "../../desk/save-file-button.tsx";
import { linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import { type Customer, getCustomerName } from "./customer.ts";

const PAGE_SIZE = "100";

const columns = (): readonly TableColumn<ReservationListItem>[] => [
  { head: t("reservation"), cell: ({ id }) => id },
  { head: t("in.status"), cell: (listed) => <ReservationStateBadge of={listed} /> },
  {
    head: t("pickup"),
    cell: (listed) => (
      <>
        {formatDay(listed.date_from)}
        <small>{getPlaceName(listed.pickup_place_id, listed.pickup_place)}</small>
      </>
    ),
  },
  { head: t("return"), cell: (listed) => formatDay(listed.date_to) },
  { head: t("total"), cell: (listed) => formatMoney(listed.total_cost), is: "number" },
  { head: t("pending"), cell: (listed) => formatAmountCell(listed.total_pending), is: "number" },
];

/** Contracts of a customer, newest first. */
export function CustomerContracts({ of, count }: { readonly of: Customer; readonly count: number }) {
  const [rows, setRows] = useState<readonly ReservationListItem[]>();
  const [hasFailed, setFailed] = useState(false);
  const read = () => {
    setFailed(false);
    sendOfficeRequest<ReservationList>(
      "GET",
      toOfficePath(`/reservations?${new URLSearchParams({ customer_id: String(of.id), page_size: PAGE_SIZE })}`),
    ).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        if (content) setRows(content.data);
        setFailed(!content);
      },
      () => setFailed(true),
    );
  };
  useEffect(() => {
    if (count > 0) read();
  }, [of.id, of.version]);
  return (
    <section class="panel" aria-labelledby="contracts">
      <h2 id="contracts">{t("contractsCount", { n: count })}</h2>
      <p class="buttons">
        <OpenDocumentButton
          path={`/customers/${of.id}/statement.pdf`}
          name={getCustomerName(of)}
          text={t("statementPdf")}
        />
        <SaveFileButton
          path={`/customers/${of.id}/statement.csv?${new URLSearchParams({ decimal_mark: getUserDecimalMark() })}`}
          file={`statement-${of.id}.csv`}
          text={t("statementCsv")}
        />
        {hasUserRight("sell") && (
          <a class="button" href={linkToWithQuery({ customer_id: of.id }, "money", "collectiveInvoice")}>
            {t("collectiveInvoice")}
          </a>
        )}
      </p>
      {count === 0 && <p class="calm">{t("noContracts")}</p>}
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={read} />
      {rows && rows.length > 0 && (
        <RowsTable
          name={t("reservations")}
          rows={rows}
          columns={columns()}
          keyOf={({ id }) => id}
          to={({ id }) => ["reservations", id]}
        />
      )}
      {count > 0 && <a href={linkToWithQuery({ customer_id: of.id }, "money")}>{t("documents")}</a>}
      {rows && rows.length < count && (
        <p class="soft">
          {t("someContracts", { n: rows.length })}{" "}
          <a href={linkToWithQuery({ customer_id: of.id }, "reservations")}>{t("theirReservations")}</a>
        </p>
      )}
    </section>
  );
}
