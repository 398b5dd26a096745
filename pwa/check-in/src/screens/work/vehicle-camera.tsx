import { useEffect, useState } from "preact/hooks";
import { type TextKey, t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import type { ExchangedVehicle } from "../../state/exchange.ts";
import { type HandOverPhotoHashes, loadHandOverPhotos } from "../../state/hand-over-photos.ts";
import { addPhotoToWork } from "../../state/save-captures.ts";
import { changeOpenWork, openWorkDraft } from "../../state/work.ts";
import { GUIDED_PHOTO_VIEWS } from "../../state/work-steps.ts";
import { Icon } from "../../ui/icon.tsx";
import { StoredPicture } from "../../ui/stored-picture.tsx";
import { AlignmentOverlay } from "./alignment-overlay.tsx";
import { CAPTURE_ERROR_TEXTS, type PhotoView } from "./photo-input.tsx";
import { useCameraStream } from "./use-camera-stream.ts";

export interface VehicleCameraProps {
  readonly draft: WorkDraft;
  readonly vehicle: ExchangedVehicle;
  /** The first side to photograph. */
  readonly view: PhotoView;
  /** Called on close. `isComplete` means that every side was photographed and saved. */
  readonly onClose: (isComplete: boolean) => void;
  /** Called if the camera is unavailable. Photos are then taken with the system's camera app. */
  readonly onMissing: (isDenied: boolean) => void;
}

/** In-app camera that guides through the named sides, with an outline or the photo taken at hand-over. */
export default function VehicleCamera({ draft, vehicle, view: first, onClose, onMissing }: VehicleCameraProps) {
  const { video, lens, isReady } = useCameraStream(onMissing);
  const [view, setView] = useState<PhotoView>(first);
  const [isLit, setIsLit] = useState(false);
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const earlier = useEarlier(draft, vehicle);
  const [isCompared, setIsCompared] = useState(true);
  const shoot = async () => {
    if (!lens.current || isBusy) return;
    setIsBusy(true);
    const before = draft.photos.filter((photo) => photo.view === view);
    const outcome = await addPhotoToWork(lens.current.takePicture(), view, { vehicle });
    setIsBusy(false);
    setTrouble(CAPTURE_ERROR_TEXTS[outcome]);
    if (outcome !== "kept") return;
    if (before.length > 0) await replacePhotos(before);
    const next = findNextView(draft, view);
    if (next) setView(next);
    else onClose(true);
  };
  const light = () => {
    void lens.current?.setTorch(!isLit);
    setIsLit(!isLit);
  };
  const before = earlier[view];
  return (
    <section
      class="camera"
      aria-label={t("camera")}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose(false);
      }}
    >
      <header>
        <button type="button" class="round" aria-label={t("closeCamera")} onClick={() => onClose(false)}>
          <Icon name="close" />
        </button>
        <p class="grow" aria-live="polite">
          <b>{t(`view_${view}`)}</b>
          <span>{t("photosTaken", { n: countPhotos(draft), of: GUIDED_PHOTO_VIEWS.length })}</span>
        </p>
        {lens.current?.hasTorch && (
          <button type="button" class="round" aria-pressed={isLit} aria-label={t("torch")} onClick={light}>
            <Icon name="torch" />
          </button>
        )}
      </header>
      <div class="lens">
        <video ref={video} playsInline muted />
        {before && isCompared ? (
          <span class="before">
            <StoredPicture bookingId={draft.booking_id} hash={before} alt={t("pictureBefore")} />
          </span>
        ) : (
          <AlignmentOverlay view={view} />
        )}
      </div>
      {trouble && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t(trouble)}
        </p>
      )}
      <footer>
        <LastShot draft={draft} onRetake={setView} />
        <button type="button" class="shutter" disabled={!isReady} aria-busy={isBusy} onClick={() => void shoot()}>
          <span class="hidden">{t("photograph", { view: t(`view_${view}`) })}</span>
        </button>
        {before ? (
          <button type="button" class="small" aria-pressed={isCompared} onClick={() => setIsCompared(!isCompared)}>
            {t("compare")}
          </button>
        ) : (
          <button type="button" class="small" onClick={() => setView(findNextView(draft, view) ?? view)}>
            {t("skipView")}
          </button>
        )}
      </footer>
    </section>
  );
}

/** Replaces the photos of a side that is photographed again. */
async function replacePhotos(before: WorkDraft["photos"]): Promise<void> {
  const isOld = (photo: WorkDraft["photos"][number]) =>
    before.some(({ view, taken_at }) => view === photo.view && taken_at === photo.taken_at);
  await changeOpenWork({ photos: (openWorkDraft.peek()?.photos ?? []).filter((photo) => !isOld(photo)) });
}

/** The last picture, with a button to retake it. */
function LastShot({ draft, onRetake }: { readonly draft: WorkDraft; readonly onRetake: (view: PhotoView) => void }) {
  const last = draft.photos.findLast(({ view }) => GUIDED_PHOTO_VIEWS.some((item) => item === view));
  if (!last) return <span class="retake" />;
  return (
    <button
      type="button"
      class="retake"
      aria-label={t("retake", { view: t(`view_${last.view}`) })}
      onClick={() => onRetake(last.view)}
    >
      <StoredPicture bookingId={draft.booking_id} hash={last.hash} alt="" />
    </button>
  );
}

const hasPhoto = (draft: WorkDraft, view: PhotoView) => draft.photos.some((photo) => photo.view === view);

const countPhotos = (draft: WorkDraft) => GUIDED_PHOTO_VIEWS.filter((view) => hasPhoto(draft, view)).length;

/** Returns the next missing side around the vehicle. `view` was just photographed. */
function findNextView(draft: WorkDraft, view: PhotoView): PhotoView | undefined {
  const at = GUIDED_PHOTO_VIEWS.indexOf(view as (typeof GUIDED_PHOTO_VIEWS)[number]);
  const around = [...GUIDED_PHOTO_VIEWS.slice(at + 1), ...GUIDED_PHOTO_VIEWS.slice(0, Math.max(0, at))];
  return around.find((item) => !hasPhoto(draft, item));
}

/** Loads the hand-over photos of each side for a return. */
function useEarlier(draft: WorkDraft, vehicle: ExchangedVehicle): HandOverPhotoHashes {
  const [shots, setShots] = useState<HandOverPhotoHashes>({});
  useEffect(() => {
    const isBack = draft.kind === "collection" || (draft.kind === "exchange" && vehicle === undefined);
    if (isBack) void loadHandOverPhotos(draft).then(setShots);
  }, [draft.booking_id, draft.kind]);
  return shots;
}
