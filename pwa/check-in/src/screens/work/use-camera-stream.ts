import { useEffect, useRef, useState } from "preact/hooks";
import { type CameraStream, openCameraStream } from "../../capture/camera-stream.ts";

/**
 * Shows the camera in a `video` while the screen is mounted. Calls `onMissing` if there's no camera or no permission.
 */
export function useCameraStream(onMissing: (isDenied: boolean) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const cameraStream = useRef<CameraStream | undefined>(undefined);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    if (!video.current) return;
    void openCameraStream(video.current).then((opened) => {
      if (typeof opened === "string") return onMissing(opened === "denied");
      if (isUnmounted) return opened.close();
      cameraStream.current = opened;
      setIsReady(true);
    });
    return () => {
      isUnmounted = true;
      cameraStream.current?.close();
    };
  }, []);
  return { video, lens: cameraStream, isReady };
}
