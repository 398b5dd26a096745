import { useEffect, useState } from "preact/hooks";
import { type TextKey, t, tOr } from "../../i18n/texts.ts";
import type { OperationError, OutboxItem, StoredWorkFile } from "../../offline/items.ts";
import {
  areAllMissingFilesLost,
  closeBlockedItem,
  listItemFiles,
  markItemAcknowledged,
  mayFilesArrive,
  retryItems,
} from "../../offline/outbox.ts";
import { findLoadedBooking, findUnit } from "../../state/day.ts";
import {
  canBeCorrected,
  getItemStatus,
  hasUnbookedChargeOrExtra,
  listUnbookedCharges,
  STATUS_TONES,
} from "../../state/day-entries.ts";
import { database, reloadStoredWork, sendDueItems } from "../../state/device-session.ts";
import { formatDeviceMoment, formatMoment } from "../../state/format-time.ts";
import {
  fileChangeCounter,
  maySendWork,
  photosSending,
  uploadProgress,
  visibleDrafts,
  visibleItems,
} from "../../state/outbox.ts";
import { language } from "../../state/preferences.ts";
import { describeFields } from "../../state/problems.ts";
import { openRoute } from "../../state/route.ts";
import { markPhotoMistaken, reopenRejectedWork, startWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Chip, Plate } from "../../ui/parts.tsx";
import { OperationRemarks } from "../../ui/remarks.tsx";
import { UnbookedMoney } from "../../ui/unbooked-money.tsx";

/** One work item with its status, error and available actions. */
export function ItemCard({ item }: { readonly item: OutboxItem }) {
  const [wish, setWish] = useState<boolean | undefined>(undefined);
  // Items that need attention are expanded by default.
  const isOpen = wish ?? (item.state === "blocked" || hasUnbookedChargeOrExtra(item));
  const itemStatus = getItemStatus(item);
  const id = `files-${item.op_id}`;
  return (
    <li class="card item" data-state={itemStatus === "unbooked" ? "blocked" : item.state}>
      <div class="row">
        <span class="grow">
          <b class="who">{item.label}</b>
          <span class="where">
            {t(item.operation.trip ? `mark_${item.operation.trip.moment}` : `kind_${item.kind}`)} ·{" "}
            {t("recordedAt", { time: formatDeviceMoment(item.queued_at, item.operation.clock_offset_ms) })}
            {item.confirmed_at !== null && ` · ${t("receivedAt", { time: formatDeviceMoment(item.confirmed_at) })}`}
          </span>
        </span>
        {item.plate && <Plate text={item.plate} />}
      </div>
      <div class="row">
        <Chip tone={STATUS_TONES[itemStatus]}>
          {itemStatus === "sending" ? sendingText(item) : t(`standing_${itemStatus}`)}
        </Chip>
        {(item.files.length > 0 || item.trouble || item.result) && (
          <button type="button" class="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setWish(!isOpen)}>
            {t(isOpen ? "hideDetails" : "showDetails")}
          </button>
        )}
      </div>
      <div id={id}>
        {isOpen && (
          <>
            <Reason item={item} />
            <UnbookedMoney charges={listUnbookedCharges(item)} />
            {item.result && <OperationRemarks {...item.result} />}
            <Files item={item} />
            <Remedies item={item} />
          </>
        )}
      </div>
    </li>
  );
}

function sendingText({ op_id }: OutboxItem): string {
  const photo = photosSending.value.get(op_id);
  return photo ? t("photoOf", { n: photo.number, of: photo.total }) : t("standing_sending");
}

function Reason({ item: { result, trouble, reason } }: { readonly item: OutboxItem }) {
  if (reason === "photos") return <p>{t("reasonPhotos")}</p>;
  const outcome = result ?? trouble;
  if (!outcome || outcome.code === "applied") return null;
  const by = result?.by ? ` ${t("doneBy", { by: result.by, at: result.at ? formatMoment(result.at) : "" })}` : "";
  return (
    <p>
      {tOr(`code_${outcome.code}`, t("code_invalid"))}
      {by}
      {outcome.code === "invalid_input" && outcome.detail && <RefusedFields detail={outcome.detail} />}
    </p>
  );
}

function RefusedFields({ detail }: { readonly detail: NonNullable<OperationError["detail"]> }) {
  const [texts, setTexts] = useState<readonly string[]>([]);
  useEffect(() => {
    void describeFields(detail).then(setTexts);
  }, [detail, language.value]);
  return <span class="soft end">{texts.join(" ")}</span>;
}

function useFiles(item: OutboxItem): readonly StoredWorkFile[] {
  const [files, setFiles] = useState<readonly StoredWorkFile[]>([]);
  useEffect(() => {
    void listItemFiles(database, item).then(setFiles);
  }, [item, fileChangeCounter.value]);
  return files;
}

function Files({ item }: { readonly item: OutboxItem }) {
  const files = useFiles(item);
  if (files.length === 0) return null;
  const isPhoto = (file: StoredWorkFile) => item.operation.photos?.some(({ hash }) => hash === file.hash) === true;
  const arrived = files.filter((file) => file.arrived).length;
  return (
    <>
      <p class="soft">{t("photosOf", { n: arrived, of: files.length })}</p>
      <ul class="files">
        {files.map((file, index) => (
          <li key={file.key}>
            <Icon name={file.arrived ? "check" : file.trouble ? "refused" : "clock"} size={18} />
            <span class="grow">{t("photoNumber", { n: index + 1 })}</span>
            <FileState file={file} />
            {file.arrived && isPhoto(file) && <Mistaken item={item} hash={file.hash} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Marks a sent photo as a mistake. It's never deleted, and the office sees the reason. */
function Mistaken({ item, hash }: { readonly item: OutboxItem; readonly hash: string }) {
  const isMarked = [...visibleItems.value.values()].some(({ operation }) => operation.removed_photos?.includes(hash));
  if (isMarked) return <span>{t("photoMarked")}</span>;
  return (
    <button type="button" class="link" onClick={() => void markPhotoMistaken(item, hash)}>
      {t("markPhoto")}
    </button>
  );
}

function FileState({ file }: { readonly file: StoredWorkFile }) {
  if (file.arrived) return <span>{t("fileArrived")}</span>;
  if (file.trouble) return <span>{tOr(`code_${file.trouble.code}`, t("fileFailed", { n: file.tries }))}</span>;
  const sentBytes = uploadProgress.value.get(file.key);
  if (sentBytes === undefined) return <span>{t("fileWaiting")}</span>;
  return <progress aria-label={t("fileSending")} max={file.size} value={sentBytes} />;
}

/** Warns about work that the server didn't book, until the user records it again or dismisses it. */
function Unbooked({ item }: { readonly item: OutboxItem }) {
  const act = async () => {
    await markItemAcknowledged(database, item.op_id);
    await reloadStoredWork();
  };
  const correct = async () => {
    const booking = findLoadedBooking(item.booking_id);
    const unit = booking && findUnit(booking, item.operation.resource_id ?? -1);
    if (!booking || !unit) return;
    const key = await startWork(booking, unit, "correction");
    if (!key) return;
    await act();
    openRoute("work", key, "money");
  };
  return (
    <div class="row wrap">
      {findLoadedBooking(item.booking_id) && (
        <button type="button" class="small" onClick={() => void correct()}>
          {t("recordAnew")}
        </button>
      )}
      <button type="button" class="small" onClick={() => void act()}>
        {t("leaveUnbooked")}
      </button>
    </div>
  );
}

const REOPEN: Readonly<Record<string, TextKey>> = { vehicle_unavailable: "chooseAnother" };

function Remedies({ item }: { readonly item: OutboxItem }) {
  const files = useFiles(item);
  if (hasUnbookedChargeOrExtra(item)) return <Unbooked item={item} />;
  if (item.state === "confirmed" || item.state === "sending") return null;
  const again = async () => {
    await retryItems(database, [item.op_id]);
    await reloadStoredWork();
    await sendDueItems(true);
  };
  const correct = async () => {
    const key = await reopenRejectedWork(item);
    if (key) openRoute("work", key);
  };
  const settle = async () => {
    await closeBlockedItem(database, item.op_id, Date.now());
    await reloadStoredWork();
  };
  const isConflict = item.reason === "conflict";
  const isCorrected = [...visibleDrafts.value.values()].some(({ replaces }) => replaces === item.op_id);
  return (
    <div class="row wrap">
      {!isCorrected && maySendWork(item) && (!isConflict || mayFilesArrive(files)) && (
        <button type="button" class="small" onClick={() => void again()}>
          {t("retry")}
        </button>
      )}
      {item.state === "blocked" && item.reason !== "photos" && canBeCorrected(item) && (
        <button type="button" class="small" onClick={() => void correct()}>
          {t(REOPEN[item.result?.code ?? ""] ?? "correctAndSend")}
        </button>
      )}
      {(isConflict || (files.length > 0 && areAllMissingFilesLost(item, files))) && (
        <button type="button" class="small" onClick={() => void settle()}>
          {t(isConflict ? "understood" : "leaveWithout")}
        </button>
      )}
    </div>
  );
}
