import { closeCamera } from "./camera.ts";

export type CameraStreamError = "denied" | "none";

/** Open camera that takes one picture after another. */
export interface CameraStream {
  /** Takes a picture. */
  readonly takePicture: () => Promise<Blob>;
  /** Whether the camera has a torch. */
  readonly hasTorch: boolean;
  readonly setTorch: (isOn: boolean) => Promise<void>;
  readonly close: () => void;
}

/** The standard types don't include the torch yet. */
interface TorchTrack {
  getCapabilities?(): MediaTrackCapabilities & { readonly torch?: boolean };
  applyConstraints(constraints: { readonly advanced: readonly { readonly torch: boolean }[] }): Promise<void>;
}

const VIDEO_CONSTRAINTS = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1440 } } as const;
const QUALITY = 0.9;

/** Opens the rear camera and shows it in `video`. Returns the error if that fails. */
export async function openCameraStream(video: HTMLVideoElement): Promise<CameraStream | CameraStreamError> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: VIDEO_CONSTRAINTS, audio: false });
  } catch (error) {
    return error instanceof DOMException && error.name === "NotAllowedError" ? "denied" : "none";
  }
  video.srcObject = stream;
  try {
    await video.play();
  } catch {
    closeCamera(stream);
    return "none";
  }
  const track = stream.getVideoTracks()[0] as unknown as TorchTrack | undefined;
  return {
    takePicture: () => captureFrame(video),
    hasTorch: track?.getCapabilities?.().torch === true,
    setTorch: async (isOn) => track?.applyConstraints({ advanced: [{ torch: isOn }] }),
    close: () => closeCamera(stream),
  };
}

async function captureFrame(video: HTMLVideoElement): Promise<Blob> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}

/** Whether the page may use the camera without a permission prompt. */
export async function mayUseCamera(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: "camera" as PermissionName })).state === "granted";
  } catch {
    return false;
  }
}
