import { ConflictNotice } from "#office/desk/conflict-notice.tsx";
import { ConflictTable } from "#office/desk/conflict-table.tsx";
import { LoadErrorMessage, PanelLoadError } from "#office/desk/load-error.tsx";
import { MoneyPreview } from "#office/desk/money-preview.tsx";
import { NotAllowed } from "#office/desk/not-allowed.tsx";
import { listCaptureLines } from "#office/desk/preview-lines.ts";
import { ActionQuoteView, RefusalsAndWarnings } from "#office/desk/quote-view.tsx";
import { formatMissingRight } from "#office/desk/refusals.ts";
import { ReservationConflict } from "#office/desk/reservation-conflict.tsx";
import { Skeleton } from "#office/desk/skeleton.tsx";
import { ChoicesLoadError, useLoadedChoices } from "#office/desk/use-choices.tsx";
import { PagePlaceholder, StaleDataNotice } from "#office/desk/use-resource.tsx";
import { t } from "#office/texts.ts";
import { loadLazily } from "#shared/lazy.tsx";
import { PENDING_PATH } from "../answers.ts";
import { LONG_NAME, sampleQuote, sampleReservation } from "../content.ts";
import { ignoreEvent, type Specimen } from "../specimen.ts";

const NOTICES = ["done", "waiting", "refused"] as const;

const NotLoaded = ({ onRetry }: { readonly onRetry: () => void }) => (
  <LoadErrorMessage problem={t("notLoaded")} onRetry={onRetry} />
);
const Waiting = loadLazily<object>(() => new Promise(() => undefined), <p class="status">…</p>, NotLoaded);
const Missing = loadLazily<object>(() => Promise.reject(new Error("no network")), null, NotLoaded);

// Shows the error for choices that couldn't be loaded, by loading choices with a request that always fails.
function Unreadable() {
  useLoadedChoices("design", () => Promise.reject(new Error("no network")));
  return <ChoicesLoadError />;
}

const unread = (problem: string) => (
  <PagePlaceholder
    title={t("customer")}
    problem={problem}
    onRetry={ignoreEvent}
    list="#customers"
    listName={t("customers")}
  />
);

const price = (changes: Partial<Parameters<typeof ActionQuoteView>[0]>) => (
  <ActionQuoteView quote={sampleQuote} total="210.00" isReading={false} {...changes} />
);

/** Notices, errors, empty states and what is shown while loading. */
export const NOTICES_AND_ERRORS: readonly Specimen[] = [
  {
    name: "notice",
    states: {
      normal: () =>
        NOTICES.map((kind) => (
          <p key={kind} class={`notice ${kind}`}>
            {t("saved")}
          </p>
        )),
      long: () => <p class="notice waiting">{LONG_NAME}</p>,
      empty: () => <p class="calm">{t("nothingWaits")}</p>,
    },
  },
  { name: "Skeleton", states: { normal: () => <Skeleton />, long: () => <Skeleton rows={20} /> } },
  { name: "toast", states: { normal: () => <p class="toast standing">{t("did.change")}</p> } },
  {
    name: "LoadErrorMessage",
    states: {
      error: () => <LoadErrorMessage problem={t("notLoaded")} onRetry={ignoreEvent} />,
      disabled: () => <LoadErrorMessage problem={formatMissingRight("manage")} onRetry={undefined} />,
    },
  },
  {
    name: "PanelLoadError",
    states: { error: () => <PanelLoadError title={t("in.notes")} problem={t("failed")} onRetry={ignoreEvent} /> },
  },
  { name: "PagePlaceholder", states: { busy: () => unread(""), error: () => unread(t("failed")) } },
  { name: "StaleDataNotice", states: { error: () => <StaleDataNotice problem={t("failed")} onRetry={ignoreEvent} /> } },
  { name: "ChoicesLoadError", states: { error: () => <Unreadable /> } },
  { name: "NotAllowed", states: { normal: () => <NotAllowed title={t("customers")} right="manage" /> } },
  { name: "loadLazily", states: { busy: () => <Waiting />, error: () => <Missing /> } },
  {
    name: "RefusalsAndWarnings",
    states: {
      error: () => (
        <RefusalsAndWarnings
          reasons={[{ code: "sold_out", params: { resource: "category", code: "ECON" } }]}
          warnings={[]}
        />
      ),
      normal: () => <RefusalsAndWarnings reasons={[]} warnings={[{ code: "above_cost" }]} />,
    },
  },
  {
    name: "ActionQuoteView",
    states: {
      normal: () => price({}),
      busy: () => price({ quote: undefined, isReading: true }),
      error: () => price({ quote: undefined, onRetry: ignoreEvent }),
    },
  },
  {
    name: "MoneyPreview",
    states: {
      normal: () => (
        <MoneyPreview
          path="/holds/1/capture/quote"
          amount="50.00"
          toLines={listCaptureLines}
          explain={() => <p class="notice waiting">{t("captureUncharged", { amount: "50.00" })}</p>}
        />
      ),
      busy: () => <MoneyPreview path={PENDING_PATH} amount="50.00" toLines={listCaptureLines} />,
      error: () => <MoneyPreview path="/documents/1/charges/quote" amount="50.00" toLines={listCaptureLines} />,
    },
  },
  {
    name: "ConflictTable",
    states: {
      changed: () => (
        <ConflictTable
          message={t("changedBeside")}
          differences={[{ name: "notes", label: t("in.notes"), seen: "…", now: LONG_NAME }]}
          noDifferencesText={t("changedElsewhere")}
        />
      ),
      empty: () => (
        <ConflictTable message={t("changedBeside")} differences={[]} noDifferencesText={t("changedElsewhere")} />
      ),
    },
  },
  {
    name: "ConflictNotice",
    states: {
      changed: () => (
        <ConflictNotice
          originalValues={{ amount: "10.00" }}
          now={{ amount: "12.00" }}
          fields={[{ name: "amount", kind: "money", label: "total" }]}
        />
      ),
    },
  },
  {
    name: "ReservationConflict",
    states: {
      changed: () => (
        <ReservationConflict
          originalReservation={sampleReservation}
          now={{ ...sampleReservation, customer_fullname: LONG_NAME }}
        />
      ),
    },
  },
];
