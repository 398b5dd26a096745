import { useState } from "preact/hooks";
import type { DocumentIssueRequest } from "#worker/api/documents/messages.ts";
import { sendOfficeRequest } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import { t } from "../../texts.ts";

const Preview = createLazyPart(() => import("./documents-preview.tsx"));

interface IssueProps {
  readonly id: number;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

/** Issues a draft that needed a manual check or more customer data, after a preview. */
export function IssueDraftButton({ id, name, onDone }: IssueProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="small" aria-label={`${t("issueDo")}: ${name}`} onClick={() => setOpen(true)}>
        {t("issueDo")}
      </button>
      {isOpen && (
        <FormSheet<object, object>
          title={`${t("issueDo")}: ${name}`}
          draft={["issue", String(id)]}
          fields={[]}
          outcome={() => <Preview path={`/api/v1/documents/${id}/issue/quote`} />}
          submit={t("issueDo")}
          send={(_, key) =>
            sendOfficeRequest<object, DocumentIssueRequest>("POST", `/api/v1/documents/${id}/issue`, {
              body: { request_id: key },
            })
          }
          onDone={() => {
            setOpen(false);
            onDone(`${name}: ${t("issueDone")}`);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
