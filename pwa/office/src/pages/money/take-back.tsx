import { useState } from "preact/hooks";
import { CREDIT_REASONS } from "#domain/documents/credit-reasons.ts";
import { may } from "../../account.ts";
import { ask } from "../../api.ts";
import { AskSheet } from "../../desk/ask-sheet.tsx";
import type { AskedField } from "../../desk/fields.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { t } from "../../texts.ts";
import type { MoneyDocument } from "./money.ts";

interface TakeBackProps {
  readonly of: MoneyDocument;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

const fieldsFor = ({ document_kind: kind }: MoneyDocument): readonly AskedField[] => [
  {
    name: "reason",
    kind: "choice",
    label: "creditWhy",
    required: true,
    isWide: true,
    // Who does not pay is named by a full invoice alone.
    choices: CREDIT_REASONS.filter((one) => kind === "full" || one === "correction" || one === "other").map(
      (one) => [one, t(`creditReason.${one}`)] as const,
    ),
  },
  { name: "amount", kind: "money", hint: "creditAmountHint" },
];

// What a document is taken back by is not changed by asking again under the same key.
const atDesk = (id: number, what: string, key: string, body: object = {}) =>
  ask("POST", `/api/v1/documents/${id}/${what}`, { body: { request_id: key, ...body } });

/** What an issued invoice is taken back by: a credit note, and a simplified one also by a full invoice in its place. */
export function TakeBack({ of, name, onDone }: TakeBackProps) {
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState("");
  const { id, document_kind: kind, invoice_status: status } = of;
  if (status !== "invoice" || kind === "credit_note" || !may("give_away")) return null;
  const exchange = async () => {
    const answer = await atDesk(id, "exchange", crypto.randomUUID()).catch(() => undefined);
    if (answer?.status === 200) return onDone(`${name}: ${t("exchangeDone")}`);
    setProblem(answer ? refusedBy(answer).notice : t("notSent"));
  };
  return (
    <>
      <button type="button" class="small" aria-label={`${t("creditDo")}: ${name}`} onClick={() => setAsked(true)}>
        {t("creditDo")}
      </button>
      {kind === "simplified" && <SureButton text={t("exchangeDo")} of={name} onSure={exchange} />}
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
      {isAsked && (
        <AskSheet
          title={t("creditOf", { of: name })}
          lead={t("creditAbout")}
          draft={["credit", String(id)]}
          fields={fieldsFor(of)}
          begin={{ reason: "correction" }}
          submit={t("creditDo")}
          isDanger
          send={(body, key) => atDesk(id, "credit-note", key, body)}
          onDone={() => {
            setAsked(false);
            onDone(`${name}: ${t("creditDone")}`);
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
