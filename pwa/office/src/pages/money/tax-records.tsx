import { useEffect, useState } from "preact/hooks";
import type { TaxRecordCorrectionRequest } from "#worker/api/office/tax-record-messages.ts";
import { formatDay, formatMoney } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { RowMenu } from "../../desk/row-menu.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { linkTo, replaceQueryValues, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import {
  getTaxRecordActionText,
  type ListedTaxRecordState,
  listTaxRecordCorrections,
  type TaxRecord,
  type TaxSummary,
} from "./tax-record.ts";
import { TaxSendingStatus } from "./tax-sending.tsx";

const NAMES = ["state"];
const STATES: readonly ListedTaxRecordState[] = ["waiting", "refused", "accepted_with_errors", "accepted"];
const WHY: readonly FormField<keyof TaxRecordCorrectionRequest>[] = [
  { name: "reason", kind: "text", required: true, isWide: true },
];

type Correction = "amend" | "annul";

interface RowsProps {
  readonly rows: readonly TaxRecord[];
  readonly onAsk: (taxRecord: TaxRecord, correction: Correction) => void;
}

function columns(onAsk: RowsProps["onAsk"]): readonly TableColumn<TaxRecord>[] {
  return [
    {
      head: t("document"),
      cell: (taxRecord) => (
        <>
          {taxRecord.number}
          <small class="from-laptop">{t(`taxKind.${taxRecord.kind}`)}</small>
        </>
      ),
    },
    {
      head: t("in.status"),
      cell: (taxRecord) => (
        <>
          <span class="state" data-state={taxRecord.state}>
            {t(`taxState.${taxRecord.state}`)}
          </span>
          <TaxRecordResponse of={taxRecord} />
        </>
      ),
    },
    {
      head: t("customer"),
      cell: ({ reservation_id: id, customer_full_name: name }) =>
        id === null ? name || t("nothing") : <a href={linkTo("reservations", id)}>{name}</a>,
      is: "wide",
    },
    { head: t("date"), cell: ({ date }) => formatDay(date), is: "date" },
    { head: t("total"), cell: ({ total }) => formatMoney(total), is: "number" },
    {
      head: "PDF",
      cell: (taxRecord) => (
        <div class="buttons">
          <OpenDocumentButton path={`/documents/${taxRecord.document_id}.pdf`} name={taxRecord.number} />
          <Corrections of={taxRecord} onAsk={onAsk} />
        </div>
      ),
      is: "press",
    },
  ];
}

function Corrections({ of, onAsk }: { readonly of: TaxRecord; readonly onAsk: RowsProps["onAsk"] }) {
  const corrections = listTaxRecordCorrections(of);
  if (corrections.length === 0) return null;
  return (
    <RowMenu name={of.number}>
      {corrections.map((item) => (
        <button
          key={item}
          type="button"
          class="small"
          aria-label={`${t(`taxDo.${item}`)}: ${of.number}`}
          onClick={() => onAsk(of, item)}
        >
          {t(`taxDo.${item}`)}
        </button>
      ))}
    </RowMenu>
  );
}

function TaxRecordResponse({ of }: { readonly of: TaxRecord }) {
  const { code, description, is_mended: isCorrected } = of;
  if (code === null) return null;
  const toDo = getTaxRecordActionText(of);
  return (
    <>
      <small lang="es">
        {code} {description}
      </small>
      {(toDo || isCorrected) && <small>{t(toDo ?? "taxMended")}</small>}
    </>
  );
}

/** Tax records of documents: pending and rejected ones with the required action. */
export function TaxRecords() {
  const search = useSearch<TaxSummary>("/tax-records", NAMES);
  const [chosen, setChosen] = useState<{ readonly of: TaxRecord; readonly correction: Correction }>();
  const [notice, setNotice] = useState("");
  const [turn, setTurn] = useState(0);
  const state = urlQuery.value.get("state") ?? "";
  const amendedId = urlQuery.value.get("amend") ?? "";
  const amendedRecord = search.result?.rows.find(({ id }) => String(id) === amendedId);
  // If the link of a pending task names a record to amend, open its form immediately.
  useEffect(() => {
    if (!amendedRecord) return;
    setChosen({ of: amendedRecord, correction: "amend" });
    replaceQueryValues({ amend: undefined });
  }, [amendedRecord]);
  const again = () => {
    setTurn(turn + 1);
    search.again();
  };
  return (
    <>
      <TaxSendingStatus turn={turn} onChange={search.again} />
      <fieldset class="chips">
        <legend class="unseen">{t("in.status")}</legend>
        {["", ...STATES].map((text) => (
          <button
            key={text}
            type="button"
            aria-pressed={state === text}
            onClick={() => replaceQueryValues({ state: text })}
          >
            {text === "" ? t("taxAll") : t(`taxState.${text as ListedTaxRecordState}`)}
          </button>
        ))}
      </fieldset>
      <p class="done" role="status">
        {notice}
      </p>
      <ListSearchResults
        search={search}
        empty={t("noTaxRecords")}
        none={t("noTaxRecordSo")}
        tools={<ListDownload path="/tax-records" names={NAMES} />}
      >
        {(rows) => (
          <RowsTable
            name={t("taxRecords")}
            rows={rows}
            columns={columns((taxRecord, correction) => setChosen({ of: taxRecord, correction }))}
            keyOf={({ id }) => id}
          />
        )}
      </ListSearchResults>
      {chosen && (
        <CorrectionSheet
          {...chosen}
          onDone={() => {
            setChosen(undefined);
            setNotice(`${chosen.of.number}: ${t("taxDid")}`);
            again();
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

interface SheetProps {
  readonly of: TaxRecord;
  readonly correction: Correction;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function CorrectionSheet({ of, correction, onDone, onClose }: SheetProps) {
  return (
    <FormSheet<object, TaxRecordCorrectionRequest>
      title={`${t(`taxDo.${correction}`)}: ${of.number}`}
      introduction={t(`taxAbout.${correction}`)}
      draft={[`tax-${correction}`, String(of.document_id)]}
      fields={WHY}
      submit={t(`taxDo.${correction}`)}
      isDanger={correction === "annul"}
      send={(body, key) =>
        sendOfficeRequest<object, TaxRecordCorrectionRequest>(
          "POST",
          toOfficePath(`/documents/${of.document_id}/verifactu/${correction}`),
          {
            body,
            key,
          },
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}
