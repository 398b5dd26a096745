import { useEffect, useRef, useState } from "preact/hooks";
import { isolateRightToLeft } from "#shared/locale.ts";
import { getCompanyDateTime, hasUserRight } from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import type { ReservationAction } from "../../desk/action-forms.ts";
import { getActionRight } from "../../desk/action-rights.ts";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import type { AllowedActionName, Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { PagePlaceholder, StaleDataNotice, useResource } from "../../desk/use-resource.tsx";
import { linkToList, linkToWithQuery, replaceRoute } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import { ReservationAgent } from "./agent.tsx";
import { listAuthorisedHolds } from "./card-amounts.ts";
import { ReservationCorrespondence } from "./correspondence.tsx";
import { ReservationDocuments } from "./documents.tsx";
import { ReservationDrivers } from "./drivers.tsx";
import { ReportedDamages } from "./found-damages.tsx";
import { ReservationMessages } from "./messages.tsx";
import { ReservationMoney } from "./money.tsx";
import { ReservationPrice } from "./money-sums.tsx";
import { NotesAndTasks } from "./notes.tsx";
import { HandOverAndReturnPhotos } from "./photos.tsx";
import { PickupAndReturn, ReservationCustomerPanel, ReservedVehicles } from "./reservation-facts.tsx";
import { ReservationHistory } from "./reservation-history.tsx";

/** Loaded on demand, because most companies don't report to authorities. */
const Authorities = createLazyPart(() => import("./authorities.tsx"));
const loadActionSheet = () => import("../../desk/action-sheet.tsx");
const loadGuided = () => import("./guided.tsx");
const ActionSheet = createLazyPart(async () => ({ default: (await loadActionSheet()).BookingActionSheet }));
const Guided = createLazyPart(loadGuided);
const Discount = createLazyPart(() => import("./discount.tsx"));
const Billing = createLazyPart(() => import("./billing.tsx"));

// Frequent actions first, actions that end a contract last.
const ORDER: readonly ReservationAction[] = [
  "confirm",
  "deliver",
  "collect",
  "refund",
  "assign",
  "change",
  "extend",
  "early-return",
  "exchange",
  "surcharge",
  "reopen",
  "no-show",
  "cancel",
];

const ENDS: ReadonlySet<ReservationAction> = new Set(["no-show", "cancel"]);

const PROBLEMS: Readonly<Record<number, TextKey>> = {
  400: "noSuchReservation",
  404: "noSuchReservation",
};

interface PageProps {
  readonly id: string;
  /** Action that is open initially, or `money` for a payment at the desk. */
  readonly action: string | undefined;
}

/** Reservation page with status, customer, dates, payments, documents, history and actions. */
export function ReservationPage({ id, action }: PageProps) {
  const path = `/reservations/${encodeURIComponent(id)}`;
  const { whole, setWhole, problem, read, retry } = useResource<ReservationDetail>(toOfficePath(path), {
    problems: PROBLEMS,
  });
  const [open, setOpen] = useState<ReservationAction>();
  const [notice, setNotice] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  const isThere = whole !== undefined;
  // The forms of the actions load behind the page, so that the first one opens at once.
  useEffect(() => {
    if (isThere) Promise.all([loadActionSheet(), loadGuided()]).catch(() => undefined);
  }, [isThere]);
  useEffect(() => {
    if (whole && action && listActions(whole.reservation).includes(action as ReservationAction))
      setOpen(action as ReservationAction);
  }, [isThere, action]);
  if (!whole)
    return (
      <PagePlaceholder
        title={t("reservationNo", { id })}
        problem={problem}
        onRetry={retry}
        list={linkToList("reservations")}
        listName={t("reservations")}
      />
    );
  const { reservation: currentReservation, documents, history } = whole;
  const leave = () => {
    setOpen(undefined);
    if (action) replaceRoute("reservations", id);
  };
  // Another user may have changed the reservation or its payments since the page was loaded.
  const openAction = (chosen: ReservationAction) => {
    setOpen(chosen);
    void read();
  };
  const showSuccess = (words: string) => {
    setNotice(words);
    status.current?.focus();
    return read();
  };
  const applyResult = (after: Partial<ReservationDetail>, words: string) => {
    leave();
    const hasHolds = open === "collect" && listAuthorisedHolds(whole.holds).length > 0;
    setNotice(hasHolds ? t("returnedWithHold") : words);
    // An action returns the full reservation. Resulting documents and history are reloaded.
    if (after.reservation) setWhole(after as ReservationDetail);
    void read();
    status.current?.focus();
  };
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkToList("reservations")}>{t("reservations")}</a>
      </p>
      <div class="title">
        <h1>
          {t("reservationNo", { id: currentReservation.id })} ·{" "}
          {isolateRightToLeft(currentReservation.customer_fullname)}
        </h1>
        <ReservationStateBadge of={currentReservation} />
        {currentReservation.reopened && (
          <span class="state" data-state="pending_confirmation">
            {t("openAgain")}
          </span>
        )}
        <span class="soft">
          {[
            currentReservation.agency_name,
            currentReservation.agency_reservation_id,
            currentReservation.sales_channel_name,
            currentReservation.billing_customer_name && t("paidBy", { name: currentReservation.billing_customer_name }),
            t(currentReservation.kind === "rental" ? "kindRental" : "kindTransfer"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <StaleDataNotice problem={problem} onRetry={retry} />
      <Warnings of={whole} />
      <Moves of={currentReservation} onOpen={openAction} />
      <PickupAndReturn of={currentReservation} />
      <div class="columns">
        <div class="column">
          <ReservationPrice of={currentReservation}>
            <Discount
              of={currentReservation}
              onDone={(after, words) => {
                if (after.reservation) setWhole(after as ReservationDetail);
                void showSuccess(words);
              }}
            />
          </ReservationPrice>
          <ReservationMoney
            of={whole}
            isTaking={action === "money"}
            onOpen={read}
            onDone={showSuccess}
            onLeave={leave}
          />
          <ReservationDocuments of={currentReservation} documents={documents} onDone={showSuccess} />
          <NotesAndTasks
            notes={whole.notes}
            tasks={whole.tasks}
            path={path}
            name={t("reservationNo", { id: currentReservation.id })}
            onDone={showSuccess}
          />
          <ReservationMessages of={whole} onDone={showSuccess} />
          <ReservationCorrespondence id={currentReservation.id} version={currentReservation.version} />
          <ReportedDamages of={whole} onDone={showSuccess} />
          <HandOverAndReturnPhotos id={currentReservation.id} />
          <ReservationHistory entries={history} documents={documents} />
        </div>
        <div class="column narrow">
          <ReservationCustomerPanel of={currentReservation} terms={whole.accepted_terms} />
          <ReservedVehicles of={currentReservation} />
          <ReservationDrivers of={whole} until={currentReservation.date_to} />
          <Billing of={currentReservation} onDone={showSuccess} />
          <Authorities of={currentReservation} onDone={showSuccess} />
          <ReservationAgent of={currentReservation} onDone={showSuccess} />
        </div>
      </div>
      {open && isGuided(currentReservation, open) && (
        <Guided
          of={whole}
          action={open}
          onChanged={(after) => {
            if (after.reservation) setWhole(after as ReservationDetail);
            void read();
          }}
          onNotice={showSuccess}
          onRefund={() => openAction("refund")}
          onClose={(isOld) => {
            leave();
            if (isOld) void read();
          }}
        />
      )}
      {open && !isGuided(currentReservation, open) && (
        <ActionSheet
          key={open}
          of={currentReservation}
          action={open}
          onDone={applyResult}
          onClose={(isOld) => {
            leave();
            if (isOld) void read();
          }}
        />
      )}
    </main>
  );
}

// Whether an action opens the guided form. Not for transfers, which have no vehicle to hand over.
const isGuided = ({ kind }: Reservation, action: ReservationAction): action is "deliver" | "collect" =>
  kind === "rental" && (action === "deliver" || action === "collect");

// Statuses in which warnings are shown, before the keys are handed over.
const BEFORE_PICKUP: ReadonlySet<string> = new Set(["pending_confirmation", "confirmed"]);

/** Reasons to stop before the hand-over: a marked customer, and what is missing. */
function Warnings({ of: { reservation, do_not_rent: mark, missing } }: { readonly of: ReservationDetail }) {
  if (!BEFORE_PICKUP.has(reservation.status)) return null;
  return (
    <>
      {mark && <p class="notice refused">{t("markedCustomer", { reason: mark.reason })}</p>}
      {missing.length > 0 && reservation.date_from <= getCompanyDateTime().date && (
        <p class="notice waiting">
          {t("missingBefore", { checks: missing.map((check) => t(`handover.${check}`)).join(", ") })}
        </p>
      )}
    </>
  );
}

/**
 * Lists the actions possible now and permitted to the user. A refund comes first if owed, otherwise just before the
 * actions that end a contract.
 */
function listActions(currentReservation: Reservation): readonly ReservationAction[] {
  const isPaid = Number(currentReservation.total_paid) > 0;
  const possible = new Set<ReservationAction>([
    ...currentReservation.allowed,
    ...(isPaid ? (["refund"] as const) : []),
  ]);
  const actions = listOrderedActions(currentReservation).filter(
    (action) => possible.has(action) && hasUserRight(getActionRight(action)),
  );
  // Before the pickup day, preparation comes first, unless vehicles are already assigned.
  const later: readonly ReservationAction[] = [
    ...(isAssigned(currentReservation) ? (["assign"] as const) : []),
    ...(currentReservation.date_from > getCompanyDateTime().date ? (["deliver"] as const) : []),
  ];
  const sooner = actions.filter((action) => !later.includes(action));
  const ends = sooner.filter((action) => ENDS.has(action));
  return [
    ...sooner.filter((action) => !ENDS.has(action)),
    ...later.filter((action) => actions.includes(action)),
    ...ends,
  ];
}

const isAssigned = ({ units }: Reservation) => units.every(({ reference }) => reference !== null);

function listOrderedActions({ to_refund: owed }: Reservation): readonly ReservationAction[] {
  if (Number(owed) > 0) return ORDER;
  const others: readonly ReservationAction[] = ORDER.filter((action) => action !== "refund");
  return others.toSpliced(others.indexOf("no-show"), 0, "refund");
}

/** Returns the style of an action's button. The first is the main one, unless it's only an option after the end. */
export function getActionStyle(action: ReservationAction, index: number): "danger" | "main" | "" {
  if (ENDS.has(action)) return "danger";
  return index === 0 && action !== "surcharge" ? "main" : "";
}

function Moves({ of, onOpen }: { readonly of: Reservation; readonly onOpen: (action: ReservationAction) => void }) {
  const actions = listActions(of);
  const withheld = of.allowed.filter((actionName: AllowedActionName) => !actions.includes(actionName));
  return (
    <div class="buttons">
      {actions.map((action, index) => (
        <button key={action} type="button" class={getActionStyle(action, index)} onClick={() => onOpen(action)}>
          {t(action === "assign" && isAssigned(of) ? "do.reassign" : `do.${action}`)}
        </button>
      ))}
      {actions.length === 0 && withheld.length === 0 && <p class="soft">{t("noActions")}</p>}
      {withheld.length > 0 && (
        <p class="soft">{t("withheld", { actions: withheld.map((actionName) => t(`do.${actionName}`)).join(", ") })}</p>
      )}
      {of.kind === "rental" && (
        <a
          class="button quiet"
          href={linkToWithQuery({ from: of.date_from, storage: of.rental_storage_id }, "planning")}
        >
          {t("seeInPlanning")}
        </a>
      )}
    </div>
  );
}
