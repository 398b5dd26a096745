import { useState } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { exportUnsentWork } from "../../offline/export-file.ts";
import type { OutboxItem } from "../../offline/items.ts";
import { retryItems } from "../../offline/outbox.ts";
import { database, reloadStoredWork, sendAuthorsWork } from "../../state/device-session.ts";
import { formatDeviceMoment } from "../../state/format-time.ts";
import {
  isOnline,
  lastReceivedByServerAt,
  otherUsersWorkCounts,
  ownLockedWork,
  undecidedWorkCounts,
  unsentItemCount,
  visibleDrafts,
  visibleItems,
} from "../../state/outbox.ts";
import { toHref } from "../../state/route.ts";
import { Icon } from "../../ui/icon.tsx";
import { Chip, EmptyState } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ItemCard } from "./item-card.tsx";

const RANK = { blocked: 0, sending: 1, sent: 2, queued: 3, confirmed: 4 } as const;
/** Items shown at once. After hours offline there may be hundreds. */
const PAGE = 25;

/** Send status of each work item. */
export default function OutboxScreen() {
  const [limit, setLimit] = useState(PAGE);
  const all = [...visibleItems.value.values()].toSorted(byUrgency);
  const started = [...visibleDrafts.value.values()];
  const hasUnsentWork = unsentItemCount.value > 0;
  const action = hasUnsentWork && (
    <>
      <button type="button" class="main" disabled={!isOnline.value} onClick={() => void retryAll()}>
        <Icon name="up" />
        {t(isOnline.value ? "sendNow" : "sendWhenOnline")}
      </button>
      <button type="button" class="other" onClick={() => void downloadUnsentWorkFile()}>
        <Icon name="down" />
        {t("exportUnsent")}
      </button>
    </>
  );
  return (
    <Screen title={t("navOutbox")} {...(action ? { action, back: toHref("day") } : {})}>
      {hasUnsentWork && <p class="note">{t("keepOpen")}</p>}
      {[...undecidedWorkCounts.value].map(([name, n]) => (
        <p key={name} class="note" data-tone="waiting">
          <Icon name="clock" />
          <span class="grow">{t("sendForColleague", { n, name })}</span>
          <button type="button" class="small" onClick={() => void sendAuthorsWork([name])}>
            {t("send")}
          </button>
        </p>
      ))}
      {ownLockedWork.value.length > 0 && (
        <p class="note" data-tone="waiting">
          <Icon name="key" />
          {t("ownLocked", { n: ownLockedWork.value.length })}
        </p>
      )}
      {started.length > 0 && (
        <section>
          <h2>{t("notFinished")}</h2>
          <ul class="plain">
            {started.map((draft) => (
              <li key={draft.key}>
                <a class="entry" href={toHref("work", draft.key)}>
                  <span class="grow">
                    <b class="who">{draft.label}</b>
                    <span class="where">
                      {t(`kind_${draft.kind}`)} · {t("photoCount", { n: draft.photos.length })}
                    </span>
                  </span>
                  <Chip tone="draft">{t("standing_draft")}</Chip>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul class="plain">
        {all.slice(0, limit).map((item) => (
          <ItemCard key={item.op_id} item={item} />
        ))}
      </ul>
      {all.length > limit && (
        <button type="button" class="other" onClick={() => setLimit(limit + PAGE)}>
          {t("showMore", { n: all.length - limit })}
        </button>
      )}
      <OtherUsersWork />
      {all.length === 0 &&
        started.length === 0 &&
        ownLockedWork.value.length === 0 &&
        otherUsersWorkCounts.value.size === 0 && (
          <EmptyState icon="check" title={t("outboxEmpty")}>
            {lastReceivedByServerAt.value && (
              <p>{t("statusReceivedAt", { time: formatDeviceMoment(lastReceivedByServerAt.value) })}</p>
            )}
          </EmptyState>
        )}
    </Screen>
  );
}

/** Pending work of other users. Shows the author, but no customer data. */
function OtherUsersWork() {
  if (otherUsersWorkCounts.value.size === 0) return null;
  return (
    <section>
      <h2>{t("ofOthers")}</h2>
      <ul class="plain">
        {[...otherUsersWorkCounts.value].map(([author, count]) => (
          <li key={author} class="entry">
            <Icon name="clock" />
            <span class="grow">
              <b class="who">{author}</b>
              <span class="where">{t("ofOthersWaits", { n: count })}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const byUrgency = (a: OutboxItem, b: OutboxItem) =>
  RANK[a.state] - RANK[b.state] || (a.state === "confirmed" ? b.seq - a.seq : a.seq - b.seq);

async function retryAll(): Promise<void> {
  await retryItems(database, [...visibleItems.peek().keys()]);
  await reloadStoredWork();
  await sendAuthorsWork(undecidedWorkCounts.peek().keys());
}

/** Exports a file that the office can read. The last resort if nothing else works. */
export async function downloadUnsentWorkFile(): Promise<void> {
  const file = await exportUnsentWork(database);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `check-in-${new Date().toISOString().slice(0, 16).replace(":", "")}.zip`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
