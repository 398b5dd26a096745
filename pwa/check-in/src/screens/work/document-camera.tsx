import { useState } from "preact/hooks";
import { type TextKey, t } from "../../i18n/texts.ts";
import { addPhotoToWork } from "../../state/save-captures.ts";
import { Icon } from "../../ui/icon.tsx";
import { CAPTURE_ERROR_TEXTS } from "./photo-input.tsx";
import { useCameraStream } from "./use-camera-stream.ts";

const DOCUMENT_SIDES = [
  "document_licence_front",
  "document_licence_back",
  "document_identity",
] as const satisfies readonly TextKey[];

export interface DocumentCameraProps {
  readonly onClose: () => void;
  /** Called if the camera is unavailable. Photos are then taken with the system's camera app. */
  readonly onMissing: (isDenied: boolean) => void;
}

/**
 * In-app camera for the driver's documents: licence front and back, and identity document. Photos are stored with the
 * reservation.
 */
export default function DocumentCamera({ onClose, onMissing }: DocumentCameraProps) {
  const { video, lens, isReady } = useCameraStream(onMissing);
  const [isBusy, setIsBusy] = useState(false);
  const [at, setAt] = useState(0);
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const goOn = () => (at + 1 < DOCUMENT_SIDES.length ? setAt(at + 1) : onClose());
  const shoot = async () => {
    if (!lens.current || isBusy) return;
    setIsBusy(true);
    const outcome = await addPhotoToWork(lens.current.takePicture(), "document");
    setIsBusy(false);
    setTrouble(CAPTURE_ERROR_TEXTS[outcome]);
    if (outcome === "kept") goOn();
  };
  const name = t(DOCUMENT_SIDES[at] ?? "view_document");
  return (
    <section
      class="camera"
      aria-label={t("camera")}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      <header>
        <button type="button" class="round" aria-label={t("closeCamera")} onClick={onClose}>
          <Icon name="close" />
        </button>
        <p class="grow" aria-live="polite">
          <b>{name}</b>
          <span>{t("documentsOf", { n: at + 1, of: DOCUMENT_SIDES.length })}</span>
        </p>
      </header>
      <div class="lens">
        <video ref={video} playsInline muted />
        <span class="card-outline" />
      </div>
      {trouble && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t(trouble)}
        </p>
      )}
      <footer>
        <span class="retake" />
        <button type="button" class="shutter" disabled={!isReady} aria-busy={isBusy} onClick={() => void shoot()}>
          <span class="hidden">{t("photograph", { view: name })}</span>
        </button>
        <button type="button" class="small" onClick={goOn}>
          {t("skipView")}
        </button>
      </footer>
    </section>
  );
}
