import { useEffect, useState } from "preact/hooks";
import { isNothing, money, nowThere } from "../../account.ts";
import { ask, getContent, office } from "../../api.ts";
import type { Listed, ReservationList } from "../../desk/reservation.ts";
import { getDisplayState, StateBadge } from "../../desk/state-badge.tsx";
import { LoadErrorMessage } from "../../desk/trouble.tsx";
import { linkTo, linkWith } from "../../route.ts";
import { t } from "../../texts.ts";
import type { PlannedContract, Planning } from "../planning/planning.ts";

interface Day {
  readonly leaving: readonly Listed[];
  readonly returning: readonly (PlannedContract & { readonly vehicle: string })[];
}

/** Today's pickups and returns, with links to hand-over and return. */
export function TodayMovements() {
  const [day, setDay] = useState<Day>();
  const [hasFailed, setFailed] = useState(false);
  const today = nowThere().date;
  const read = () => {
    setFailed(false);
    const todayQuery = new URLSearchParams({ date_from: today, date_to: today, kind: "rental", page_size: "200" });
    Promise.all([
      ask<ReservationList>("GET", office(`/reservations?${todayQuery}`)),
      ask<Planning>("GET", office(`/planning?date_from=${today}&days=1`)),
    ]).then(
      ([listed, planned]) => {
        const reservations = getContent(listed);
        const planning = getContent(planned);
        if (!reservations || !planning) return setFailed(true);
        setDay(toMovementDay(reservations.data, planning, today));
      },
      () => setFailed(true),
    );
  };
  useEffect(read, []);
  if (hasFailed) return <LoadErrorMessage problem={t("failed")} onRetry={read} />;
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
          {day.leaving.map((listed) => (
            <li key={listed.id}>
              <a
                href={linkTo(
                  "reservations",
                  listed.id,
                  ...(getDisplayState(listed) === "confirmed" ? ["deliver"] : []),
                )}
              >
                <time>{listed.time_from}</time>
                <span class="strong">{listed.customer_fullname}</span>
                <span class="soft">
                  {listed.reservation_lines.map((line) => line.item_description).join(", ")} · {listed.pickup_place}
                </span>
              </a>
              {!isNothing(listed.total_pending) && (
                <span class="owes">{t("owes", { amount: money(listed.total_pending) })}</span>
              )}
              <StateBadge of={listed} />
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
          {day.returning.map((item) => (
            <li key={item.unit_id}>
              <a href={linkTo("reservations", item.id, ...(item.status === "in_progress" ? ["collect"] : []))}>
                <time>{item.time_to}</time>
                <span class="strong">{item.customer_fullname}</span>
                <span class="soft">{item.vehicle}</span>
              </a>
              <StateBadge of={item} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function toMovementDay(listed: readonly Listed[], planning: Planning, today: string): Day {
  const lying = [
    ...planning.vehicles.flatMap(({ contracts, stock_plate, reference }) =>
      contracts.map((contract) => ({ ...contract, vehicle: stock_plate ?? reference })),
    ),
    ...planning.unassigned.flatMap(({ contracts, category_code }) =>
      contracts.map((contract) => ({ ...contract, vehicle: category_code })),
    ),
  ];
  return {
    leaving: listed
      .filter(({ status }) => status !== "cancelled")
      .sort((listed, other) => listed.time_from.localeCompare(other.time_from)),
    returning: lying
      .filter(({ date_to }) => date_to === today)
      .sort((item, other) => item.time_to.localeCompare(other.time_to)),
  };
}
