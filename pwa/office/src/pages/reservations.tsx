import { createLazyPage } from "../desk/lazy-page.tsx";
import { ReservationPage } from "./reservations/reservation-page.tsx";
import { ReservationSearch } from "./reservations/reservation-search.tsx";

const NewReservation = createLazyPage(() =>
  import("./reservations/new-reservation.tsx").then((parts) => parts.NewReservation),
);

/** Reservation list, new reservation form, or one reservation with its actions. */
export default function Reservations({ path }: { readonly path: readonly string[] }) {
  const [id, action] = path;
  if (id === undefined || id === "") return <ReservationSearch />;
  if (id === "new") return <NewReservation />;
  return <ReservationPage key={id} id={id} action={action} />;
}
