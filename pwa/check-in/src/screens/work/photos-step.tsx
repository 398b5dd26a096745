import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { hasCamera } from "../../capture/camera.ts";
import { mayUseCamera } from "../../capture/camera-stream.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { pickPhotosAndDamages } from "../../state/exchange.ts";
import { addPhotosToWork } from "../../state/save-captures.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { removeFromWork } from "../../state/undo-removal.ts";
import { changeOpenWork, getOpenDraft } from "../../state/work.ts";
import { FURTHER_PHOTO_VIEWS, GUIDED_PHOTO_VIEWS, getNextPhotoView } from "../../state/work-steps.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { StoredPicture } from "../../ui/stored-picture.tsx";
import { CAPTURE_ERROR_TEXTS, PhotoErrorNotice, PhotoInput, type PhotoView } from "./photo-input.tsx";
import type { StepProps } from "./step-props.ts";
import type { VehicleCameraProps } from "./vehicle-camera.tsx";

const FREE_VIEWS = ["other", "damage", "document"] as const;

/** Eight photos, one by one, each saved immediately. */
export function PhotosStep({ draft: fullDraft, vehicle, frame, onNext }: StepProps) {
  const draft = pickPhotosAndDamages(fullDraft, vehicle);
  const [refusal, setRefusal] = useState<TextKey | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const isGuided = draft.kind !== "evidence";
  const missing = isGuided ? getNextPhotoView(draft, vehicle) : undefined;
  const next = isGuided ? missing : "other";
  const camera = useCamera(missing);
  const take = async (files: FileList | null, view: PhotoView) => {
    setIsBusy(true);
    setRefusal(undefined);
    const outcome = await addPhotosToWork(files ?? [], view, { vehicle });
    if (outcome !== "kept") setRefusal(CAPTURE_ERROR_TEXTS[outcome]);
    setIsBusy(false);
  };
  const photoCount = GUIDED_PHOTO_VIEWS.filter((view) => draft.photos.some((photo) => photo.view === view)).length;
  const { Camera } = camera;
  const photoError = camera.trouble ?? refusal;
  return frame(
    <>
      <PhotoErrorNotice text={photoError} />
      <Next
        view={next}
        isGuided={isGuided}
        isBusy={isBusy}
        {...(camera.isPossible && isGuided ? { onCamera: camera.open } : {})}
        onFiles={(files) => void take(files, next ?? "other")}
        onNext={onNext}
      />
    </>,
    <>
      {Camera && next && (
        <Camera
          draft={draft}
          view={next}
          vehicle={vehicle}
          onMissing={camera.giveUp}
          onClose={(isComplete) => {
            camera.close();
            if (isComplete) onNext();
          }}
        />
      )}
      {!isGuided && (
        <Field label={t("notes")} warning={getTextTooLongMessage("notes", draft.notes)}>
          <textarea
            name="notes"
            rows={3}
            value={draft.notes}
            onInput={({ currentTarget }) => void changeOpenWork({ notes: currentTarget.value })}
          />
        </Field>
      )}
      {isGuided && <p class="lead">{t("photosTaken", { n: photoCount, of: GUIDED_PHOTO_VIEWS.length })}</p>}
      <Shots views={isGuided ? GUIDED_PHOTO_VIEWS : FREE_VIEWS} draft={draft} next={next} onTake={take} />
      {isGuided && (
        <>
          <h2>{t("furtherPhotos")}</h2>
          <Shots views={FURTHER_PHOTO_VIEWS} draft={draft} next={undefined} onTake={take} />
        </>
      )}
      <label class="other as-button" aria-busy={isBusy}>
        <Icon name="plus" />
        {isBusy ? t("photoKeeping") : t("morePhotos")}
        <PhotoInput isSeveral onFiles={(files) => void take(files, "other")} />
      </label>
      <Strip draft={draft} />
    </>,
    next ? "take" : "go on",
  );
}

interface NextProps {
  /** The missing side, or undefined if there's none. */
  readonly view: PhotoView | undefined;
  readonly isGuided: boolean;
  readonly isBusy: boolean;
  /** Opens the in-app camera, if available. */
  readonly onCamera?: () => void;
  readonly onFiles: (files: FileList | null) => void;
  readonly onNext: () => void;
}

/** Main action: photograph the missing side, or continue. */
function Next({ view, isGuided, isBusy, onCamera, onFiles, onNext }: NextProps) {
  if (!view) {
    return (
      <button type="button" class="main" onClick={onNext}>
        {t("continue")}
      </button>
    );
  }
  const label = t("photograph", { view: t(`view_${view}`) });
  return (
    <>
      {onCamera ? (
        <button type="button" class="main" onClick={onCamera}>
          <Icon name="camera" />
          {label}
        </button>
      ) : (
        <label class="main as-button" aria-busy={isBusy}>
          <Icon name="camera" />
          {isBusy ? t("photoKeeping") : label}
          <PhotoInput onFiles={onFiles} />
        </label>
      )}
      <button type="button" class="other" onClick={onNext}>
        {t(isGuided ? "continueWithout" : "continue")}
      </button>
    </>
  );
}

/** Uses the in-app camera if available, and opens it automatically if permitted. */
function useCamera(next: PhotoView | undefined) {
  const [isPossible, setIsPossible] = useState(false);
  const [photoError, setTrouble] = useState<TextKey | undefined>(undefined);
  const [Camera, setCamera] = useState<ComponentType<VehicleCameraProps> | undefined>(undefined);
  const giveUp = (isDenied: boolean) => {
    setCamera(undefined);
    setIsPossible(false);
    setTrouble(isDenied ? "cameraDenied" : "cameraMissing");
  };
  const open = () => {
    import("./vehicle-camera.tsx").then(
      ({ default: Loaded }) => setCamera(() => Loaded),
      () => giveUp(false),
    );
  };
  useEffect(() => {
    void Promise.all([hasCamera(), mayUseCamera()]).then(([isThere, isAllowed]) => {
      setIsPossible(isThere);
      if (isThere && isAllowed && next) open();
    });
  }, []);
  return {
    isPossible,
    trouble: photoError,
    Camera,
    open,
    close: () => setCamera(undefined),
    giveUp,
  };
}

interface ShotsProps {
  readonly views: readonly PhotoView[];
  readonly draft: WorkDraft;
  readonly next: PhotoView | undefined;
  readonly onTake: (files: FileList | null, view: PhotoView) => Promise<void>;
}

const Shots = ({ views, draft, next, onTake }: ShotsProps) => (
  <ul class="shots">
    {views.map((view) => (
      <Shot key={view} view={view} draft={draft} isNext={view === next} onFiles={(files) => void onTake(files, view)} />
    ))}
  </ul>
);

/** All photos in the order they were taken, each with a button to remove it. */
function Strip({ draft }: { readonly draft: WorkDraft }) {
  if (draft.photos.length < 2) return null;
  return (
    <>
      <h2>{`${t("allPhotos")} · ${draft.photos.length}`}</h2>
      <ul class="strip">
        {draft.photos.map(({ hash, view }, index) => {
          const name = `${t("photoNumber", { n: index + 1 })}, ${t(`view_${view}`)}`;
          return (
            <li key={`${index}-${hash}`}>
              <StoredPicture bookingId={draft.booking_id} hash={hash} alt={name} />
              <button
                type="button"
                class="round remove"
                aria-label={t("removePhoto", { view: name })}
                onClick={() => remove(hash, name)}
              >
                <Icon name="trash" size={20} />
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface ShotProps {
  readonly view: PhotoView;
  readonly draft: WorkDraft;
  readonly isNext: boolean;
  readonly onFiles: (files: FileList | null) => void;
}

function Shot({ view, draft, isNext, onFiles }: ShotProps) {
  const photos = draft.photos.filter((photo) => photo.view === view);
  const last = photos.at(-1);
  const name = t(`view_${view}`);
  return (
    <li class={isNext ? "shot next" : "shot"}>
      <label>
        {last ? (
          <StoredPicture bookingId={draft.booking_id} hash={last.hash} alt="" />
        ) : (
          <span class="silhouette" data-view={view} />
        )}
        <span class="caption">
          <Icon name={last ? "check" : "camera"} size={18} />
          {photos.length > 1 ? `${name} · ${photos.length}` : name}
        </span>
        <PhotoInput onFiles={onFiles} />
      </label>
      {last && (
        <button
          type="button"
          class="round remove"
          aria-label={t("removePhoto", { view: name })}
          onClick={() => remove(last.hash, name)}
        >
          <Icon name="trash" size={20} />
        </button>
      )}
    </li>
  );
}

/** Removes an unsent photo. Sent photos are only marked and retained. */
function remove(hash: string, name: string): void {
  const draft = getOpenDraft();
  removeFromWork(name, {
    photos: draft.photos.filter((photo) => photo.hash !== hash),
    damages: draft.damages.map((damage) => ({
      ...damage,
      photos: (damage.photos ?? []).filter((text) => text !== hash),
    })),
  });
}
