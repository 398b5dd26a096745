import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { hasCamera } from "../../capture/camera.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { addPhotosToWork } from "../../state/save-captures.ts";
import { removeFromWork } from "../../state/undo-removal.ts";
import { Icon } from "../../ui/icon.tsx";
import { StoredPicture } from "../../ui/stored-picture.tsx";
import type { DocumentCameraProps } from "./document-camera.tsx";
import { CAPTURE_ERROR_TEXTS, PhotoErrorNotice, PhotoInput } from "./photo-input.tsx";

/** Photos of the driver's documents, taken with the in-app camera if available, otherwise with the system's. */
export function DriverDocumentPhotos({ draft }: { readonly draft: WorkDraft }) {
  const [isPossible, setIsPossible] = useState(false);
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const [Camera, setCamera] = useState<ComponentType<DocumentCameraProps> | undefined>(undefined);
  useEffect(() => void hasCamera().then(setIsPossible), []);
  const giveUp = (isDenied: boolean) => {
    setCamera(undefined);
    setIsPossible(false);
    setTrouble(isDenied ? "cameraDenied" : "cameraMissing");
  };
  const open = () => {
    import("./document-camera.tsx").then(
      ({ default: Loaded }) => setCamera(() => Loaded),
      () => giveUp(false),
    );
  };
  const take = async (files: FileList | null) => {
    const outcome = await addPhotosToWork(files ?? [], "document");
    setTrouble(CAPTURE_ERROR_TEXTS[outcome]);
  };
  const photos = draft.photos.filter(({ view }) => view === "document");
  return (
    <>
      <PhotoErrorNotice text={trouble} />
      {photos.length > 0 && (
        <ul class="shots document-photos">
          {photos.map(({ hash }, index) => (
            <PrintedDocument key={hash} draft={draft} hash={hash} name={t("documentNo", { n: index + 1 })} />
          ))}
        </ul>
      )}
      {isPossible ? (
        <button type="button" class="other" onClick={open}>
          <Icon name="camera" />
          {t("driverDocumentsPhoto")}
        </button>
      ) : (
        <label class="other as-button">
          <Icon name="camera" />
          {t("driverDocumentsPhoto")}
          <PhotoInput onFiles={(files) => void take(files)} />
        </label>
      )}
      {Camera && <Camera onClose={() => setCamera(undefined)} onMissing={giveUp} />}
    </>
  );
}

const PrintedDocument = ({
  draft,
  hash,
  name,
}: {
  readonly draft: WorkDraft;
  readonly hash: string;
  readonly name: string;
}) => (
  <li class="shot">
    <StoredPicture bookingId={draft.booking_id} hash={hash} alt={name} />
    <button
      type="button"
      class="round remove"
      aria-label={t("removePhoto", { view: name })}
      onClick={() => removeFromWork(name, { photos: draft.photos.filter((photo) => photo.hash !== hash) })}
    >
      <Icon name="trash" size={20} />
    </button>
  </li>
);
