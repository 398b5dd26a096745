export type CameraError = "denied" | "none";

/** Whether this phone has a camera that a page could ask for. */
export async function hasCamera(): Promise<boolean> {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === "videoinput");
  } catch {
    // A page that is not secure, or an old system.
    return false;
  }
}

/** The camera at the back, shown in `video`; what is in the way where there is none. */
export async function openCamera(video: HTMLVideoElement): Promise<MediaStream | CameraError> {
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
