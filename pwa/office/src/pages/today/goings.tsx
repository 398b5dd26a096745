import { useEffect, useState } from "preact/hooks";
import { isNothing, money, nowThere } from "../../account.ts";
import { ask, contentOf, office } from "../../api.ts";
import type { Listed } from "../../desk/reservation.ts";
import { StateBadge, stateOf } from "../../desk/state-badge.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { linkTo, linkWith } from "../../route.ts";
import { t } from "../../texts.ts";
import type { PlannedContract, Planning } from "../planning/planning.ts";

interface Day {
  readonly leaving: readonly Listed[];
  readonly returning: readonly (PlannedContract & { readonly vehicle: string })[];
}

/** What leaves today, and what returns: each a click from where it is handed over or taken back. */
export function Goings() {
  const [day, setDay] = useState<Day>();
  const [hasFailed, setFailed] = useState(false);
  const today = nowThere().date;
  const read = () => {
    setFailed(false);
    const asked = new URLSearchParams({ date_from: today, date_to: today, kind: "rental", page_size: "200" });
    Promise.all([
      ask("GET", office(`/reservations?${asked}`)),
      ask("GET", office(`/planning?date_from=${today}&days=1`)),
    ]).then(
      ([listed, planned]) => {
        const found = contentOf<{ readonly data: readonly Listed[] }>(listed);
        const planning = contentOf<Planning>(planned);
        if (!found || !planning) return setFailed(true);
        setDay(dayOf(found.data, planning, today));
      },
      () => setFailed(true),
    );
  };
  useEffect(read, []);
  if (hasFailed) return <Trouble problem={t("failed")} onRetry={read} />;
  if (!day) return null;
  return (
    <div class="columns even">
      <section class="panel" aria-labelledby="leaving">
        <h2 id="leaving">
          <a class="plain-link" href={linkWith({ date_from: today, date_to: today }, "reservations")}>
            {t("leaving", { n: day.leaving.length })}
          </a>
        </h2>
        {day.leaving.length === 0 && <p class="calm">{t("nothingLeaves")}</p>}
        <ul class="plain goings">
          {day.leaving.map((one) => (
            <li key={one.id}>
              <a href={linkTo("reservations", one.id, ...(stateOf(one) === "confirmed" ? ["deliver"] : []))}>
                <time>{one.time_from}</time>
                <span class="strong">{one.customer_fullname}</span>
                <span class="soft">
                  {one.reservation_lines.map((line) => line.item_description).join(", ")} · {one.pickup_place}
                </span>
              </a>
              {!isNothing(one.total_pending) && (
                <span class="owes">{t("owes", { amount: money(one.total_pending) })}</span>
              )}
              <StateBadge of={one} />
            </li>
          ))}
        </ul>
      </section>
      <section class="panel" aria-labelledby="returning">
        <h2 id="returning">
          <a class="plain-link" href={linkWith({ from: today, days: 7 }, "planning")}>
            {t("returning", { n: day.returning.length })}
          </a>
        </h2>
        {day.returning.length === 0 && <p class="calm">{t("nothingReturns")}</p>}
        <ul class="plain goings">
          {day.returning.map((one) => (
            <li key={one.unit_id}>
              <a href={linkTo("reservations", one.id, ...(one.status === "in_progress" ? ["collect"] : []))}>
                <time>{one.time_to}</time>
                <span class="strong">{one.customer_fullname}</span>
                <span class="soft">{one.vehicle}</span>
              </a>
              <StateBadge of={one} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function dayOf(listed: readonly Listed[], planning: Planning, today: string): Day {
  const lying = [
    ...planning.vehicles.flatMap(({ contracts, stock_plate, reference }) =>
      contracts.map((one) => ({ ...one, vehicle: stock_plate ?? reference })),
    ),
    ...planning.unassigned.flatMap(({ contracts, category_code }) =>
      contracts.map((one) => ({ ...one, vehicle: category_code })),
    ),
  ];
  return {
    leaving: listed
      .filter(({ status }) => status !== "cancelled")
      .sort((one, other) => one.time_from.localeCompare(other.time_from)),
    returning: lying
      .filter(({ date_to }) => date_to === today)
      .sort((one, other) => one.time_to.localeCompare(other.time_to)),
  };
}
