import { useEffect, useState } from "preact/hooks";
import { findPicture } from "../offline/drafts.ts";
import { database, session } from "../state/phone.ts";

interface PictureProps {
  readonly bookingId: number;
  readonly hash: string;
  readonly alt: string;
}

/** A photo of this phone or, where it is not here, of the server. */
export function Picture({ bookingId, hash, alt }: PictureProps) {
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void load(bookingId, hash).then((blob) => {
      if (!blob || isGone) return;
      made = URL.createObjectURL(blob);
      setAddress(made);
    });
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [bookingId, hash]);
  return address ? <img src={address} alt={alt} /> : <span class="no-picture" />;
}

async function load(bookingId: number, hash: string): Promise<Blob | undefined> {
  const kept = await findPicture(database, bookingId, hash);
  if (kept) return kept;
  const token = session.peek()?.token;
  if (!token || !navigator.onLine) return undefined;
  try {
    const path = `/api/v1/booking/${bookingId}/check-in-files/${hash}`;
    const answer = await fetch(path, { headers: { Authorization: token } });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
