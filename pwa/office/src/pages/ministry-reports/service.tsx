import { useState } from "preact/hooks";
import type { ConnectionTestMessage } from "#worker/api/office/ministry-report-messages.ts";
import { formatMoment, hasUserRight } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { type MinistryCodeLists, useMinistryCodeLists } from "./lists.ts";

const MODES = { none: "ministryReportsOff", dry_run: "ministryReportsDry" } as const;

/** Reporting mode, service status and required code lists. */
export function MinistryServiceStatus() {
  const { lists, setLists, hasFailed, read } = useMinistryCodeLists();
  const [notice, setNotice] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const doing = async (work: () => Promise<readonly [notice: string, problem: string]>) => {
    setBusy(true);
    const [good, bad] = await work().catch(() => ["", t("notSent")] as const);
    setNotice(good);
    setProblem(bad);
    setBusy(false);
  };
  const attempt = async () => {
    const answer = await sendOfficeRequest<ConnectionTestMessage>("GET", toOfficePath("/ministry-reports/connection"));
    if (answer.status !== 200) return ["", toRefusalTexts(answer).notice] as const;
    const problemCode = answer.body.problem ?? "";
    if (answer.body.works === true) return [t("connectionWorks"), ""] as const;
    return ["", t("connectionBroken", { why: tOr(`problem.${problemCode}`, problemCode) })] as const;
  };
  const fetchLists = async () => {
    const answer = await sendOfficeRequest<MinistryCodeLists>("POST", toOfficePath("/ministry-reports/lists/refresh"));
    const fetched = getSuccessfulContent(answer);
    if (!fetched) return ["", toRefusalTexts(answer).notice] as const;
    setLists(fetched);
    const failedLists = fetched.failed.map((name) => tOr(`listName.${name}`, name)).join(", ");
    return fetched.failed.length === 0
      ? ([t("listsFetched"), ""] as const)
      : (["", t("listsFailed", { what: failedLists })] as const);
  };
  return (
    <>
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={read} />
      <p class="done" role="status">
        {notice}
      </p>
      {problem && <p role="alert">{problem}</p>}
      {!lists && !hasFailed && <p>{t("loading")}</p>}
      {lists && (
        <section class="panel" aria-labelledby="service">
          <h2 id="service">SES.HOSPEDAJES</h2>
          <p>{lists.mode === "ses" ? t(getEnvironmentTextKey(lists)) : t(MODES[lists.mode])}</p>
          <p class="soft">
            {lists.fetched_at
              ? t("listsSince", { at: formatMoment(lists.fetched_at), n: lists.municipalities })
              : t("listsNever")}
          </p>
          {hasUserRight("administer") && (
            <div class="buttons">
              <button type="button" class="main" disabled={isBusy} onClick={() => void doing(attempt)}>
                {t("tryConnection")}
              </button>
              <button type="button" disabled={isBusy} onClick={() => void doing(fetchLists)}>
                {t("fetchLists")}
              </button>
              <a class="button" href={linkTo("list", "settings")}>
                {t("list.settings")}
              </a>
            </div>
          )}
        </section>
      )}
    </>
  );
}

const getEnvironmentTextKey = ({ environment }: MinistryCodeLists) =>
  environment === "test" ? "ministryReportsTest" : "ministryReportsLive";
