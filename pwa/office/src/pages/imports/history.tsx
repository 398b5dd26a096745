import { useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
import { useSending } from "../../desk/sending.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { t } from "../../texts.ts";
import { answered, type ImportRecord } from "./importing.ts";
import { say } from "./texts.ts";

interface HistoryProps {
  readonly records: readonly ImportRecord[];
  readonly onChange: () => void;
}

const sumOf = (files: ImportRecord["files"], of: "added" | "changed" | "unchanged") =>
  files.reduce((sum, file) => sum + file[of], 0);

/** What was imported, by whom, and the way back from the last. */
export function History({ records, onChange }: HistoryProps) {
  const [said, setSaid] = useState("");
  const { send } = useSending({
    draft: ["import-undo", undefined],
    title: t("imports"),
    said: () => say("undoDone"),
    take: (answer) => {
      const done = answered<ImportRecord>(answer);
      setSaid("refused" in done ? done.refused : say("undoDone"));
      onChange();
    },
  });
  const takeBack = (id: number) => send({ id }, (key) => ask("POST", office(`/imports/${id}/undo`), { key }));
  return (
    <section class="panel" aria-labelledby="import-history">
      <h2 id="import-history">{say("history")}</h2>
      <p role="status" class={said ? undefined : "unseen"}>
        {said}
      </p>
      {records.length === 0 && <p class="soft">{say("noHistory")}</p>}
      <ul class="plain">
        {records.map(({ id, at, by, undone_at: undoneAt, can_be_undone: isUndoable, files }) => (
          <li key={id} class="stacked">
            <div class="head">
              <span>
                <strong>{at.slice(0, 16)}</strong> · {by ?? say("byCommand")}
              </span>
              {undoneAt && <span class="soft">{say("undone", { at: undoneAt.slice(0, 16) })}</span>}
              {isUndoable && id !== null && (
                <SureButton text={say("undo")} of={at.slice(0, 16)} onSure={() => takeBack(id)} />
              )}
            </div>
            <span class="soft">{files.map(({ file }) => file).join(", ")}</span>
            <span>
              {say("outcome", {
                added: sumOf(files, "added"),
                changed: sumOf(files, "changed"),
                unchanged: sumOf(files, "unchanged"),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
