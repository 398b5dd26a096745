import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { type Item, listOfBranch, PendingTasks } from "./attention.tsx";

interface BellListProps {
  readonly items: readonly Item[];
  readonly onChange: () => void;
}

/** What needs attention, in the menu of the bell. */
export default function BellList({ items, onChange }: BellListProps) {
  return (
    <>
      <PendingTasks id="bell-items" items={listOfBranch(items)} onChange={onChange} />
      <a href={linkTo("tasks")}>{t("allTasks")}</a>
    </>
  );
}
