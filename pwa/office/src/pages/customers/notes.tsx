import type { Immutable } from "#shared/immutable.ts";
import type { CustomerNotesMessage, CustomerTasksMessage } from "#worker/api/office/note-messages.ts";
import { toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { NotesAndTasks } from "../reservations/notes.tsx";
import { type Customer, getCustomerName } from "./customer.ts";

type Notes = Immutable<CustomerNotesMessage>["data"];
type Tasks = Immutable<CustomerTasksMessage>["data"];

const NO_NOTES: Notes = [];
const NO_TASKS: Tasks = [];

interface CustomerNotesProps {
  readonly of: Customer;
  readonly onDone: (notice: string) => void;
}

/** Notes and tasks of a customer with their forms. */
export function CustomerNotes({ of, onDone }: CustomerNotesProps) {
  const path = `/customers/${of.id}`;
  const notes = useResource<CustomerNotesMessage>(toOfficePath(`${path}/notes`));
  const tasks = useResource<CustomerTasksMessage>(toOfficePath(`${path}/tasks`));
  const read = () => Promise.all([notes.read(), tasks.read()]);
  return (
    <>
      <LoadErrorMessage problem={notes.problem || tasks.problem} onRetry={read} />
      <NotesAndTasks
        notes={notes.whole?.data ?? NO_NOTES}
        tasks={tasks.whole?.data ?? NO_TASKS}
        path={path}
        name={getCustomerName(of)}
        onDone={(notice) => {
          void read();
          onDone(notice);
        }}
      />
    </>
  );
}
