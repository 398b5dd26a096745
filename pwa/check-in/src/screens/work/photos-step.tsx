import { useState } from "preact/hooks";
import { type TextKey, t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import { FURTHER_VIEWS, GUIDED_VIEWS, nextView } from "../../state/steps.ts";
import { type Capture, change, takePhoto } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { StepProps } from "./step-props.ts";

export type View = Draft["photos"][number]["view"];

export const CAPTURE_TEXTS: Readonly<Record<Exclude<Capture, "kept">, TextKey>> = {
  no_room: "photoNoRoom",
  unreadable: "photoUnreadable",
  too_large: "photoTooLarge",
};

/** Eight views, one after the other; each photo is kept the moment it is taken. */
export function PhotosStep({ draft, frame, onNext }: StepProps) {
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const next = draft.kind === "evidence" ? "other" : nextView(draft);
  const take = async (files: FileList | null, view: View) => {
    setIsBusy(true);
    for (const file of files ?? []) {
      const outcome = await takePhoto(file, view);
      setTrouble(outcome === "kept" ? undefined : CAPTURE_TEXTS[outcome]);
    }
    setIsBusy(false);
  };
  const taken = GUIDED_VIEWS.filter((view) => draft.photos.some((photo) => photo.view === view)).length;
  const action = (
    <>
      {next && (
        <label class="main as-button" aria-busy={isBusy}>
          <Icon name="camera" />
          {isBusy ? t("photoKeeping") : t("photograph", { view: t(`view_${next}`) })}
          <PhotoInput onFiles={(files) => void take(files, next)} />
        </label>
      )}
      <button type="button" class={next ? "other" : "main"} onClick={onNext}>
        {t(next && draft.kind !== "evidence" ? "continueWithout" : "continue")}
      </button>
    </>
  );
  const views: readonly View[] = draft.kind === "evidence" ? ["other", "damage", "document"] : GUIDED_VIEWS;
  return frame(
    action,
    <>
      <PhotoTrouble text={trouble} />
      {draft.kind !== "evidence" && <p class="lead">{t("photosTaken", { n: taken, of: GUIDED_VIEWS.length })}</p>}
      <ul class="shots">
        {views.map((view) => (
          <Shot
            key={view}
            view={view}
            draft={draft}
            isNext={view === next}
            onFiles={(files) => void take(files, view)}
          />
        ))}
      </ul>
      {draft.kind !== "evidence" && (
        <>
          <h2>{t("furtherPhotos")}</h2>
          <ul class="shots">
            {FURTHER_VIEWS.map((view) => (
              <Shot key={view} view={view} draft={draft} isNext={false} onFiles={(files) => void take(files, view)} />
            ))}
          </ul>
        </>
      )}
    </>,
  );
}

/** Why the last photo was not kept. */
export function PhotoTrouble({ text }: { readonly text: TextKey | undefined }) {
  if (!text) return null;
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {t(text)}
    </p>
  );
}

/** The camera of the phone, through the one input that every system has. */
export function PhotoInput({ onFiles }: { readonly onFiles: (files: FileList | null) => void }) {
  return (
    <input
      class="hidden"
      type="file"
      accept="image/*"
      capture="environment"
      onChange={({ currentTarget }) => {
        onFiles(currentTarget.files);
        currentTarget.value = "";
      }}
    />
  );
}

interface ShotProps {
  readonly view: View;
  readonly draft: Draft;
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
          <Picture bookingId={draft.booking_id} hash={last.hash} alt="" />
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
          onClick={() => void remove(draft, last.hash)}
        >
          <Icon name="trash" size={20} />
        </button>
      )}
    </li>
  );
}

/** Before it is sent a photo can be taken back; afterwards it is marked and kept. */
const remove = (draft: Draft, hash: string) =>
  change({
    photos: draft.photos.filter((photo) => photo.hash !== hash),
    damages: draft.damages.map((damage) => ({
      ...damage,
      photos: (damage.photos ?? []).filter((one) => one !== hash),
    })),
  });
