import { useState } from "preact/hooks";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { t } from "../../texts.ts";
import { type ImportRecord, toImportCallResult } from "./import-calls.ts";
import { translateImport } from "./texts.ts";

interface HistoryProps {
  readonly records: readonly ImportRecord[];
  readonly onChange: () => void;
}

const sumField = (files: ImportRecord["files"], countField: "added" | "changed" | "unchanged") =>
  files.reduce((sum, file) => sum + file[countField], 0);

/** Import history, with an undo for the last import. */
export function ImportHistory({ records, onChange }: HistoryProps) {
  const [text, setSaid] = useState("");
  const { send } = useSubmitOnce<ImportRecord>({
    draft: ["import-undo", undefined],
    title: t("imports"),
    formatNotice: () => translateImport("undoDone"),
    take: (answer) => {
      const importRecord = toImportCallResult(answer);
      setSaid("refused" in importRecord ? importRecord.refused : translateImport("undoDone"));
      onChange();
    },
  });
  const undoImport = (id: number) =>
    send({ id }, (key) => sendOfficeRequest("POST", toOfficePath(`/imports/${id}/undo`), { key }));
  return (
    <section class="panel" aria-labelledby="import-history">
      <h2 id="import-history">{translateImport("history")}</h2>
      <p role="status" class={text ? undefined : "unseen"}>
        {text}
      </p>
      {records.length === 0 && <p class="soft">{translateImport("noHistory")}</p>}
      <ul class="plain">
        {records.map(({ id, at, by, undone_at: undoneAt, can_be_undone: isUndoable, files }) => (
          <li key={id} class="stacked">
            <div class="head">
              <span>
                <strong>{at.slice(0, 16)}</strong> · {by ?? translateImport("byCommand")}
              </span>
              {undoneAt && <span class="soft">{translateImport("undone", { at: undoneAt.slice(0, 16) })}</span>}
              {isUndoable && id !== null && (
                <ConfirmButton text={translateImport("undo")} of={at.slice(0, 16)} onSure={() => undoImport(id)} />
              )}
            </div>
            <span class="soft">{files.map(({ file }) => file).join(", ")}</span>
            <span>
              {translateImport("outcome", {
                added: sumField(files, "added"),
                changed: sumField(files, "changed"),
                unchanged: sumField(files, "unchanged"),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
