import { useState } from "preact/hooks";
import type { Reservation } from "./reservation.ts";

/** Keeps the reservation as it was when a form opened, to compare it with changes by others, and as it is now. */
export function useReservationVersions(of: Reservation) {
  const [seen, setSeen] = useState(of);
  const [newer, setNewer] = useState(of);
  return {
    seen,
    // Prefers the page's reservation at equal versions, because a payment changes it without a new version.
    now: of.version >= newer.version ? of : newer,
    setNewer,
    /** Continues with a reservation that the user changed here. */
    continueWith: (reservation: Reservation) => {
      setSeen(reservation);
      setNewer(reservation);
    },
  };
}
