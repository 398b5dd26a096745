import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type BarcodeReader, BarcodeReaderMissingError, openBarcodeReader } from "../../capture/barcode-reader.ts";
import { closeCamera, openCamera } from "../../capture/camera.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { PhotoInput } from "./photo-input.tsx";

/** A slow device manages five scans per second. */
const SCAN_INTERVAL_MS = 200;

type State = "starting" | "live" | "reading" | "denied" | "none" | "nothing" | "missing";

const TEXTS: Readonly<Record<State, TextKey>> = {
  starting: "scanStarting",
  live: "scanAim",
  reading: "scanReading",
  denied: "scanDenied",
  none: "scanNoCamera",
  nothing: "scanNothing",
  missing: "scanMissing",
};
const TROUBLES: readonly State[] = ["denied", "none", "nothing", "missing"];

export interface ScannerProps {
  readonly onCode: (text: string) => void;
  readonly onClose: () => void;
  /** Text that explains where to point the camera. */
  readonly aim: TextKey;
}

/** Reads a QR code or barcode from the live camera or a photo. */
export default function Scanner({ onCode, onClose, aim }: ScannerProps) {
  const [state, setState] = useState<State>("starting");
  const video = useRef<HTMLVideoElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  useEffect(() => {
    const end = new AbortController();
    if (video.current) void watch(video.current, { onCode, onState: setState, signal: end.signal });
    return () => end.abort();
  }, []);
  const readPhoto = async (files: FileList | null) => {
    const photo = files?.[0];
    if (!photo) return;
    setState("reading");
    const text = await scanPhoto(photo);
    if (text === undefined || text === MISSING) setState(text === MISSING ? "missing" : "nothing");
    else onCode(text);
  };
  const hasScannerError = TROUBLES.includes(state);
  return (
    <section
      class="card scanner"
      aria-label={t("scanTitle")}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      <div class="row">
        <h2 class="grow" ref={title} tabIndex={-1}>
          {t("scanTitle")}
        </h2>
        <button type="button" class="round" aria-label={t("cancel")} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="viewfinder" hidden={state !== "live" && state !== "starting"}>
        <video ref={video} playsInline muted />
      </div>
      <p class={hasScannerError ? "note" : undefined} data-tone={hasScannerError ? "waiting" : undefined} role="status">
        {hasScannerError && <Icon name="refused" />}
        {t(state === "live" ? aim : TEXTS[state])}
      </p>
      <label class="other as-button">
        <Icon name="camera" />
        {t("scanPhoto")}
        <PhotoInput onFiles={(files) => void readPhoto(files)} />
      </label>
    </section>
  );
}

const MISSING = Symbol("missing");

async function scanPhoto(photo: Blob): Promise<string | undefined | typeof MISSING> {
  try {
    return await (await openBarcodeReader())(photo);
  } catch (error) {
    if (error instanceof BarcodeReaderMissingError) return MISSING;
    throw error;
  }
}

interface Watching {
  readonly onCode: (text: string) => void;
  readonly onState: (state: State) => void;
  readonly signal: AbortSignal;
}

/** Scans the camera stream until a code is found or the scan is aborted. */
async function watch(video: HTMLVideoElement, { onCode, onState, signal }: Watching): Promise<void> {
  const stream = await openCamera(video);
  if (typeof stream === "string") return signal.aborted ? undefined : onState(stream);
  const close = () => closeCamera(stream);
  if (signal.aborted) return close();
  signal.addEventListener("abort", close);
  try {
    const read = await openBarcodeReader();
    if (!signal.aborted) onState("live");
    const text = await firstCode(read, video, signal);
    if (text !== undefined) onCode(text);
  } catch (error) {
    if (!(error instanceof BarcodeReaderMissingError)) throw error;
    close();
    onState("missing");
  }
}

async function firstCode(
  read: BarcodeReader,
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const text = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await read(video) : undefined;
    if (text !== undefined) return signal.aborted ? undefined : text;
    await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
  }
  return undefined;
}
