import { useState } from "preact/hooks";
import type { IssueRequest } from "#worker/api/documents/messages.ts";
import { sendOfficeRequest } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";

interface IssueProps {
  readonly id: number;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

/** Issues a draft that needed a manual check or more customer data. */
export function IssueDraftButton({ id, name, onDone }: IssueProps) {
  const [problem, setProblem] = useState("");
  const press = async () => {
    const body: IssueRequest = { request_id: crypto.randomUUID() };
    const answer = await sendOfficeRequest<object, IssueRequest>("POST", `/api/v1/documents/${id}/issue`, {
      body,
    }).catch(() => undefined);
    if (answer?.status === 200) return onDone(`${name}: ${t("issueDone")}`);
    setProblem(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <>
      <ConfirmButton text={t("issueDo")} of={name} onSure={press} />
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
    </>
  );
}
