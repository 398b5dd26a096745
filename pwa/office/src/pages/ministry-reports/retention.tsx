import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { DataRetentionMessage } from "#worker/api/office/retention-messages.ts";
import { formatMoment, reportsToAuthorities } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t, tOr } from "../../texts.ts";

type Period = RetentionSettings["data"][number];

type RetentionSettings = Immutable<DataRetentionMessage>;

const YEAR = 365;

function daysText(days: number): string {
  return days % YEAR === 0 ? t("years.kept", { n: days / YEAR }) : t("days.kept", { n: days });
}

function formatRetention({ days, last_deleted_at: at, deleted }: Period): string {
  const retentionText = `${t("keptFor")} ${daysText(days)}`;
  return at
    ? [retentionText, `${t("lastDeleted")} ${formatMoment(at)}`, `${t("deletedInAll")} ${deleted}`].join(" · ")
    : retentionText;
}

const isApplicable = ({ kind }: Period) => kind !== "ministry_reports" || reportsToAuthorities();

/** Retention period of each kind of data, and the last deletion. */
export function DataRetention() {
  const [retentionText, setKept] = useState<RetentionSettings>();
  const [problem, setProblem] = useState("");
  const read = () =>
    sendOfficeRequest<DataRetentionMessage>("GET", toOfficePath("/retention")).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        if (content) setKept(content);
        setProblem(content ? "" : toRefusalTexts(answer).notice);
      },
      () => setProblem(t("notLoaded")),
    );
  useEffect(() => {
    void read();
  }, []);
  return (
    <>
      <p class="soft">{t("aboutRetention")}</p>
      <LoadErrorMessage problem={problem} onRetry={read} />
      {!retentionText && !problem && <p>{t("loading")}</p>}
      {retentionText && (
        <section class="panel" aria-labelledby="retention">
          <h2 id="retention">{t("retention")}</h2>
          <ul class="plain">
            {retentionText.data.filter(isApplicable).map((period) => (
              <li key={period.kind} class="stacked">
                <span>
                  <span class="strong">{tOr(`kept.${period.kind}`, period.kind)}</span>
                  <small>{formatRetention(period)}</small>
                </span>
              </li>
            ))}
          </ul>
          <p class="soft">{t("erasedPeople", { n: retentionText.erased_people })}</p>
        </section>
      )}
    </>
  );
}
