import { useEffect, useState } from "preact/hooks";
import type { AttentionMessage } from "#worker/api/office/attention-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "./api.ts";
import { chosenBranchCode } from "./desk/chosen-branch.ts";
import { createLazyPart } from "./desk/lazy-page.tsx";
import { useDropdownMenu } from "./desk/use-menu.ts";
import { Icon } from "./icons.tsx";
import type { AttentionTask } from "./pages/today/task-resolutions.ts";
import { t } from "./texts.ts";

const REFRESH_MILLISECONDS = 300_000;
const MAX_SHOWN = 99;

const AttentionBellList = createLazyPart(() => import("./pages/today/bell-list.tsx"));

/** Number of items that need attention, with their list. */
export function AttentionBell() {
  const { menu } = useDropdownMenu();
  const [items, setItems] = useState<readonly AttentionTask[]>();
  const [isOpen, setOpen] = useState(false);
  const read = () =>
    sendOfficeRequest<AttentionMessage>("GET", toOfficePath("/attention")).then(
      (answer) => setItems(getSuccessfulContent(answer)?.data),
      () => undefined,
    );
  useEffect(() => {
    void read();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void read();
    }, REFRESH_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  const count = items?.filter(({ rental_location_code: branch }) => isAtBranch(branch)).length ?? 0;
  return (
    <details
      class="new bell"
      {...menu}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        if (open) void read();
      }}
    >
      <summary>
        <Icon name="bell" />
        <span class="unseen">{t("notifications")}</span>
        {count > 0 && (
          <span class="bell-count">
            {Math.min(count, MAX_SHOWN)}
            {count > MAX_SHOWN && "+"}
          </span>
        )}
      </summary>
      <div class="own">{isOpen && items && <AttentionBellList items={items} onChange={() => void read()} />}</div>
    </details>
  );
}

const isAtBranch = (branch: string | null) =>
  chosenBranchCode.value === "" || branch === null || branch === chosenBranchCode.value;
