import { dayText } from "../../account.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";

interface DriversProps {
  readonly of: Pick<ReservationDetail, "drivers" | "flight">;
  /** Last day of the rental, yyyy-mm-dd. */
  readonly until: string;
}

/** Drivers with their licences, and the customer's flight, as the check-in app knows them. */
export function Drivers({ of: { drivers, flight }, until }: DriversProps) {
  if (drivers.length === 0 && !flight) return null;
  return (
    <section class="panel" aria-labelledby="drivers">
      <h2 id="drivers">{t("driversAndFlight")}</h2>
      {flight && <p>{t("flightIs", { flight })}</p>}
      <ul class="plain">
        {drivers.map((driver) => {
          const { driving_license_number: licence, driving_license_expiration_date: expires } = driver;
          return (
            <li key={driver.position}>
              <p class="strong">{driver.full_name || t("nothing")}</p>
              <p class="soft">
                {[driver.document_id, driver.date_of_birth && t("bornOn", { date: dayText(driver.date_of_birth) })]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
              {licence ? (
                <p class={expires && expires < until ? "problem" : "soft"}>
                  {expires ? t("licenceUntil", { licence, date: dayText(expires) }) : t("licenceIs", { licence })}
                </p>
              ) : (
                <p class="problem">{t("licenceMissing")}</p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
