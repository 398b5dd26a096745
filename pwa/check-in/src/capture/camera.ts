export type CameraOpenError = "denied" | "none";

/** Whether this device has a camera available to web pages. */
export async function hasCamera(): Promise<boolean> {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === "videoinput");
  } catch {
    // Insecure pages and outdated systems have no camera API.
    return false;
  }
}

/** Opens the rear camera and shows it in `video`. Returns the error if that fails. */
export async function openCamera(video: HTMLVideoElement): Promise<MediaStream | CameraOpenError> {
  let stream: MediaStream | undefined;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
    video.srcObject = stream;
    await video.play();
    return stream;
  } catch (error) {
    if (stream) closeCamera(stream);
    return error instanceof DOMException && error.name === "NotAllowedError" ? "denied" : "none";
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
