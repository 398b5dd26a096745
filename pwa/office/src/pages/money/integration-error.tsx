import { useState } from "preact/hooks";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

interface IntegrationErrorProps {
  readonly of: Pick<ListedDocument, "id" | "serie" | "number" | "integration_error">;
  readonly onDone: (notice: string) => void;
}

/** Error that the accounting system reported for a document, and a button that lets the system try again. */
export function IntegrationErrorNotice({ of, onDone }: IntegrationErrorProps) {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  if (of.integration_error === null) return null;
  const name = formatDocumentNumber(of);
  const press = async () => {
    setBusy(true);
    const answer = await sendOfficeRequest("POST", toOfficePath(`/documents/${of.id}/retry-integration`)).catch(
      () => undefined,
    );
    setBusy(false);
    if (answer?.status === 200) return onDone(`${name}: ${t("integrateAgainDone")}`);
    setProblem(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <>
      <small class="problem">{t("integrationError", { error: of.integration_error })}</small>
      {hasUserRight("manage") && (
        <button
          type="button"
          class="small"
          aria-label={`${t("integrateAgain")}: ${name}`}
          disabled={isBusy}
          onClick={press}
        >
          {t("integrateAgain")}
        </button>
      )}
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
    </>
  );
}
