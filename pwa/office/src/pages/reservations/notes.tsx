import { useState } from "preact/hooks";
import type { NewNoteRequest, NewTaskRequest, TaskChangeRequest } from "#worker/api/office/note-messages.ts";
import { formatDay, formatMoment, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { RowAction } from "../../desk/row-action.tsx";
import { type UserOption, useOptions } from "../../desk/use-options.ts";
import { t } from "../../texts.ts";

type Task = ReservationDetail["tasks"][number];

type Note = ReservationDetail["notes"][number];

const TEXT: FormField<"text"> = { name: "text", kind: "long", label: "noteText", required: true, isWide: true };
/** Form of a note or task. The choice of a user is a text. */
type NoteForm = Omit<NewTaskRequest, "assignee_id"> & { readonly assignee_id?: string };

const FORMS = {
  notes: { title: "addNote", done: "noteAdded" },
  tasks: { title: "addTask", done: "taskAdded" },
} as const;

type Kind = keyof typeof FORMS;

// Only administrators see the list of users.
const listFields = (kind: Kind, users: readonly UserOption[]): readonly FormField<keyof NoteForm>[] => {
  if (kind === "notes") return [TEXT];
  const choices = users.filter(({ active }) => active).map(({ id, full_name: name }) => [String(id), name] as const);
  return [
    TEXT,
    { name: "due_date", kind: "date", label: "dueDate" },
    ...(choices.length > 0 ? [{ name: "assignee_id", kind: "choice", label: "assignee", choices } as const] : []),
  ];
};

const toRequest = ({ assignee_id: assignee, ...body }: NoteForm): NewNoteRequest & NewTaskRequest =>
  assignee === undefined ? body : { ...body, assignee_id: Number(assignee) };

interface NotesProps {
  readonly notes: readonly Note[];
  readonly tasks: readonly Task[];
  /** Path of the reservation or customer, and its name. */
  readonly path: string;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

/** Notes and tasks of a reservation or customer with their forms. */
export function NotesAndTasks({ notes, tasks, path, name, onDone }: NotesProps) {
  const [open, setOpen] = useState<Kind>();
  const users = useOptions("users", open === "tasks" && hasUserRight("administer"));
  const form = open && FORMS[open];
  return (
    <section class="panel" aria-labelledby="notes">
      <h2 id="notes">{t("notesAndTasks")}</h2>
      <ul class="plain rows">
        {tasks.map((task) => (
          <TaskRow key={`task ${task.id}`} task={task} onDone={onDone} />
        ))}
        {notes.map((note) => (
          <li key={`note ${note.id}`}>
            <span style={{ whiteSpace: "pre-line" }}>
              {note.text}
              <small>{[note.author, formatMoment(note.created)].filter(Boolean).join(" · ")}</small>
            </span>
            {note.deletable && (
              <RowAction
                label={t("deleteNote")}
                method="DELETE"
                path={toOfficePath(`/notes/${note.id}`)}
                onDone={() => onDone(t("noteDeleted"))}
              />
            )}
          </li>
        ))}
      </ul>
      {hasUserRight("hand_over") && (
        <p class="buttons">
          {(["notes", "tasks"] as const).map((kind) => (
            <button key={kind} type="button" class="small" onClick={() => setOpen(kind)}>
              {t(FORMS[kind].title)}
            </button>
          ))}
        </p>
      )}
      {open && form && (
        <FormSheet<object, NoteForm>
          key={open}
          title={`${t(form.title)} · ${name}`}
          draft={[open, path]}
          fields={listFields(open, users)}
          submit={t("save")}
          send={(body, key) =>
            sendOfficeRequest<object, NewNoteRequest & NewTaskRequest>("POST", toOfficePath(`${path}/${open}`), {
              key,
              body: toRequest(body),
            })
          }
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
            {t(task.overdue ? "taskLate" : "taskDue", { date: formatDay(task.due_date) })}
          </small>
        )}
        {task.assignee && <small>{task.assignee}</small>}
      </span>
      {task.done ? (
        <span class="soft">{t("taskCompleted")}</span>
      ) : (
        hasUserRight("hand_over") && (
          <RowAction<TaskChangeRequest>
            label={t("completeTask")}
            method="PATCH"
            path={toOfficePath(`/tasks/${task.id}`)}
            body={{ done: true, expected_version: task.version }}
            onDone={() => onDone(t("taskCompleted"))}
          />
        )
      )}
    </li>
  );
}
