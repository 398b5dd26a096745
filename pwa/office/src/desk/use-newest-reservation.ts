import { useState } from "preact/hooks";
import type { Reservation } from "./reservation.ts";

/** Keeps the reservation as it was when a form opened, to compare it with changes by others, and as it is now. */
export function useNewestReservation(of: Reservation) {
  const [seen, setSeen] = useState(of);
  const [newer, setNewer] = useState(of);
  return {
    seen,
    // The page loads the reservation again when the form opens. A payment doesn't change its version.
    now: of.version >= newer.version ? of : newer,
    setNewer,
    /** Continues with a reservation that the user changed here. */
    continueWith: (reservation: Reservation) => {
      setSeen(reservation);
      setNewer(reservation);
    },
  };
}
