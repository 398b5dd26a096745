import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { AttentionMessage } from "#worker/api/office/attention-messages.ts";
import type { MinistryReportPageMessage } from "#worker/api/office/ministry-report-messages.ts";
import { formatMoment, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ListDownload } from "../../desk/list-download.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import {
  formatAuthorityReportProblem,
  formatAuthorityReportState,
  MANUAL_CANCELLATION_ERROR_CODE,
} from "../../desk/report-texts.ts";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo, replaceQueryValues, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { PendingTasks } from "../today/attention.tsx";

type MinistryReport = Immutable<MinistryReportPageMessage["data"][number]>;

const NAMES = ["state"];
const STATES = ["refused", "waiting", "sent", "accepted", "dry", "annulled"] as const;

/** Reports to the authorities with their errors. Late ones come first, with ways to fix them. */
export function AuthorityReports() {
  const search = useSearch<MinistryReportPageMessage>("/ministry-reports", NAMES);
  const [notice, setNotice] = useState("");
  const [presses, setPresses] = useState(0);
  const state = urlQuery.value.get("state") ?? "";
  const press = async (id: number, door: "again" | "annulled") => {
    const answer = await sendOfficeRequest("POST", toOfficePath(`/ministry-reports/${id}/${door}`)).catch(
      () => undefined,
    );
    const successText = door === "again" ? t("sentAgain") : t("notedAnnulled");
    setNotice(!answer ? t("notSent") : answer.status < 300 ? successText : toRefusalTexts(answer).notice);
    setPresses(presses + 1);
    search.again();
  };
  return (
    <>
      <About mode={search.result?.answer.mode} />
      <p class="done" role="status">
        {notice}
      </p>
      {search.result && <Late key={presses} isConnected={search.result.answer.mode !== "none"} />}
      <fieldset class="chips">
        <legend class="unseen">{t("in.status")}</legend>
        <button type="button" aria-pressed={state === ""} onClick={() => replaceQueryValues({ state: undefined })}>
          {t("all")}
        </button>
        {STATES.map((item) => (
          <button
            key={item}
            type="button"
            aria-pressed={state === item}
            onClick={() => replaceQueryValues({ state: item })}
          >
            {t(`toldState.${item}`)}
          </button>
        ))}
      </fieldset>
      <ListSearchResults
        search={search}
        empty={t("nothingReported")}
        none={t("nothingReported")}
        tools={<ListDownload path="/ministry-reports" names={NAMES} />}
      >
        {(rows) => <RowsTable name={t("reported")} rows={rows} columns={columns(press)} keyOf={({ id }) => id} />}
      </ListSearchResults>
    </>
  );
}

function About({ mode }: { readonly mode: MinistryReportPageMessage["mode"] | undefined }) {
  if (mode !== "none")
    return (
      <p class="soft">
        {t("aboutAuthorities")} {mode === "dry_run" && t("ministryReportsDry")}
      </p>
    );
  return (
    <p>
      {t("ministryReportsOff")}{" "}
      {hasUserRight("administer") && <a href={linkTo("list", "settings")}>{t("list.settings")}</a>}
    </p>
  );
}

const columns = (
  press: (id: number, door: "again" | "annulled") => unknown,
): readonly TableColumn<MinistryReport>[] => [
  {
    head: t("reservation"),
    cell: ({ reservation_id: id, customer }) => (
      <>
        <a href={linkTo("reservations", id)}>{t("numbered", { n: id })}</a>
        <small>{customer}</small>
      </>
    ),
  },
  { head: t("kind"), cell: ({ kind }) => t(`told.${kind}`) },
  {
    head: t("in.status"),
    cell: (ministryReport) => (
      <>
        <span class="state" data-state={ministryReport.state}>
          {formatAuthorityReportState(ministryReport)}
        </span>
        {ministryReport.error && <small>{formatAuthorityReportProblem(ministryReport)}</small>}
      </>
    ),
    is: "wide",
  },
  { head: t("date"), cell: ({ created_at }) => formatMoment(created_at), is: "date" },
  {
    head: "",
    cell: ({ id, state, error, can_be_sent_again: isToSendAgain }) => {
      const isManual = state === "refused" && error === MANUAL_CANCELLATION_ERROR_CODE;
      if (!hasUserRight("manage") || !(isManual || isToSendAgain)) return null;
      return (
        <button type="button" onClick={() => press(id, isManual ? "annulled" : "again")}>
          {isManual ? t("haveAnnulled") : t("sendAgain")}
        </button>
      );
    },
    is: "press",
  },
];

function Late({ isConnected }: { readonly isConnected: boolean }) {
  const { whole, problem, read, retry } = useResource<AttentionMessage>(toOfficePath("/attention"));
  if (problem) return <LoadErrorMessage problem={problem} onRetry={retry} />;
  if (!whole) return null;
  const items = whole.data.filter(({ kind }) => kind.startsWith("ministry_report_"));
  if (items.length > 0) return <PendingTasks items={items} onChange={read} />;
  return isConnected ? <p class="calm">{t("nothingLate")}</p> : null;
}
