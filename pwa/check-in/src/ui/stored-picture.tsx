import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n/texts.ts";
import { findPicture } from "../offline/drafts.ts";
import { database, session } from "../state/device-session.ts";
import { Icon } from "./icon.tsx";

interface PictureProps {
  readonly bookingId: number;
  readonly hash: string;
  readonly alt: string;
  /** Whether to offer a download if the browser can't display the picture. */
  readonly mayDownload?: boolean;
}

/** Photo stored on this device, or otherwise loaded from the server. */
export function StoredPicture({ bookingId, hash, alt, mayDownload = false }: PictureProps) {
  const [canShow, setCanShow] = useState(true);
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    let objectUrl: string | undefined;
    let isUnmounted = false;
    setCanShow(true);
    void load(bookingId, hash).then((blob) => {
      if (!blob || isUnmounted) return;
      objectUrl = URL.createObjectURL(blob);
      setAddress(objectUrl);
    });
    return () => {
      isUnmounted = true;
      if (objectUrl) URL.revokeObjectURL(objectUrl);
    };
  }, [bookingId, hash]);
  if (!address) return <span class="no-picture" />;
  if (canShow) return <img src={address} alt={alt} onError={() => setCanShow(false)} />;
  if (!mayDownload) return <PictureOnOtherDevice />;
  return (
    <a class="no-picture kept" href={address} download={hash}>
      <Icon name="down" />
      <span class="hidden">
        {t("photoDownload")}: {alt}
      </span>
    </a>
  );
}

/** HEIC photo of an iPhone on a device that can't display it. */
const PictureOnOtherDevice = () => (
  <span class="no-picture kept">
    <Icon name="camera" />
    {t("photoElsewhere")}
  </span>
);

async function load(bookingId: number, hash: string): Promise<Blob | undefined> {
  const storedPicture = await findPicture(database, bookingId, hash);
  if (storedPicture) return storedPicture;
  const token = session.peek()?.token;
  if (!token || !navigator.onLine) return undefined;
  try {
    const path = `/api/v1/booking/${bookingId}/check-in-files/${hash}`;
    const answer = await fetch(path, { headers: { Authorization: token }, cache: "no-store" });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
