import { formatDay } from "../../account.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";

interface DriversProps {
  readonly of: Pick<ReservationDetail, "drivers" | "flight" | "luggage">;
  /** Last day of the rental, yyyy-mm-dd. */
  readonly until: string;
}

/** Drivers with their licences, the customer's flight and a transfer's luggage, as the check-in app knows them. */
export function ReservationDrivers({ of: { drivers, flight, luggage }, until }: DriversProps) {
  if (drivers.length === 0 && !flight && !luggage) return null;
  const carried = [
    luggage && luggage.bags !== null && t("bagCount", { n: luggage.bags }),
    luggage && luggage.large_items !== null && t("largeItems", { n: luggage.large_items }),
  ].filter(Boolean);
  return (
    <section class="panel" aria-labelledby="drivers">
      <h2 id="drivers">{t(luggage ? "luggage" : "driversAndFlight")}</h2>
      {flight && <p>{t("flightIs", { flight })}</p>}
      {carried.length > 0 && <p>{carried.join(" · ")}</p>}
      <ul class="plain">
        {drivers.map((driver) => {
          const { driving_license_number: licence, driving_license_expiration_date: expires } = driver;
          return (
            <li key={driver.position}>
              <p class="strong">{driver.full_name || t("nothing")}</p>
              <p class="soft">
                {[driver.document_id, driver.date_of_birth && t("bornOn", { date: formatDay(driver.date_of_birth) })]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
              {licence ? (
                <p class={expires && expires < until ? "problem" : "soft"}>
                  {expires ? t("licenceUntil", { licence, date: formatDay(expires) }) : t("licenceIs", { licence })}
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
