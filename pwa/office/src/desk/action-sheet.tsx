import { useEffect, useState } from "preact/hooks";
import type { ActionQuoteRequest } from "#worker/api/office/hand-over-messages.ts";
import { account, formatMoney, formatSignedMoney, isZeroAmount } from "../account.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { readFormDraft, saveFormDraft } from "../pages/form-drafts.ts";
import { type TextKey, t } from "../texts.ts";
import { ActionFieldInput } from "./action-field.tsx";
import {
  buildActionBody,
  buildQuoteBody,
  canQuoteAction,
  getInitialActionValues,
  hasValuesForQuote,
  listActionFields,
  listMissingActionFields,
  type ReservationAction,
  type ReservationActionRequest,
} from "./action-forms.ts";
import { toActionQuote } from "./action-quote.ts";
import type { ActionFormValues, ActionField as Field } from "./form-field.ts";
import type { ActionQuote } from "./quote.ts";
import { ActionQuoteView } from "./quote-view.tsx";
import { type RefusalTexts, toFormRefusal, translateReason } from "./refusals.ts";
import type { Reservation, ReservationDetail } from "./reservation.ts";
import { ReservationConflict } from "./reservation-conflict.tsx";
import { Sheet } from "./sheet.tsx";
import { useSubmitOnce } from "./submit-once.ts";
import { getTransferValuesToReset, isFieldVisible, listMissingAddresses } from "./transfer-form.ts";
import { useFocusAfterError } from "./use-error-focus.ts";
import { useReservationVersions } from "./use-newest-reservation.ts";
import { useOptions } from "./use-options.ts";
import { useVehicleDetail, type Vehicle } from "./use-vehicle-detail.ts";
import { useVehiclesToAssign } from "./vehicle-choice.ts";

const WAIT_MILLISECONDS = 250;
const GROUPS = ["when", "outward", "return", "what", "who", "rest"] as const;
const TITLES: Readonly<Record<(typeof GROUPS)[number], TextKey>> = {
  when: "groupWhen",
  outward: "groupOutward",
  return: "groupReturn",
  what: "groupWhat",
  who: "customer",
  rest: "groupRest",
};

interface ActionSheetProps {
  readonly of: Reservation;
  readonly action: ReservationAction;
  /** Called with the updated reservation and a success text. */
  readonly onDone: (done: Partial<ReservationDetail>, notice: string) => void;
  /** `isOutdated`: whether the reservation has changed since it was opened. */
  readonly onClose: (isOutdated: boolean) => void;
}

const NOTHING_WRONG: RefusalTexts = { fields: {}, notice: "" };

/** Form of a booking action. Shows the quote before submitting, and conflicting changes of other users. */
export function BookingActionSheet({ of, action, onDone, onClose }: ActionSheetProps) {
  const list = `move-${action}`;
  const { seen, now, setNewer } = useReservationVersions(of);
  const [typed, setTyped] = useState<ActionFormValues>(() => readFormDraft(list, String(seen.id)));
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const title = `${t(`do.${action}`)} · ${t("reservationNo", { id: seen.id })}`;
  const toSuccessText = ({ status }: OfficeResponse) => t(status === 202 ? "refundWaits" : `did.${action}`);
  const { isBusy, send } = useSubmitOnce<ReservationDetail>({
    draft: [list, String(seen.id)],
    title,
    formatNotice: toSuccessText,
    take: (answer) => {
      if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
      if (answer.body.code === "changed_meanwhile" && answer.body.reservation) return setNewer(answer.body.reservation);
      if (answer.status >= 300) {
        const names = listActionFields(action, now).map(({ name }) => name);
        return setWrong(toFormRefusal(answer, names));
      }
      onDone(answer.body, toSuccessText(answer));
    },
  });
  const form = useFocusAfterError(wrong, isBusy);
  const points = useOptions("transfer-points", action === "change" && now.transfer !== null);
  const initialValues = getInitialActionValues(action, now);
  const values: ActionFormValues = { ...initialValues, ...typed };
  const { quote, isReading, again } = useQuote(action, now, values);
  useEffect(() => {
    if (isNotForIt(quote)) void readNewer(now).then((read) => read && setNewer(read));
  }, [quote]);
  const close = () => onClose(now.version !== seen.version);
  const fields = listActionFields(action, now).filter(
    (actionField) => isFieldVisible(actionField, values) && isChoice(actionField, now),
  );
  const vehicles = useVehiclesToAssign(now, {
    isNeeded: fields.some(({ kind }) => kind === "vehicle"),
    isLeavingNow: action === "deliver" || action === "exchange",
  });
  const exchanged = useExchangedVehicles(action, now, values);
  const setValue = (name: string, value: unknown) => {
    const next = { ...typed, [name]: value, ...getTransferValuesToReset(name) };
    saveFormDraft(list, String(seen.id), next);
    setTyped(next);
    setWrong(NOTHING_WRONG);
  };
  const submit = () => {
    const isMoved = (name: string) => String(values[name]) !== String(initialValues[name]);
    const missing = [
      ...listMissingActionFields(action, values),
      ...(now.transfer ? listMissingAddresses(values, points, isMoved) : []),
    ];
    if (missing.length > 0) return setWrong(toMissingFields(missing));
    // The fields are named by the paths of the request, and the server checks their values.
    const body = {
      ...(action !== "refund" && { expected_version: now.version }),
      ...buildActionBody(action, values, now),
    } as ReservationActionRequest;
    return send(body, (key) => request(action, seen.id, body, key));
  };
  const isLong = fields.some(({ group }) => group);
  const isRefused = canQuoteAction(action) && quote?.allowed === false;
  const field = (actionField: Field) => (
    <ActionFieldInput
      key={actionField.name}
      field={actionField}
      of={now}
      vehicles={vehicles}
      vehicle={exchanged[actionField.name]}
      value={values[actionField.name]}
      problem={wrong.fields[actionField.name] ?? fieldReason(quote, actionField.name)}
      onChange={(value) => setValue(actionField.name, value)}
    />
  );
  return (
    <Sheet title={title} onClose={close}>
      {now.version !== seen.version && <ReservationConflict originalReservation={seen} now={now} />}
      <p class="lead">{t(`about.${action}`)}</p>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {isLong
          ? GROUPS.filter((group) => fields.some((field) => field.group === group)).map((group) => (
              <fieldset key={group} class="wide group">
                <legend>{t(TITLES[group])}</legend>
                {fields.filter((field) => field.group === group).map(field)}
              </fieldset>
            ))
          : fields.map(field)}
        {canQuoteAction(action) && hasValuesForQuote(action, values) && (
          <ActionQuoteView quote={quote} total={now.total_cost} isReading={isReading} onRetry={again} />
        )}
        <div class="foot">
          <p role="alert">{wrong.notice || (isLong && isRefused && firstReason(quote))}</p>
          <button type="button" onClick={close}>
            {t("leave")}
          </button>
          <button
            type="submit"
            class={action === "cancel" || action === "no-show" ? "danger" : "main"}
            disabled={isBusy || isRefused}
          >
            {submitText(action, quote)}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

// Loads the vehicles of an exchange by the names of their fuel levels.
function useExchangedVehicles(
  action: ReservationAction,
  { units }: Reservation,
  { unit_id: unitId, reference }: ActionFormValues,
): Readonly<Record<string, Vehicle | undefined>> {
  const isOut = ({ delivered, collected }: Reservation["units"][number]) => delivered !== null && collected === null;
  const unit = units.find(({ id }) => id === Number(unitId)) ?? units.find(isOut);
  const isExchange = action === "exchange";
  return {
    fuel_eighths_in: useVehicleDetail((isExchange && unit?.reference) || undefined),
    fuel_eighths_out: useVehicleDetail(isExchange ? String(reference ?? "") : undefined),
  };
}

// Whether the form shows a field. A choice with only one vehicle or branch isn't shown.
function isChoice({ kind }: Field, { units, return_rental_location_code: agreed }: Reservation): boolean {
  if (kind === "branch") return account.value.rental_locations.some(({ code }) => code !== agreed);
  return kind !== "unit" || units.length > 1;
}

// Returns the first reason against the action. A long form repeats it, because the list of reasons may be out of sight.
const firstReason = (quote: ActionQuote | undefined) => quote?.reasons[0] && translateReason(quote.reasons[0]);

// Whether the reservation's status forbids the action. The page may show an older status.
const isNotForIt = (quote: ActionQuote | undefined) =>
  quote?.allowed === false && quote.reasons.some(({ code }) => code === "action_not_allowed");

async function readNewer({ id, version }: Reservation): Promise<Reservation | undefined> {
  const answer = await sendOfficeRequest<ReservationDetail>("GET", toOfficePath(`/reservations/${id}`)).catch(
    () => undefined,
  );
  const newer = answer && getSuccessfulContent(answer)?.reservation;
  return newer && newer.version > version ? newer : undefined;
}

function toMissingFields(missing: readonly string[]): RefusalTexts {
  return { fields: Object.fromEntries(missing.map((name) => [name, t("problem.missing")])), notice: t("fixFields") };
}

// Returns the button text, including the price.
function submitText(action: ReservationAction, quote: ActionQuote | undefined): string {
  const actionLabel = t(`do.${action}`);
  if (!quote?.allowed) return actionLabel;
  if (!isZeroAmount(quote.fee)) return `${actionLabel} · ${formatMoney(quote.fee)}`;
  return isZeroAmount(quote.difference) ? actionLabel : `${actionLabel} · ${formatSignedMoney(quote.difference)}`;
}

function fieldReason(quote: ActionQuote | undefined, name: string): string | undefined {
  const reason = quote?.reasons.find(({ field }) => field === name);
  return reason && t("seeBelow");
}

function request(
  action: ReservationAction,
  id: number,
  body: ReservationActionRequest,
  key: string,
): Promise<OfficeResponse<ReservationDetail>> {
  if (action === "change")
    return sendOfficeRequest<ReservationDetail, ReservationActionRequest>(
      "PATCH",
      toOfficePath(`/reservations/${id}`),
      {
        body,
        key,
      },
    );
  return sendOfficeRequest<ReservationDetail, ReservationActionRequest>(
    "POST",
    toOfficePath(`/reservations/${id}/${action}`),
    {
      body,
      key,
    },
  );
}

// Loads the quote when relevant values change. Only the latest response counts.
function useQuote(action: ReservationAction, reservation: Reservation, values: ActionFormValues) {
  const [state, setState] = useState<{ readonly quote?: ActionQuote; readonly isReading: boolean }>({
    isReading: true,
  });
  const [attempt, setAttempt] = useState(0);
  const quoteRequest =
    canQuoteAction(action) && hasValuesForQuote(action, values)
      ? JSON.stringify(buildQuoteBody(action, values, reservation))
      : "";
  useEffect(() => {
    if (quoteRequest === "" || !canQuoteAction(action)) return setState({ isReading: false });
    let isOver = false;
    setState((before) => ({ ...before, isReading: true }));
    const timer = setTimeout(() => {
      sendOfficeRequest<ActionQuote, ActionQuoteRequest>(
        "POST",
        toOfficePath(`/reservations/${reservation.id}/quote`),
        {
          body: JSON.parse(quoteRequest),
        },
      ).then(
        (answer) => {
          if (!isOver) setState({ quote: toActionQuote(action, answer), isReading: false });
        },
        () => {
          if (!isOver) setState({ isReading: false });
        },
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [quoteRequest, reservation.version, attempt]);
  return { ...state, again: () => setAttempt(attempt + 1) };
}
