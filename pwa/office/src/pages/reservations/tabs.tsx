import { linkToList, route } from "../../route.ts";
import { t } from "../../texts.ts";

const LISTS = ["reservations", "quotes"] as const;

/** Links between the lists of reservations and quotes. */
export function ReservationListTabs() {
  const [open] = route.value;
  return (
    <nav class="chips tabs" aria-label={t("reservations")}>
      {LISTS.map((list) => (
        <a key={list} class="button" href={linkToList(list)} aria-current={list === open ? "page" : undefined}>
          {t(list)}
        </a>
      ))}
    </nav>
  );
}
