import { useState } from "preact/hooks";
import { dayText, may, momentText } from "../../account.ts";
import { ask, office } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { RowAction } from "../../desk/row-action.tsx";
import { t } from "../../texts.ts";

type Task = ReservationDetail["tasks"][number];

const TEXT: FormField = { name: "text", kind: "long", label: "noteText", required: true, isWide: true };
const FORMS = {
  notes: { title: "addNote", done: "noteAdded", fields: [TEXT] },
  tasks: { title: "addTask", done: "taskAdded", fields: [TEXT, { name: "due_date", kind: "date", label: "dueDate" }] },
} as const satisfies Readonly<Record<string, { readonly fields: readonly FormField[] } & Record<string, unknown>>>;

interface NotesProps {
  readonly of: ReservationDetail;
  readonly onDone: (notice: string) => void;
}

/** Notes and tasks of a reservation with their forms. */
export function NotesAndTasks({ of, onDone }: NotesProps) {
  const { id } = of.reservation;
  const [open, setOpen] = useState<keyof typeof FORMS>();
  const form = open && FORMS[open];
  return (
    <section class="panel" aria-labelledby="notes">
      <h2 id="notes">{t("notesAndTasks")}</h2>
      <ul class="plain rows">
        {of.tasks.map((task) => (
          <TaskRow key={`task ${task.id}`} task={task} onDone={onDone} />
        ))}
        {of.notes.map((note) => (
          <li key={`note ${note.id}`}>
            <span style={{ whiteSpace: "pre-line" }}>
              {note.text}
              <small>{[note.author, momentText(note.created)].filter(Boolean).join(" · ")}</small>
            </span>
            {note.deletable && (
              <RowAction
                label={t("deleteNote")}
                method="DELETE"
                path={office(`/notes/${note.id}`)}
                onDone={() => onDone(t("noteDeleted"))}
              />
            )}
          </li>
        ))}
      </ul>
      {may("hand_over") && (
        <p>
          {(["notes", "tasks"] as const).map((kind) => (
            <button key={kind} type="button" class="small" onClick={() => setOpen(kind)}>
              {t(FORMS[kind].title)}
            </button>
          ))}
        </p>
      )}
      {open && form && (
        <FormSheet
          key={open}
          title={`${t(form.title)} · ${t("reservationNo", { id })}`}
          draft={[open, String(id)]}
          fields={form.fields}
          submit={t("save")}
          send={(body, key) => ask("POST", office(`/reservations/${id}/${open}`), { key, body })}
          onDone={() => {
            setOpen(undefined);
            onDone(t(form.done));
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

function TaskRow({ task, onDone }: { readonly task: Task; readonly onDone: (notice: string) => void }) {
  return (
    <li>
      <span>
        {task.text}
        {task.due_date && (
          <small class={task.overdue ? "problem" : ""}>
            {t(task.overdue ? "taskLate" : "taskDue", { date: dayText(task.due_date) })}
          </small>
        )}
        {task.assignee && <small>{task.assignee}</small>}
      </span>
      {task.done ? (
        <span class="soft">{t("taskCompleted")}</span>
      ) : (
        may("hand_over") && (
          <RowAction
            label={t("completeTask")}
            method="PATCH"
            path={office(`/tasks/${task.id}`)}
            body={{ done: true, expected_version: task.version }}
            onDone={() => onDone(t("taskCompleted"))}
          />
        )
      )}
    </li>
  );
}
