import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { toPhoneLink } from "#shared/links.ts";
import type { ReportMessage } from "#worker/api/office/report-messages.ts";
import { formatMoney, getCategoryName, getCompanyDateTime, hasUserRight, isZeroAmount } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { BRANCH_PARAMETER, chosenBranchCode } from "../../desk/chosen-branch.ts";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { readAllPages } from "../../desk/read-all-pages.ts";
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
  listMissingDriverChecks,
  toDayPickups,
  toDayReturns,
  toFreeCategories,
} from "./movements.ts";

const NoShowButton = createLazyPart(() => import("./no-show-button.tsx"));

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
          title={t("leaving", { n: countMovements(day.pickups) })}
          href={linkToWithQuery(PICKUPS, "reservations")}
          none={t("nothingLeaves")}
          movements={day.pickups}
          action="deliver"
          onChange={read}
        />
        <MovementList
          id="returning"
          title={t("returning", { n: countMovements(day.returns) })}
          href={linkToWithQuery(RETURNS, "reservations")}
          none={t("nothingReturns")}
          movements={day.returns}
          action="collect"
          onChange={read}
        />
      </div>
    </>
  );
}

// Each figure counts the list it links to.
const PICKUPS = { view: "pickups_today", sort: "date_from" };
const RETURNS = { view: "returns_today", sort: "date_to" };
const ON_RENT = { view: "out", sort: "date_to" };

const countMovements = ({ open, done }: DayMovements) => open.length + done.length;

const toRevenueQuery = (today: string, branch: string) => ({
  ...{ from: today, to: today, by: "day" },
  ...(branch && { group: "branch" }),
});

async function readDay(today: string, branch: string): Promise<Day | undefined> {
  const branchFilter = branch ? { [BRANCH_PARAMETER]: branch } : {};
  const toListPath = (filters: Readonly<Record<string, string>>) =>
    `/reservations?${new URLSearchParams({ ...filters, ...branchFilter })}`;
  const [pickups, returns, out, planned, earned] = await Promise.all([
    readAllPages<ReservationList>(`${toListPath(PICKUPS)}&`),
    readAllPages<ReservationList>(`${toListPath(RETURNS)}&`),
    sendOfficeRequest<ReservationList>("GET", toOfficePath(toListPath({ ...ON_RENT, page_size: "1" }))),
    sendOfficeRequest<Planning>(
      "GET",
      toOfficePath(`/planning?${new URLSearchParams({ date_from: today, days: "1", ...branchFilter })}`),
    ),
    sendOfficeRequest<ReportMessage>(
      "GET",
      toOfficePath(`/reports/revenue?${new URLSearchParams(toRevenueQuery(today, branch))}`),
    ),
  ]);
  const planning = getSuccessfulContent(planned);
  if (!planning) return undefined;
  const report = getSuccessfulContent(earned);
  return {
    pickups: toDayPickups(pickups.rows),
    returns: toDayReturns(returns.rows),
    onRent: getSuccessfulContent(out)?.total ?? 0,
    free: toFreeCategories(planning.sold),
    revenue: report && getBranchRevenue(report, branch),
  };
}

function getBranchRevenue({ data, totals }: Immutable<ReportMessage>, branch: string): string {
  const figures = branch ? data.find(({ group }) => group === branch)?.figures : totals;
  return String(figures?.["gross"] ?? "0");
}

function Figures({ day: { pickups, returns, onRent, free, revenue } }: { readonly day: Day }) {
  const today = getCompanyDateTime().date;
  const allFree = free.reduce((sum, { free }) => sum + Math.max(0, free), 0);
  return (
    <dl class="headlines figures">
      <Figure text="figureOut" href={linkToWithQuery(PICKUPS, "reservations")}>
        {pickups.done.length} / {countMovements(pickups)}
      </Figure>
      <Figure text="figureIn" href={linkToWithQuery(RETURNS, "reservations")}>
        {returns.done.length} / {countMovements(returns)}
      </Figure>
      <Figure text="figureOnRent" href={linkToWithQuery(ON_RENT, "reservations")}>
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
        <Figure
          text="figureRevenue"
          href={linkToWithQuery(toRevenueQuery(today, chosenBranchCode.value), "reports", "revenue")}
        >
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
  /** Called after a report about a movement. */
  readonly onChange: () => void;
}

function MovementList({ id, title, href, none, movements, action, onChange }: MovementListProps) {
  const { open, done } = movements;
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>
        <a class="plain-link" href={href}>
          {title}
        </a>
      </h2>
      {countMovements(movements) === 0 && <p class="calm">{none}</p>}
      <ul class="plain goings">
        {open.map((movement) => (
          <MovementRow key={movement.reservation.id} movement={movement} action={action} onChange={onChange} />
        ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{t("doneToday", { n: done.length })}</summary>
          <ul class="plain goings">
            {done.map((movement) => (
              <MovementRow key={movement.reservation.id} movement={movement} action={action} onChange={onChange} />
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
  /** Called after a report about a movement. */
  readonly onChange: () => void;
}

function MovementRow({ movement, action, onChange }: MovementRowProps) {
  const { reservation, time, place, flight, isDone } = movement;
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
        <span class="soft">
          {[content, isRental ? place : translatePoint(place), flight && t("flightIs", { flight })]
            .filter(Boolean)
            .join(" · ")}
        </span>
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
        <span>
          <ReservationStateBadge of={reservation} />
          {canReportNoShow(movement) && hasUserRight("hand_over") && (
            <NoShowButton of={reservation} position={action === "deliver" ? "outward" : "return"} onDone={onChange} />
          )}
        </span>
      )}
    </li>
  );
}

const canReportNoShow = ({ reservation: { kind, status }, isDone, time }: DayMovement) =>
  kind === "transfer" && status === "confirmed" && !isDone && time <= getCompanyDateTime().time;

interface DueProps {
  readonly of: ReservationListItem;
  readonly isPickup: boolean;
}

// Money to collect at the desk. The deposit and the driver's checks are due at the pickup only.
function Due({ of, isPickup }: DueProps) {
  const { total_pending: pending, total_deposit: deposit, deposit_held: held } = of;
  const isDepositDue = isPickup && Number(held) < Number(deposit);
  const checks = isPickup ? listMissingDriverChecks(of) : [];
  return (
    <span class="owes">
      {[
        !isZeroAmount(pending) && t("owes", { amount: formatMoney(pending) }),
        isDepositDue && t("owesDeposit", { amount: formatMoney(deposit) }),
        checks.length > 0 && t("checksMissing", { what: checks.map((check) => t(`handover.${check}`)).join(", ") }),
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}
