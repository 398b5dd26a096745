import { useEffect, useState } from "preact/hooks";
import { getVehiclePartCentre } from "#domain/check-in/vehicle-outline.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { ActionQuoteRequest, VehicleReturnRequest } from "#worker/api/office/hand-over-messages.ts";
import type { EarlyReturnRequest } from "#worker/api/office/request-messages.ts";
import {
  account,
  formatKilometres,
  formatMoment,
  formatMoney,
  formatSignedMoney,
  getBranchName,
  getCompanyDateTime,
  isZeroAmount,
} from "../../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../../api.ts";
import type { DamageInput } from "../../../desk/action-forms.ts";
import { toActionQuote } from "../../../desk/action-quote.ts";
import { formatVehicleFuelLevel, getFuelLabel, isElectric, listFuelLevels } from "../../../desk/fuel-levels.ts";
import type { ActionQuote } from "../../../desk/quote.ts";
import { splitReasonsByField, toRefusalTexts, translateReason } from "../../../desk/refusals.ts";
import type { Reservation, ReservationDetail } from "../../../desk/reservation.ts";
import { ReservationConflict } from "../../../desk/reservation-conflict.tsx";
import { sumAmounts } from "../../../desk/sum-amounts.ts";
import { useVehicleDetail, type Vehicle } from "../../../desk/use-vehicle-detail.ts";
import { t } from "../../../texts.ts";
import { listAuthorisedHolds } from "../card-amounts.ts";
import { AmountList, GuidedField, GuidedStepButtons, MoneyFields, StepList } from "./guided-form-parts.tsx";
import { KnownDamage } from "./known-damage.tsx";
import { PricedDamages } from "./priced-damages.tsx";
import {
  buildCharges,
  buildSurcharges,
  CARD_HOLD,
  findMoneyProblems,
  getAddedCost,
  getDepositMethod,
  type MoneyKind,
  type PricedDamage,
  proposeCaptureAfterReturn,
  proposeReturnMoney,
  type ReturnPaymentSource,
  toCents,
  toEarlyReturnTime,
  translateMoneyProblems,
} from "./proposals.ts";
import { ReadAndSign } from "./read-and-sign.tsx";
import { type SignatureWithText, sendSignature } from "./send-signature.ts";
import { translateGuided as g } from "./texts.ts";
import {
  type GuidedFormProps,
  type GuidedState,
  NO_REFUSAL_TEXTS,
  useGuidedAction,
  useGuidedStep,
} from "./use-guided-action.ts";

const STEPS = ["readings", "damage", "settlement"] as const;

const PAYERS = ["customer", "deposit", CARD_HOLD] as const satisfies readonly ReturnPaymentSource[];

const WAIT_MILLISECONDS = 250;

type ReturnCharges = NonNullable<ActionQuote["return_charges"]>;

/** Guided return: readings, damage with prices and settlement, with everything it charges before it is done. */
export function GuidedReturn({ of: detail, title, onChanged, onDone, onClose }: GuidedFormProps) {
  const guided = useGuidedAction({ list: "guided-collect", title, of: detail.reservation, onDone });
  const { now, seen, typed, wrong, setWrong, setValue, form, isBusy } = guided;
  // Not part of the draft, because it is personal.
  const [signedText, setSigned] = useState<SignatureWithText>();
  const state = useReturn(detail, guided);
  const signed = signedText?.id === state.recordId ? signedText : undefined;
  const { quote, isReading, charges, lines, fieldReasons } = state;
  const signer = detail.drivers[0]?.full_name || now.customer_fullname || "";
  const { step, setStep, openFirstProblem } = useGuidedStep(STEPS, guided, {
    isLoaded: !isReading,
    findProblems: (name) =>
      name === "settlement"
        ? translateMoneyProblems(findMoneyProblems(lines, typed, state.getProposed))
        : findReturnProblems(name, { typed, charges, fieldReasons }),
  });
  const submit = async () => {
    if (openFirstProblem()) return;
    const next = STEPS[STEPS.indexOf(step) + 1];
    if (next) return setStep(next);
    const signature = await sendSignature({
      ...{ now, setWrong, signed: signedText, signer, textId: state.recordId },
      removeSignature: () => setSigned(undefined),
    });
    if (!signature) return;
    const body: Typed<VehicleReturnRequest> = {
      ...{ expected_version: now.version, ...state.body },
      // Send the return time that the signed text contains.
      ...(signed?.contract?.at !== undefined && { at: signed.contract.at }),
      charges: buildCharges(lines, typed, state.getProposed),
      ...signature,
    };
    return guided.send(body, (key) =>
      sendOfficeRequest<ReservationDetail, Typed<VehicleReturnRequest>>(
        "POST",
        toOfficePath(`/reservations/${now.id}/collect`),
        {
          body,
          key,
        },
      ),
    );
  };
  const back = () => {
    setWrong(NO_REFUSAL_TEXTS);
    const before = STEPS[STEPS.indexOf(step) - 1];
    if (before) setStep(before);
    else onClose(now.version !== seen.version);
  };
  const shorten = (after: Partial<ReservationDetail>) => {
    if (after.reservation) guided.continueWith(after.reservation);
    onChanged(after);
  };
  const isLast = step === "settlement";
  return (
    <>
      {now.version !== seen.version && <ReservationConflict originalReservation={seen} now={now} />}
      <StepList
        current={step}
        onGo={setStep}
        steps={STEPS.map((name) => ({ name, title: g(`step.${name}`), isMissing: false }))}
      />
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {step === "readings" && <Readings of={now} formValues={typed} state={state} onChange={setValue} />}
        {step === "readings" && charges && charges.unused_days > 0 && (
          <EarlyReturn
            of={now}
            days={charges.unused_days}
            at={state.body.at}
            isRetained={typed["early"] === "keep"}
            problem={state.problems["early"]}
            onKeep={() => setValue("early", "keep")}
            onShortened={shorten}
          />
        )}
        {step === "damage" && (
          <>
            <KnownDamage of={state.vehicle} />
            <PricedDamages
              damages={state.damages}
              problems={state.problems}
              onChange={(changed) => setValue("damages", changed)}
            />
          </>
        )}
        {isLast && <Settlement formValues={typed} state={state} onChange={setValue} />}
        <Charges of={now} vehicle={state.vehicle} quote={quote} isReading={isReading} />
        {isLast && (
          <ReadAndSign
            id={state.recordId}
            path={toOfficePath(`/reservations/${now.id}/return-record`)}
            body={state.recordBody}
            title={g("readReturn")}
            name={signer}
            isSigned={signed !== undefined}
            onSign={setSigned}
          />
        )}
        <GuidedStepButtons
          notice={wrong.notice}
          isBusy={isBusy}
          isRefused={isLast && (isReading || quote?.allowed !== true)}
          submit={isLast ? getSubmitText(now, charges) : g("next")}
          back={step === "readings" ? t("leave") : g("before")}
          onBack={back}
        />
      </form>
    </>
  );
}

type TypedValues = Readonly<Record<string, unknown>>;

// Names what the return adds to the price, as the buttons of other actions do.
function getSubmitText({ total_cost: before }: Reservation, charges: ReturnCharges | undefined): string {
  const added = getAddedCost(before, charges?.total_cost ?? before);
  return isZeroAmount(added) ? t("do.collect") : `${t("do.collect")} · ${formatSignedMoney(added)}`;
}

// The decision about an early return is also checked at the end, because the quote may arrive after the first step.
function findMissing(formValues: TypedValues, charges: ReturnCharges | undefined): readonly string[] {
  const missing = ["kilometres", "fuel_eighths"].filter((name) => String(formValues[name] ?? "") === "");
  const isEarly = charges !== undefined && charges.unused_days > 0;
  return isEarly && formValues["early"] !== "keep" ? [...missing, "early"] : missing;
}

interface ReturnProblemData {
  readonly typed: TypedValues;
  readonly charges: ReturnCharges | undefined;
  /** Reasons of the quote by field. */
  readonly fieldReasons: Readonly<Record<string, string>>;
}

const isDamageField = (name: string) => /^(damages|surcharges)\b/.test(name);

// Returns the problems of the readings or the damage by field.
function findReturnProblems(
  step: "readings" | "damage",
  { typed, charges, fieldReasons }: ReturnProblemData,
): Readonly<Record<string, string>> {
  const missing = step === "readings" ? findMissing(typed, charges) : [];
  const reasons = Object.entries(fieldReasons).filter(([name]) => isDamageField(name) === (step === "damage"));
  return Object.fromEntries(missing.length > 0 ? missing.map((name) => [name, t("problem.missing")]) : reasons);
}

/** Computes the state of a return from the typed values and its quote. */
function useReturn(detail: ReservationDetail, { now, typed, wrong }: GuidedState) {
  const units = listUnitsOut(now);
  const unitId = Number(typed["unit_id"] ?? units[0]?.id ?? 0);
  const vehicle = useVehicleDetail(units.find(({ id }) => id === unitId)?.reference ?? undefined);
  const damages = (typed["damages"] ?? []) as readonly PricedDamage[];
  const body = buildReturn(typed, unitId, damages);
  const { notes: _, ...recordBody } = body;
  const { quote, isReading } = useReturnQuote(now, body);
  const charges = quote?.return_charges ?? undefined;
  const reasons = quote?.allowed === false ? quote.reasons : [];
  const fieldReasons = splitReasonsByField(reasons).fields;
  const heldOnCard = sumAmounts(listAuthorisedHolds(detail.holds).map(({ amount }) => amount));
  const paidFrom = PAYERS.find((payer) => payer === typed["paid_from"]) ?? "customer";
  const depositMethod = getDepositMethod(detail.charges);
  return {
    ...{ recordBody, recordId: `${JSON.stringify(recordBody)} ${now.version}` },
    ...{ units, unitId, vehicle, damages, body, quote, isReading, charges, fieldReasons, paidFrom, heldOnCard },
    lines: charges?.closes ? proposeReturnMoney(charges, paidFrom, heldOnCard) : [],
    problems: { ...fieldReasons, ...wrong.fields } as Readonly<Record<string, string>>,
    isImprobable: typed["readings_confirmed"] === true || reasons.some(({ code }) => code.startsWith("kilometres_")),
    getProposed: (kind: MoneyKind) => (kind === "payment" ? "" : depositMethod),
  };
}

type ReturnState = ReturnType<typeof useReturn>;

interface ReadingsProps {
  readonly of: Reservation;
  readonly formValues: TypedValues;
  readonly state: ReturnState;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Readings of the vehicle, and where and when it came back. */
function Readings({ of, formValues, state, onChange }: ReadingsProps) {
  const { units, vehicle, problems } = state;
  const branches = account.value.rental_locations;
  const common = (name: string) => ({
    ...{ name, value: formValues[name], problem: problems[name] },
    onChange: (value: unknown) => onChange(name, value),
  });
  return (
    <>
      {units.length > 1 && (
        <GuidedField
          {...common("unit_id")}
          label={t("in.unit_id")}
          kind="choice"
          value={state.unitId}
          choices={units.map(({ id, reference }) => [id, reference ?? t("noVehicle")])}
          onChange={(value) => onChange("unit_id", Number(value))}
        />
      )}
      <GuidedField
        {...common("kilometres")}
        label={t("in.kilometres")}
        kind="whole"
        isRequired
        {...(vehicle && { hint: g("lastReading", { n: formatKilometres(vehicle.usage_units) }) })}
      />
      <GuidedField
        {...common("fuel_eighths")}
        label={getFuelLabel("fuel_eighths", vehicle)}
        kind="choice"
        isRequired
        choices={listFuelLevels(vehicle)}
        none={t("choose")}
      />
      {state.isImprobable && (
        <GuidedField {...common("readings_confirmed")} label={t("in.readings_confirmed")} kind="flag" isWide />
      )}
      <GuidedField {...common("at")} label={g("returnedAt")} kind="moment" value={formValues["at"] ?? momentNow()} />
      {branches.length > 1 && (
        <GuidedField
          {...common("return_rental_location_code")}
          label={t("returnedTo")}
          kind="choice"
          choices={branches.map(({ code, name }) => [code, name])}
          none={t("asAgreed", { what: getBranchName(of.return_rental_location_code) })}
        />
      )}
      <GuidedField {...common("notes")} label={t("in.notes")} kind="long" isWide />
    </>
  );
}

/** Money of the return: the customer's payment, a capture, and the retained and returned parts of the deposit. */
function Settlement({ formValues, state, onChange }: Omit<ReadingsProps, "of">) {
  const { charges, lines, paidFrom, heldOnCard } = state;
  if (!charges) return null;
  const due = toCents(charges.due);
  const sources = { deposit: charges.deposit_held, [CARD_HOLD]: heldOnCard };
  const payers = PAYERS.filter((payer) => payer === "customer" || !isZeroAmount(sources[payer]));
  return (
    <>
      {due > 0 && payers.length > 1 && (
        <GuidedField
          label={g("paidFrom")}
          name="paid_from"
          kind="choice"
          isWide
          value={paidFrom}
          choices={payers.map((payer) => [
            payer,
            payer === "customer"
              ? g("paidFrom.customer")
              : g(`paidFrom.${payer}`, { amount: formatMoney(sources[payer]) }),
          ])}
          onChange={(value) => onChange("paid_from", value)}
        />
      )}
      <MoneyFields
        lines={lines}
        values={formValues}
        problems={state.problems}
        getProposed={state.getProposed}
        onChange={onChange}
      />
      {!isZeroAmount(heldOnCard) && (
        <p class="notice waiting wide">
          {paidFrom === CARD_HOLD && due > 0
            ? g("captureAfter", { amount: formatMoney(proposeCaptureAfterReturn(charges.due, heldOnCard)) })
            : g("holdAfter")}
        </p>
      )}
      {due < 0 && <p class="notice waiting wide">{g("refundAfter", { amount: formatMoney(charges.due.slice(1)) })}</p>}
    </>
  );
}

interface ChargesProps {
  readonly of: Reservation;
  readonly vehicle: Vehicle | undefined;
  readonly quote: ActionQuote | undefined;
  readonly isReading: boolean;
}

function Charges({ of, vehicle, quote, isReading }: ChargesProps) {
  const reasons = quote?.allowed === false ? quote.reasons.filter(({ field }) => !field) : [];
  const charges = quote?.return_charges;
  return (
    <section class="quote" aria-label={g("whatItCharges")} aria-live="polite" aria-busy={isReading}>
      {reasons.map((reason) => (
        <p key={reason.code} class="notice refused">
          {translateReason(reason)}
        </p>
      ))}
      {charges && <ChargesTable of={of} vehicle={vehicle} charges={charges} />}
      {!charges && isReading && <p class="soft">{t("quoting")}</p>}
    </section>
  );
}

// Units on rent, or all if the contract was opened again.
function listUnitsOut({ units }: Reservation): Reservation["units"] {
  const out = units.filter(({ delivered, collected }) => delivered !== null && collected === null);
  return out.length > 0 ? out : units;
}

function momentNow(): string {
  const { date, time } = getCompanyDateTime();
  return `${date}T${time}`;
}

const WHOLE = /^\d+$/;
const toNumber = (value: unknown) => {
  const text = String(value ?? "").trim();
  return WHOLE.test(text) ? Number(text) : text || undefined;
};

// Builds the request body of a return. Omits a return time that the user didn't type, so that the server uses its own.
function buildReturn(
  formValues: Readonly<Record<string, unknown>>,
  unitId: number,
  damages: readonly PricedDamage[],
): Omit<Typed<VehicleReturnRequest>, "expected_version" | "charges"> {
  return {
    unit_id: unitId || undefined,
    kilometres: toNumber(formValues["kilometres"]),
    fuel_eighths: toNumber(formValues["fuel_eighths"]),
    at: String(formValues["at"] ?? "") || undefined,
    return_rental_location_code: String(formValues["return_rental_location_code"] ?? "") || undefined,
    notes: String(formValues["notes"] ?? "").trim() || undefined,
    readings_confirmed: formValues["readings_confirmed"] === true || undefined,
    damages: damages.map(toDamage),
    surcharges: buildSurcharges(damages),
  };
}

function toDamage({
  part,
  kind,
  severity,
  note,
}: PricedDamage): NonNullable<Typed<VehicleReturnRequest>["damages"]>[number] {
  const [x, y] = getVehiclePartCentre(part as DamageInput["part"]);
  return { part, kind, severity, x, y, note: note.trim() || undefined };
}

// Loads the costs of the return when a value changes. Only the latest response counts.
function useReturnQuote({ id, version }: Reservation, body: ReturnType<typeof buildReturn>) {
  const [state, setState] = useState<{ readonly quote?: ActionQuote; readonly isReading: boolean }>({
    isReading: true,
  });
  const request: Typed<ActionQuoteRequest> = { move: "collect", ...body };
  const quoteRequest = JSON.stringify(request);
  useEffect(() => {
    let isOver = false;
    setState((before) => ({ ...before, isReading: true }));
    const take = (quote?: ActionQuote) => {
      if (!isOver) setState(quote ? { quote, isReading: false } : { isReading: false });
    };
    const timer = setTimeout(() => {
      sendOfficeRequest<ActionQuote, Typed<ActionQuoteRequest>>("POST", toOfficePath(`/reservations/${id}/quote`), {
        body: request,
      }).then(
        (answer) => take(toActionQuote("collect", answer)),
        () => take(),
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [quoteRequest, id, version]);
  return state;
}

type ChargesTableProps = Pick<ChargesProps, "of" | "vehicle"> & { readonly charges: ReturnCharges };

function ChargesTable({ of, vehicle, charges }: ChargesTableProps) {
  const { extra_days: days, missing_fuel_eighths: fuel, extra_kilometres: driven } = charges;
  const rows = [
    [t("total"), of.total_cost],
    [g("extraDays", { n: days }), charges.extra_days_cost],
    [
      g(isElectric(vehicle) ? "missingCharge" : "missingFuel", { level: formatVehicleFuelLevel(fuel, vehicle) }),
      charges.fuel_cost,
    ],
    [g("extraKilometres", { n: formatKilometres(driven) }), charges.kilometres_cost],
    [g("damageAndExtras"), charges.sold_cost],
  ] as const;
  const added = rows.slice(1).filter(([, amount]) => !isZeroAmount(amount));
  return (
    <>
      {charges.is_to_check && <p class="notice waiting">{g("toCheck")}</p>}
      {added.length === 0 && <p>{g("nothingCharged")}</p>}
      <AmountList
        rows={[
          ...(added.length > 0 ? rows.slice(0, 1) : []),
          ...added,
          ...(added.length > 0 ? [[g("newTotal"), charges.total_cost, true] as const] : []),
          [toCents(charges.due) < 0 ? t("toRefund") : t("pending"), charges.due.replace(/^-/, ""), true],
          ...(isZeroAmount(charges.deposit_held) ? [] : [[t("depositHeld"), charges.deposit_held] as const]),
        ]}
      />
    </>
  );
}

interface EarlyReturnProps {
  readonly of: Reservation;
  readonly days: number;
  /** Moment of the return, `yyyy-mm-ddThh:mm`. Undefined for now, by the server's clock. */
  readonly at: string | undefined;
  readonly isRetained: boolean;
  readonly problem: string | undefined;
  readonly onKeep: () => void;
  readonly onShortened: (after: Partial<ReservationDetail>) => void;
}

/** Question before days are closed early: keep the price, or charge only the used days by the agreed terms. */
function EarlyReturn({ of: reservation, days, at, isRetained, problem, onKeep, onShortened }: EarlyReturnProps) {
  const [quote, setQuote] = useState<ActionQuote>();
  const [refusal, setRefusal] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { id, version, date_to: plannedDate, time_to: plannedTime } = reservation;
  const to = toEarlyReturnTime(at);
  useEffect(() => {
    sendOfficeRequest<ActionQuote, ActionQuoteRequest>("POST", toOfficePath(`/reservations/${id}/quote`), {
      body: { move: "early-return", ...to },
    }).then(
      (answer) => setQuote(toActionQuote("early-return", answer)),
      () => setRefusal(t("failed")),
    );
  }, [id, version, at]);
  const shorten = async () => {
    setBusy(true);
    const answer = await sendOfficeRequest<ReservationDetail, EarlyReturnRequest>(
      "POST",
      toOfficePath(`/reservations/${id}/early-return`),
      {
        body: { expected_version: version, ...to },
      },
    ).catch(() => undefined);
    setBusy(false);
    const after = answer && getSuccessfulContent(answer);
    if (after) return onShortened(after);
    setRefusal(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <fieldset class="wide group early" aria-invalid={problem !== undefined}>
      <legend>{g("earlyTitle", { n: days, at: formatMoment(`${plannedDate} ${plannedTime}`) })}</legend>
      <p class="wide">{g("earlyLead")}</p>
      <div class="buttons wide">
        <button type="button" aria-pressed={isRetained} onClick={onKeep}>
          {g("earlyKeep")}
        </button>
        {quote?.allowed && Number(quote.difference) < 0 && (
          <button type="button" disabled={isBusy} onClick={() => void shorten()}>
            {g("earlyShorten")} · {formatSignedMoney(quote.difference)}
          </button>
        )}
      </div>
      {quote?.allowed && Number(quote.difference) >= 0 && <p class="soft wide">{g("earlyNoRefund")}</p>}
      {(problem || refusal) && (
        <p class="problem wide" role="alert">
          {refusal || g("earlyChoose")}
        </p>
      )}
    </fieldset>
  );
}
