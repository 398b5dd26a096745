import { useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
import { AskSheet } from "../../desk/ask-sheet.tsx";
import { refusedBy } from "../../desk/refusals.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { t } from "../../texts.ts";
import { type MoneyDocument, numberOf } from "./money.ts";

interface ExchangeProps {
  readonly of: MoneyDocument;
  readonly onDone: (notice: string) => void;
}

/** A full invoice for a simplified one, and where its contract has others, for all of them together. */
export function Exchange({ of, onDone }: ExchangeProps) {
  const [others, setOthers] = useState<readonly MoneyDocument[]>([]);
  const [problem, setProblem] = useState("");
  const name = numberOf(of);
  const send = (key: string, body: object = {}) =>
    ask("POST", `/api/v1/documents/${of.id}/exchange`, { body: { request_id: key, ...body } });
  const done = () => onDone(`${name}: ${t("exchangeDone")}`);
  const press = async () => {
    const found = await othersOf(of).catch(() => undefined);
    if (found && found.length > 0) return setOthers(found);
    const answer = found && (await send(crypto.randomUUID()).catch(() => undefined));
    if (answer?.status === 200) return done();
    setProblem(answer ? refusedBy(answer).notice : t("notSent"));
  };
  return (
    <>
      <SureButton text={t("exchangeDo")} of={name} onSure={press} />
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
      {others.length > 0 && (
        <AskSheet
          title={`${t("exchangeDo")}: ${name}`}
          lead={t("exchangeOthers", { others: others.map(numberOf).join(", ") })}
          draft={["exchange", String(of.id)]}
          fields={[{ name: "together", kind: "flag", label: "exchangeTogether", isWide: true }]}
          submit={t("exchangeDo")}
          send={({ together }, key) =>
            send(key, together === true ? { other_document_ids: others.map(({ id }) => id) } : {})
          }
          onDone={() => {
            setOthers([]);
            done();
          }}
          onClose={() => setOthers([])}
        />
      )}
    </>
  );
}

// Only those of a reservation can have others.
async function othersOf({ id, reference, reference_source: source }: MoneyDocument): Promise<readonly MoneyDocument[]> {
  if (source !== "booking" || reference === null) return [];
  const path = `/documents?reservation_id=${reference}&document_kind=simplified&invoice_status=invoice`;
  const { status, body } = await ask("GET", office(path));
  const found = status === 200 ? (body["data"] as readonly MoneyDocument[]) : [];
  return found.filter((one) => one.id !== id && one.replaced_by_invoice_number === null && !isCredited(one));
}

const isCredited = ({ total_settled_by_credit: settled }: MoneyDocument) => Number(settled) !== 0;
