import { useEffect, useState } from "preact/hooks";
import { dayText, money } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { AskSheet } from "../../desk/ask-sheet.tsx";
import type { AskedField } from "../../desk/fields.ts";
import { type Column, Rows } from "../../desk/rows.tsx";
import { Results, useSearch } from "../../desk/search.tsx";
import { askFor, linkTo, query } from "../../route.ts";
import { t } from "../../texts.ts";
import { Print } from "../reservations/documents.tsx";
import { correctionsOf, type RecordState, type TaxRecord, toDoOf } from "./tax.ts";
import { SendingState } from "./tax-sending.tsx";

const STATES: readonly RecordState[] = ["waiting", "refused", "accepted_with_errors", "accepted"];
const WHY: readonly AskedField[] = [{ name: "reason", kind: "text", required: true, isWide: true }];

type Correction = "amend" | "annul";

interface RowsProps {
  readonly rows: readonly TaxRecord[];
  readonly onAsk: (of: TaxRecord, correction: Correction) => void;
}

function columns(onAsk: RowsProps["onAsk"]): readonly Column<TaxRecord>[] {
  return [
    {
      head: t("document"),
      cell: (one) => (
        <>
          {one.number}
          <small>{t(`taxKind.${one.kind}`)}</small>
        </>
      ),
    },
    {
      head: t("in.status"),
      cell: (one) => (
        <>
          <span class="state" data-state={one.state}>
            {t(`taxState.${one.state}`)}
          </span>
          <Said of={one} />
        </>
      ),
    },
    {
      head: t("customer"),
      cell: ({ reservation_id: id, customer_full_name: name }) =>
        id === null ? name || t("nothing") : <a href={linkTo("reservations", id)}>{name}</a>,
      is: "wide",
    },
    { head: t("date"), cell: ({ date }) => dayText(date), is: "date" },
    { head: t("total"), cell: ({ total }) => money(total), is: "number" },
    {
      head: "PDF",
      cell: (one) => (
        <div class="moves">
          <Print path={`/documents/${one.document_id}.pdf`} name={one.number} />
          <Corrections of={one} onAsk={onAsk} />
        </div>
      ),
      is: "press",
    },
  ];
}

function Corrections({ of, onAsk }: { readonly of: TaxRecord; readonly onAsk: RowsProps["onAsk"] }) {
  return (
    <>
      {correctionsOf(of).map((one) => (
        <button
          key={one}
          type="button"
          class="small"
          aria-label={`${t(`taxDo.${one}`)}: ${of.number}`}
          onClick={() => onAsk(of, one)}
        >
          {t(`taxDo.${one}`)}
        </button>
      ))}
    </>
  );
}

function Said({ of }: { readonly of: TaxRecord }) {
  const { code, description, is_mended: isMended } = of;
  if (code === null) return null;
  const toDo = toDoOf(of);
  return (
    <>
      <small lang="es">
        {code} {description}
      </small>
      {(toDo || isMended) && <small>{t(toDo ?? "taxMended")}</small>}
    </>
  );
}

/** What the tax agency was told of each document: what it does not have yet, what it refused, and what to do. */
export function TaxRecords() {
  const search = useSearch<TaxRecord>("/tax-records", ["state"]);
  const [asked, setAsked] = useState<{ readonly of: TaxRecord; readonly correction: Correction }>();
  const [notice, setNotice] = useState("");
  const [turn, setTurn] = useState(0);
  const state = query.value.get("state") ?? "";
  const wanted = query.value.get("amend") ?? "";
  const found = search.found?.rows.find(({ id }) => String(id) === wanted);
  // Who comes from what waits is asked at once.
  useEffect(() => {
    if (!found) return;
    setAsked({ of: found, correction: "amend" });
    askFor({ amend: undefined });
  }, [found]);
  const again = () => {
    setTurn(turn + 1);
    search.again();
  };
  return (
    <>
      <SendingState turn={turn} onChange={search.again} />
      <fieldset class="chips">
        <legend class="unseen">{t("in.status")}</legend>
        {["", ...STATES].map((one) => (
          <button key={one} type="button" aria-pressed={state === one} onClick={() => askFor({ state: one })}>
            {one === "" ? t("taxAll") : t(`taxState.${one as RecordState}`)}
          </button>
        ))}
      </fieldset>
      <p class="done" role="status">
        {notice}
      </p>
      <Results search={search} empty={t("noTaxRecords")} none={t("noTaxRecordSo")}>
        {(rows) => (
          <Rows
            name={t("taxRecords")}
            rows={rows}
            columns={columns((of, correction) => setAsked({ of, correction }))}
            keyOf={({ id }) => id}
          />
        )}
      </Results>
      {asked && (
        <CorrectionSheet
          {...asked}
          onDone={() => {
            setAsked(undefined);
            setNotice(`${asked.of.number}: ${t("taxDid")}`);
            again();
          }}
          onClose={() => setAsked(undefined)}
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
    <AskSheet
      title={`${t(`taxDo.${correction}`)}: ${of.number}`}
      lead={t(`taxAbout.${correction}`)}
      draft={[`tax-${correction}`, String(of.document_id)]}
      fields={WHY}
      submit={t(`taxDo.${correction}`)}
      isDanger={correction === "annul"}
      send={(body, key) => ask("POST", office(`/documents/${of.document_id}/verifactu/${correction}`), { body, key })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
