import { useEffect, useRef, useState } from "preact/hooks";
import { type Lens, openLens } from "../../capture/shutter.ts";

/**
 * The phone's camera in a `video` of the screen, for as long as the screen is there. `onMissing`: there is none, or it
 * is not allowed.
 */
export function useLens(onMissing: (isDenied: boolean) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const lens = useRef<Lens | undefined>(undefined);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (!video.current) return;
    void openLens(video.current).then((opened) => {
      if (typeof opened === "string") return onMissing(opened === "denied");
      if (isGone) return opened.close();
      lens.current = opened;
      setIsReady(true);
    });
    return () => {
      isGone = true;
      lens.current?.close();
    };
  }, []);
  return { video, lens, isReady };
}
