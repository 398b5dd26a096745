import { useEffect, useState } from "preact/hooks";
import { formatMoment } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { formatTaxSendingProblem, type TaxChain, type TaxChainCheck, type TaxSummary } from "./tax-record.ts";

interface SendingProps {
  /** Number whose change reloads the status. */
  readonly turn: number;
  readonly onChange: () => void;
}

/** Status of sending tax records, its problems, and a check of the whole chain. */
export function TaxSendingStatus({ turn, onChange }: SendingProps) {
  const [summary, setSummary] = useState<TaxSummary>();
  const [problem, setProblem] = useState("");
  const [notice, setNotice] = useState("");
  const read = () =>
    sendOfficeRequest<TaxSummary>("GET", toOfficePath("/tax-records?page_size=1")).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        if (content) setSummary(content);
        setProblem(content ? "" : toRefusalTexts(answer).notice);
      },
      () => setProblem(t("notLoaded")),
    );
  useEffect(() => {
    void read();
  }, [turn]);
  const retry = async () => {
    const answer = await sendOfficeRequest("POST", toOfficePath("/tax-records/retry")).catch(() => undefined);
    setNotice(answer?.status === 200 ? t("triedNow") : "");
    setProblem(answer?.status === 200 ? "" : answer ? toRefusalTexts(answer).notice : t("notSent"));
    await read();
    onChange();
  };
  return (
    <section class="panel" aria-label={t("taxSending")}>
      <LoadErrorMessage problem={problem} onRetry={read} />
      {summary && <Sending of={summary} onRetry={retry} />}
      <p class="done" role="status">
        {notice}
      </p>
      <Check />
    </section>
  );
}

function Sending({ of, onRetry }: { readonly of: TaxSummary; readonly onRetry: () => Promise<unknown> }) {
  const failing = of.chains.filter(({ failed_since: since }) => since !== null);
  if (of.total === 0) return null;
  return (
    <>
      {of.unsent === 0 ? (
        <p class="calm">{t("taxAllSent")}</p>
      ) : (
        <p class="strong">{t("taxUnsent", { n: of.unsent })}</p>
      )}
      {failing.map((taxChain) => (
        <Failing key={taxChain.issuer} of={taxChain} />
      ))}
      {failing.length > 0 && (
        <div class="buttons">
          <button type="button" class="main" onClick={onRetry}>
            {t("tryNow")}
          </button>
        </div>
      )}
    </>
  );
}

function Failing({ of: { issuer, failed_since: since, problem, next_at: next } }: { readonly of: TaxChain }) {
  return (
    <p>
      <strong>{issuer}</strong>: {problem ? formatTaxSendingProblem(problem) : ""}{" "}
      <small class="soft">
        {[since && t("taxSince", { at: formatMoment(since) }), next && t("taxNextTry", { at: formatMoment(next) })]
          .filter(Boolean)
          .join(" · ")}
      </small>
    </p>
  );
}

function Check() {
  const [check, setCheck] = useState<TaxChainCheck>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const answer = await sendOfficeRequest<TaxChainCheck>("GET", toOfficePath("/tax-records/check")).catch(
      () => undefined,
    );
    setBusy(false);
    if (!answer) return setProblem(t("failed"));
    const content = getSuccessfulContent(answer);
    if (content) setCheck(content);
    setProblem(content ? "" : toRefusalTexts(answer).notice);
  };
  return (
    <>
      <div class="buttons">
        <button type="button" disabled={isBusy} onClick={run}>
          {t("checkChain")}
        </button>
        <a class="button" href={linkTo("money", "declaration")}>
          {t("declaration")}
        </a>
        <a class="button" href={linkTo("list", "settings")}>
          {t("list.settings")}
        </a>
      </div>
      <div role="status">
        {problem && <p class="problem">{problem}</p>}
        {check && check.faults.length === 0 && <p class="calm">{t("chainWhole", { n: check.records })}</p>}
        {check && check.faults.length > 0 && (
          <>
            <p class="problem">{t("chainFaults", { n: check.faults.length })}</p>
            <ul>
              {check.faults.map((fault) => (
                <li key={`${fault.fault} ${fault.number} ${fault.position}`}>
                  {fault.number}
                  {fault.position !== null && ` (${fault.position})`}: {tOr(`taxFault.${fault.fault}`, fault.fault)}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}
