import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { filterTasksByBranch, type Item, PendingTasks } from "./attention.tsx";

interface BellListProps {
  readonly items: readonly Item[];
  readonly onChange: () => void;
}

/** Items that need attention, in the menu of the bell. */
export default function AttentionBellList({ items, onChange }: BellListProps) {
  return (
    <>
      <PendingTasks id="bell-items" title={t("notifications")} items={filterTasksByBranch(items)} onChange={onChange} />
      <a href={linkTo("tasks")}>{t("allTasks")}</a>
    </>
  );
}
