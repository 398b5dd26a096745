import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { toPhoneLink } from "#shared/links.ts";
import type { ReportMessage } from "#worker/api/office/report-messages.ts";
import { formatMoney, getCategoryName, getCompanyDateTime, hasUserRight, isZeroAmount } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { BRANCH_PARAMETER, chosenBranchCode } from "../../desk/chosen-branch.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import type { ReservationList, ReservationListItem } from "../../desk/reservation.ts";
import { getDisplayState, ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { Skeleton } from "../../desk/skeleton.tsx";
import { useTransferPointNames } from "../../desk/transfer-names.ts";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import type { Planning } from "../planning/planning.ts";
import {
  type DayMovement,
  type DayMovements,
  describeVehiclesAndExtras,
  type FreeCategory,
  toDayPickups,
  toDayReturns,
  toFreeCategories,
} from "./movements.ts";

interface Day {
  readonly pickups: DayMovements;
  readonly returns: DayMovements;
  readonly onRent: number;
  readonly free: readonly FreeCategory[];
  /** Gross amount of today. Undefined if the user may not see it. */
  readonly revenue: string | undefined;
}

/** Today's figures, pickups and returns by hour, each with its next action. */
export function TodayMovements() {
  const [day, setDay] = useState<Day>();
  const [hasFailed, setFailed] = useState(false);
  const today = getCompanyDateTime().date;
  const read = () => {
    setFailed(false);
    readDay(today, chosenBranchCode.value).then(
      (read) => {
        setDay(read);
        setFailed(read === undefined);
      },
      () => setFailed(true),
    );
  };
  useEffect(read, [chosenBranchCode.value]);
  if (hasFailed) return <LoadErrorMessage problem={t("notLoaded")} onRetry={read} />;
  if (!day) return <Skeleton />;
  return (
    <>
      <Figures day={day} />
      <div class="columns even">
        <MovementList
          id="leaving"
          title={t("leaving", { n: day.pickups.open.length })}
          href={linkToWithQuery({ view: "pickups_today", sort: "date_from" }, "reservations")}
          none={t("nothingLeaves")}
          movements={day.pickups}
          action="deliver"
        />
        <MovementList
          id="returning"
          title={t("returning", { n: day.returns.open.length })}
          href={linkToWithQuery({ view: "returns_today", sort: "date_to" }, "reservations")}
          none={t("nothingReturns")}
          movements={day.returns}
          action="collect"
        />
      </div>
    </>
  );
}

// A day with more movements than a page shows the first ones by number and the link to all.
const PAGE_SIZE = "200";

async function readDay(today: string, branch: string): Promise<Day | undefined> {
  const branchFilter = branch ? { [BRANCH_PARAMETER]: branch } : {};
  const list = (filters: Readonly<Record<string, string>>) =>
    sendOfficeRequest<ReservationList>(
      "GET",
      toOfficePath(`/reservations?${new URLSearchParams({ page_size: PAGE_SIZE, ...filters, ...branchFilter })}`),
    );
  const [leaving, returning, out, planned, earned] = await Promise.all([
    list({ date_from: today, date_to: today }),
    list({ return_from: today, return_to: today }),
    list({ view: "out", page_size: "1" }),
    sendOfficeRequest<Planning>(
      "GET",
      toOfficePath(`/planning?${new URLSearchParams({ date_from: today, days: "1", ...branchFilter })}`),
    ),
    sendOfficeRequest<ReportMessage>("GET", toOfficePath(`/reports/revenue?from=${today}&to=${today}&by=day`)),
  ]);
  const pickups = getSuccessfulContent(leaving);
  const returns = getSuccessfulContent(returning);
  const planning = getSuccessfulContent(planned);
  if (!pickups || !returns || !planning) return undefined;
  const revenue = getSuccessfulContent(earned)?.totals["gross"];
  return {
    pickups: toDayPickups(pickups.data),
    returns: toDayReturns(returns.data),
    onRent: getSuccessfulContent(out)?.total ?? 0,
    free: toFreeCategories(planning.sold),
    revenue: revenue === undefined ? undefined : String(revenue),
  };
}

function Figures({ day: { pickups, returns, onRent, free, revenue } }: { readonly day: Day }) {
  const allFree = free.reduce((sum, { free }) => sum + Math.max(0, free), 0);
  return (
    <dl class="headlines figures">
      <Figure text="figureOut" href={linkToWithQuery({ view: "pickups_today", sort: "date_from" }, "reservations")}>
        {pickups.done.length} / {pickups.done.length + pickups.open.length}
      </Figure>
      <Figure text="figureIn" href={linkToWithQuery({ view: "returns_today", sort: "date_to" }, "reservations")}>
        {returns.done.length} / {returns.done.length + returns.open.length}
      </Figure>
      <Figure text="figureOnRent" href={linkToWithQuery({ view: "out", sort: "date_to" }, "reservations")}>
        {onRent}
      </Figure>
      <div>
        <dt>{t("figureFree")}</dt>
        <dd>
          <details class="free">
            <summary>{allFree}</summary>
            <ul>
              {free.map(({ code, free, stock }) => (
                <li key={code} class={free < 0 ? "problem" : ""}>
                  {getCategoryName(code)} <b>{t("freeOf", { free, stock })}</b>
                </li>
              ))}
            </ul>
          </details>
        </dd>
      </div>
      {revenue !== undefined && (
        <Figure text="figureRevenue" href={linkTo("reports", "revenue")}>
          {formatMoney(revenue)}
        </Figure>
      )}
    </dl>
  );
}

interface FigureProps {
  readonly text: TextKey;
  readonly href: string;
  readonly children: ComponentChildren;
}

function Figure({ text, href, children }: FigureProps) {
  return (
    <div>
      <dt>{t(text)}</dt>
      <dd>
        <a class="plain-link" href={href}>
          {children}
        </a>
      </dd>
    </div>
  );
}

interface MovementListProps {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  readonly none: string;
  readonly movements: DayMovements;
  readonly action: "deliver" | "collect";
}

function MovementList({ id, title, href, none, movements, action }: MovementListProps) {
  const { open, done } = movements;
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>
        <a class="plain-link" href={href}>
          {title}
        </a>
      </h2>
      {open.length === 0 && <p class="calm">{none}</p>}
      <ul class="plain goings">
        {open.map((movement) => (
          <MovementRow key={movement.reservation.id} movement={movement} action={action} />
        ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{t("doneToday", { n: done.length })}</summary>
          <ul class="plain goings">
            {done.map((movement) => (
              <MovementRow key={movement.reservation.id} movement={movement} action={action} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const READY = { deliver: "confirmed", collect: "in_progress" } as const;

interface MovementRowProps {
  readonly movement: DayMovement;
  readonly action: "deliver" | "collect";
}

function MovementRow({ movement: { reservation, time, place, isDone }, action }: MovementRowProps) {
  const { id, customer_fullname: name, customer_phone: phone, kind } = reservation;
  const isRental = kind === "rental";
  const translatePoint = useTransferPointNames(!isRental);
  const isReady = isRental && reservation.status === READY[action];
  const isLate = getDisplayState(reservation) === "overdue";
  const content = isRental ? describeVehiclesAndExtras(reservation, getCategoryName) : t("kindTransfer");
  return (
    <li>
      <time class={isLate ? "late-time" : ""}>{time}</time>
      <div>
        <a class="strong" href={linkTo("reservations", id)}>
          {name}
        </a>
        {phone && (
          <a class="phone" href={toPhoneLink(phone)}>
            {phone}
          </a>
        )}
        <span class="soft">{[content, isRental ? place : translatePoint(place)].filter(Boolean).join(" · ")}</span>
        {!isDone && <Due of={reservation} isPickup={action === "deliver"} />}
      </div>
      {isReady && hasUserRight("hand_over") ? (
        <a
          class="button small"
          href={linkTo("reservations", id, action)}
          aria-label={`${t(`do.${action}`)}: ${name}, ${time}`}
        >
          {t(`short.${action}`)}
        </a>
      ) : (
        <ReservationStateBadge of={reservation} />
      )}
    </li>
  );
}

interface DueProps {
  readonly of: ReservationListItem;
  readonly isPickup: boolean;
}

// Money to collect at the desk. A deposit is due at the pickup only.
function Due({ of: { total_pending: pending, total_deposit: deposit, deposit_held: held }, isPickup }: DueProps) {
  const isDepositDue = isPickup && Number(held) < Number(deposit);
  return (
    <span class="owes">
      {[
        !isZeroAmount(pending) && t("owes", { amount: formatMoney(pending) }),
        isDepositDue && t("owesDeposit", { amount: formatMoney(deposit) }),
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}
