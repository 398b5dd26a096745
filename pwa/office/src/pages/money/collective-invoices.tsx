import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type {
  CollectiveInvoiceRequest,
  DocumentPreviewsMessage,
  IssuedDocumentMessage,
} from "#worker/api/office/document-messages.ts";
import { formatDay, formatMoney, hasUserRight } from "../../account.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { CheckBox } from "../../desk/inputs.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { formatMissingRight, toRefusalTexts } from "../../desk/refusals.ts";
import type { ReservationList, ReservationListItem } from "../../desk/reservation.ts";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo, linkToWithQuery, replaceQueryValues, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { type CustomerDetail, getCustomerName } from "../customers/customer.ts";
import { CustomerFinder } from "../reservations/customer-choice.tsx";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import DocumentPreviewList, { type DocumentPreview } from "./document-preview.tsx";
import { formatDocumentNumber } from "./money.ts";
import { toggleSelectedItem } from "./selection.ts";

/** Maximum number of reservations on one invoice. */
const MAX_RESERVATIONS = "50";

/** Invoice over several reservations of one payer: choose the payer and the reservations, preview, issue. */
export default function CollectiveInvoices() {
  const payer = urlQuery.value.get("customer_id") ?? "";
  if (!hasUserRight("sell")) return <p class="notice refused">{formatMissingRight("sell")}</p>;
  return (
    <>
      <p class="crumbs">
        <a href={linkTo("money", "documents")}>{t("documents")}</a>
      </p>
      <h2>{t("collectiveInvoice")}</h2>
      {payer === "" ? (
        <section class="panel">
          <CustomerFinder label="payer" onChoose={({ id }) => replaceQueryValues({ customer_id: id })} />
        </section>
      ) : (
        <PayersReservations key={payer} payer={payer} />
      )}
    </>
  );
}

function PayersReservations({ payer }: { readonly payer: string }) {
  const path = encodeURIComponent(payer);
  const customer = useResource<CustomerDetail>(toOfficePath(`/customers/${path}`));
  const params = new URLSearchParams({ customer_id: payer, view: "not_invoiced", page_size: MAX_RESERVATIONS });
  const open = useResource<ReservationList>(toOfficePath(`/reservations?${params}`));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(readChosen);
  const rows = open.whole?.data ?? [];
  const name = customer.whole ? getCustomerName(customer.whole.customer) : "";
  return (
    <>
      <div class="chosen">
        <p>
          {t("payer")}: <a href={linkTo("customers", payer)}>{name || payer}</a>
        </p>
        <button type="button" onClick={() => replaceQueryValues({ customer_id: undefined })}>
          {t("otherPayer")}
        </button>
      </div>
      <LoadErrorMessage
        problem={customer.problem || open.problem}
        onRetry={() => Promise.all([customer.read(), open.read()])}
      />
      <p class="count" aria-live="polite">
        {open.whole && (rows.length > 0 ? t("toInvoiceCount", { n: rows.length }) : t("nothingToCollect"))}
        {!open.whole && !open.problem && t("loading")}
      </p>
      {rows.length > 0 && (
        <>
          <CheckBox
            label={t("selectAll")}
            name="all"
            checked={chosen.size === rows.length}
            onChange={(isChecked) => setChosen(new Set(isChecked ? rows.map(({ id }) => id) : []))}
          />
          <RowsTable
            name={t("reservations")}
            rows={rows}
            columns={columns(chosen, (id) => setChosen(toggleSelectedItem(chosen, id)))}
            keyOf={({ id }) => id}
          />
        </>
      )}
      <Issuing
        payer={Number(payer)}
        isSelected={urlQuery.value.has("ids")}
        ids={rows.map(({ id }) => id).filter((id) => chosen.has(id))}
        onIssued={() => {
          setChosen(new Set());
          void open.read();
        }}
      />
    </>
  );
}

// Reads the ids of the reservations that were selected in the reservation list.
const readChosen = (): ReadonlySet<number> => new Set((urlQuery.value.get("ids") ?? "").split(",").map(Number));

const columns = (
  chosen: ReadonlySet<number>,
  onToggle: (id: number) => void,
): readonly TableColumn<ReservationListItem>[] => [
  {
    head: t("reservation"),
    cell: ({ id }) => (
      <CheckBox label={id} name={`reservation-${id}`} checked={chosen.has(id)} onChange={() => onToggle(id)} />
    ),
  },
  { head: t("in.status"), cell: (listed) => <ReservationStateBadge of={listed} /> },
  { head: t("customer"), cell: ({ customer_fullname: name }) => name, is: "wide" },
  { head: t("pickup"), cell: ({ date_from: date }) => formatDay(date), is: "date" },
  { head: t("return"), cell: ({ date_to: date }) => formatDay(date), is: "date" },
  { head: t("total"), cell: ({ total_cost: total }) => formatMoney(total), is: "number" },
];

interface IssuingProps {
  readonly payer: number;
  readonly ids: readonly number[];
  /** Whether the reservations were selected in the reservation list before this page was opened. */
  readonly isSelected: boolean;
  readonly onIssued: () => void;
}

interface Issued {
  readonly id: number;
  readonly name: string;
}

// A preview is shown only for the reservations it was requested for. If others are chosen, it must be requested again.
function Issuing({ payer, ids, isSelected, onIssued }: IssuingProps) {
  const [preview, setPreview] = useState<{ readonly of: string; readonly documents: readonly DocumentPreview[] }>();
  const [problem, setProblem] = useState("");
  const [issued, setIssued] = useState<Issued>();
  const body: Immutable<CollectiveInvoiceRequest> = { customer_id: payer, reservation_ids: ids };
  const requested = JSON.stringify(body);
  const refuse = (answer: OfficeResponse | undefined) => {
    const { fields, notice } = answer ? toRefusalTexts(answer) : { fields: {}, notice: t("notSent") };
    setProblem([notice, ...Object.values(fields)].join(" "));
  };
  const { isBusy, send } = useSubmitOnce<IssuedDocumentMessage>({
    draft: ["collective", String(payer)],
    title: t("collectiveInvoice"),
    take: (answer) => {
      const document = answer && getSuccessfulContent(answer)?.document;
      if (!document) return refuse(answer);
      setIssued({ id: document.id, name: formatDocumentNumber(document) });
      setPreview(undefined);
      onIssued();
    },
  });
  const show = async () => {
    setProblem("");
    setIssued(undefined);
    const answer = await sendOfficeRequest<DocumentPreviewsMessage, CollectiveInvoiceRequest>(
      "POST",
      toOfficePath("/documents/collective/quote"),
      { body },
    ).catch(() => undefined);
    const documents = answer && getSuccessfulContent(answer)?.documents;
    if (documents) setPreview({ of: requested, documents });
    else refuse(answer);
  };
  // Reservations that were selected in the reservation list are previewed immediately.
  useEffect(() => {
    if (isSelected && ids.length > 0) void show();
  }, [isSelected, ids.length > 0]);
  const isShown = preview?.of === requested;
  return (
    <>
      {issued && <IssuedNotice of={issued} />}
      <p role="alert" class="problem">
        {problem}
      </p>
      {isShown && (
        <div class="panel" aria-live="polite">
          <DocumentPreviewList documents={preview.documents} />
        </div>
      )}
      {ids.length > 0 && (
        <p class="buttons">
          {isShown ? (
            <button
              type="button"
              class="main"
              disabled={isBusy}
              onClick={() =>
                send(body, (key) =>
                  sendOfficeRequest<IssuedDocumentMessage, CollectiveInvoiceRequest>(
                    "POST",
                    toOfficePath("/documents/collective"),
                    {
                      body,
                      key,
                    },
                  ),
                )
              }
            >
              {t("issueCollective")} · {formatMoney(preview.documents[0]?.total ?? "0")}
            </button>
          ) : (
            <button type="button" class="main" onClick={() => void show()}>
              {t("previewCollective", { n: ids.length })}
            </button>
          )}
        </p>
      )}
    </>
  );
}

function IssuedNotice({ of: { id, name } }: { readonly of: Issued }) {
  return (
    <div class="buttons">
      <p class="done" role="status">
        {t("collectiveIssued", { number: name })}{" "}
        <a href={linkToWithQuery({ q: name }, "money", "documents")}>{t("seeDocument")}</a>
      </p>
      <OpenDocumentButton path={`/documents/${id}.pdf`} name={name} />
    </div>
  );
}
