import { useState } from "preact/hooks";
import type { TaskChangeRequest, TaskListMessage } from "#worker/api/office/note-messages.ts";
import { formatDay, hasUserRight } from "../account.ts";
import { toOfficePath } from "../api.ts";
import { ListDownload } from "../desk/list-download.tsx";
import { RowAction } from "../desk/row-action.tsx";
import { RowsTable, type TableColumn } from "../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../desk/search.tsx";
import { linkTo, replaceQueryValues, urlQuery } from "../route.ts";
import { type TextKey, t } from "../texts.ts";

type Task = TaskListMessage["data"][number];

const NAMES = ["mine", "open", "overdue"];

// Shortcuts for the most common filters.
const VIEWS: readonly (readonly [TextKey, Readonly<Record<string, string | undefined>>])[] = [
  ["tasksMine", { mine: "true", open: "true", overdue: undefined }],
  ["tasksLate", { mine: undefined, open: undefined, overdue: "true" }],
  ["tasksOpen", { mine: undefined, open: "true", overdue: undefined }],
  ["all", { mine: undefined, open: undefined, overdue: undefined }],
];

/** Tasks of all reservations and customers: one's own, late, open or all. */
export default function Tasks() {
  const search = useSearch<TaskListMessage>("/tasks", NAMES);
  const [notice, setNotice] = useState("");
  const finish = () => {
    setNotice(t("taskCompleted"));
    search.again();
  };
  return (
    <main>
      <p class="crumbs">
        <a href={linkTo("today")}>{t("today")}</a>
      </p>
      <h1>{t("allTasks")}</h1>
      <fieldset class="chips">
        <legend class="unseen">{t("allTasks")}</legend>
        {VIEWS.map(([text, filters]) => (
          <button
            key={text}
            type="button"
            aria-pressed={Object.entries(filters).every(
              ([name, value]) => (urlQuery.value.get(name) ?? undefined) === value,
            )}
            onClick={() => replaceQueryValues(filters)}
          >
            {t(text)}
          </button>
        ))}
      </fieldset>
      <p class="done" role="status">
        {notice}
      </p>
      <ListSearchResults
        search={search}
        empty={t("noTasks")}
        none={t("noTaskSo")}
        tools={<ListDownload path="/tasks" names={NAMES} />}
      >
        {(rows) => (
          <RowsTable name={t("allTasks")} rows={rows} columns={createColumns(finish)} keyOf={({ id }) => id} />
        )}
      </ListSearchResults>
    </main>
  );
}

const createColumns = (onDone: () => void): readonly TableColumn<Task>[] => [
  { head: t("task"), cell: ({ text }) => text, is: "wide" },
  {
    head: t("taskDueHead"),
    cell: ({ due_date: due, overdue }) => (due ? <span class={overdue ? "problem" : ""}>{formatDay(due)}</span> : ""),
    is: "date",
  },
  { head: t("taskAssignee"), cell: ({ assignee }) => assignee ?? t("nothing") },
  { head: t("taskOf"), cell: (task) => <Owner of={task} /> },
  {
    head: t("in.status"),
    cell: (task) => <TaskState of={task} onDone={onDone} />,
    is: "press",
  },
];

function Owner({ of: { reservation_id: reservation, customer_id: customer } }: { readonly of: Task }) {
  if (reservation !== null)
    return <a href={linkTo("reservations", reservation)}>{t("reservationNo", { id: reservation })}</a>;
  return customer === null ? null : (
    <a href={linkTo("customers", customer)}>
      {t("customer")} {customer}
    </a>
  );
}

function TaskState({
  of: { id, version, done, done_by: by },
  onDone,
}: {
  readonly of: Task;
  readonly onDone: () => void;
}) {
  if (done) return <span class="soft">{[t("taskCompleted"), by].filter(Boolean).join(" · ")}</span>;
  if (!hasUserRight("hand_over")) return null;
  return (
    <RowAction<TaskChangeRequest>
      label={t("completeTask")}
      method="PATCH"
      path={toOfficePath(`/tasks/${id}`)}
      body={{ done: true, expected_version: version }}
      onDone={onDone}
    />
  );
}
