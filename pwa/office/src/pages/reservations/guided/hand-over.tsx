import { useEffect, useState } from "preact/hooks";
import { findImprobableKilometres } from "#domain/contracts/readings.ts";
import { addDays } from "#domain/dates.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { ActionQuoteRequest, HandOverBodyRequest } from "#worker/api/office/hand-over-messages.ts";
import type { CardHoldRequest } from "#worker/api/office/payment-link-messages.ts";
import type { ReservationChangeRequest } from "#worker/api/office/request-messages.ts";
import {
  account,
  formatKilometres,
  formatMoment,
  formatMoney,
  getCompanyDateTime,
  hasUserRight,
  isZeroAmount,
} from "../../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../../api.ts";
import { toActionQuote } from "../../../desk/action-quote.ts";
import { CopyLink } from "../../../desk/copy-link.tsx";
import { FULL_TANK, getFuelLabel, listFuelLevels, parseFuelLevel } from "../../../desk/fuel-levels.ts";
import type { ActionQuote } from "../../../desk/quote.ts";
import { toRefusalTexts, translateReason } from "../../../desk/refusals.ts";
import type { ReservationDetail } from "../../../desk/reservation.ts";
import { ReservationConflict } from "../../../desk/reservation-conflict.tsx";
import { useSubmitOnce } from "../../../desk/submit-once.ts";
import { useVehicleDetail } from "../../../desk/use-vehicle-detail.ts";
import { t } from "../../../texts.ts";
import { proposeCardHoldAmount, proposePaymentLinkAmount } from "../card-amounts.ts";
import { toDriverChange } from "./driver-change.ts";
import { GuidedField, GuidedStepButtons, MoneyFields, StepList } from "./guided-form-parts.tsx";
import { KnownDamage } from "./known-damage.tsx";
import {
  buildCharges,
  findMoneyProblems,
  getHoldAmount,
  getHoldHint,
  isEarlyHandOver,
  listMissingAfterPayments,
  proposeHandOverMoney,
  toCents,
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
import { HandOverVehicleChoice, useHandOverVehicles } from "./vehicle-choice.tsx";

const STEPS = ["vehicle", "driver", "money", "finish"] as const;
type Step = (typeof STEPS)[number];
type Missing = ReservationDetail["missing"];

/** Codes of the missing items that are shown, and can be provided, at each step. */
const CHECKS: Readonly<Record<Step, readonly Missing[number][]>> = {
  vehicle: [],
  driver: ["licence", "identity"],
  money: ["payment", "deposit"],
  finish: ["signature"],
};

const HOLD_DAYS = 7;
const DRIVER_FIELDS = [
  "document_id",
  "date_of_birth",
  "driving_license_number",
] as const satisfies readonly (keyof NonNullable<ReservationChangeRequest["driver"]>)[];
const noMethod = () => "";

/** Guided hand-over: vehicle, driver, money and the last checks, with what is missing at each step. */
export function GuidedHandOver({ of: detail, title, onChanged, onDone, onClose }: GuidedFormProps) {
  const guided = useGuidedAction({ list: "guided-deliver", title, of: detail.reservation, onDone });
  const { now, seen, typed, wrong, setWrong, setValue, form, isBusy } = guided;
  // The signature isn't part of the draft, because it's personal data.
  const [signed, setSigned] = useState<SignatureWithText>();
  const state = useHandOver(detail, guided, signed);
  const driver = useDriverStep(detail, guided, onChanged);
  const hold = useHold(detail, onChanged);
  const { lines, missing } = state;
  const problems: Readonly<Record<Step, () => Readonly<Record<string, string>>>> = {
    vehicle: () => findVehicleProblems(state, typed),
    driver: () => ({}),
    money: () => translateMoneyProblems(findMoneyProblems(lines, typed, noMethod)),
    finish: () => (state.blocked.length === 0 || state.reason !== "" ? {} : { reason: t("problem.missing") }),
  };
  const { step, setStep, openFirstProblem } = useGuidedStep(STEPS, guided, {
    isLoaded: isVehicleLoaded(state),
    findProblems: (name) => problems[name](),
  });
  const saveStep = (): boolean | Promise<boolean> => {
    if (step === "driver") return driver.save();
    const holdAmount = step === "money" ? getHoldAmount(lines, typed) : undefined;
    return holdAmount === undefined || hold.create(holdAmount, setWrong);
  };
  const submit = async () => {
    if (openFirstProblem() || !(await saveStep())) return;
    // The draft names the proposed vehicle, so that reopening it doesn't propose another one.
    if (step === "vehicle") setValue("reference", state.reference);
    const next = STEPS[STEPS.indexOf(step) + 1];
    if (next) return setStep(next);
    const signature = await sendSignature({
      ...{ now, setWrong, signed, textId: state.contractId },
      signer: detail.drivers[0]?.full_name || now.customer_fullname || "",
      removeSignature: () => setSigned(undefined),
    });
    if (!signature) return;
    const body: Typed<HandOverBodyRequest> = {
      expected_version: now.version,
      ...state.body,
      ...signature,
    };
    return guided.send(body, (key) =>
      sendOfficeRequest<ReservationDetail, Typed<HandOverBodyRequest>>(
        "POST",
        toOfficePath(`/reservations/${now.id}/deliver`),
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
  const common = { of: detail, typed, state, problems: wrong.fields, onChange: setValue };
  const isLast = step === "finish";
  return (
    <>
      {now.version !== seen.version && <ReservationConflict originalReservation={seen} now={now} />}
      {detail.do_not_rent && <p class="notice refused">{t("markedCustomer", { reason: detail.do_not_rent.reason })}</p>}
      <StepList
        current={step}
        onGo={setStep}
        steps={STEPS.map((name) => ({
          name,
          title: g(`step.${name}`),
          isMissing: CHECKS[name].some((check) => missing.includes(check)),
        }))}
      />
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <MissingHere checks={isLast ? missing : missing.filter((check) => CHECKS[step].includes(check))} />
        {step === "vehicle" && <VehicleStep {...common} />}
        {step === "driver" && <DriverStep {...common} name={driver.name} values={driver.values} />}
        {step === "money" && <MoneyStep {...common} />}
        {isLast && <LastStep {...common} link={hold.link} name={driver.name} onSign={setSigned} />}
        <GuidedStepButtons
          notice={wrong.notice}
          isBusy={isBusy || driver.isBusy || hold.isBusy}
          isRefused={isLast && state.blocked.length > 0 && !hasUserRight("manage")}
          submit={isLast ? t("do.deliver") : g("next")}
          back={step === "vehicle" ? t("leave") : g("before")}
          onBack={back}
        />
      </form>
    </>
  );
}

/** Computes the state of a hand-over from the typed values and the proposed ones. */
function useHandOver(detail: ReservationDetail, { now, typed }: GuidedState, signed: SignatureWithText | undefined) {
  const unit = now.units.find(({ delivered }) => delivered === null);
  const vehicles = useHandOverVehicles(now.id, now.version);
  const reference = String(typed["reference"] ?? vehicles?.proposed(unit?.reference ?? null) ?? "");
  const vehicle = useVehicleDetail(reference || undefined);
  const proposed = proposeReadings(vehicle);
  const readings = {
    kilometres: typed["kilometres"] ?? proposed.kilometres,
    fuel_eighths: typed["fuel_eighths"] ?? proposed.fuel,
  };
  const lines = proposeHandOverMoney(proposePaymentLinkAmount(now), proposeCardHoldAmount(now, detail.holds));
  const charges = buildCharges(lines, typed, noMethod);
  const body = {
    unit_id: unit?.id,
    reference,
    kilometres: toReading(readings.kilometres),
    fuel_eighths: toReading(readings.fuel_eighths),
  };
  const contractPath = toContractPath(now.id, {
    ...body,
    payment: charges.find(({ kind }) => kind === "payment")?.amount,
  });
  const contractId = `${contractPath} ${now.version}`;
  const signature = signed?.id === contractId ? signed.png : undefined;
  const missing = listMissingAfterPayments(detail.missing, lines, typed, signature !== undefined);
  const blocking = useBlocking(now.id, now.version);
  const reason = String(typed["reason"] ?? "").trim();
  const notes = String(typed["notes"] ?? "").trim();
  // Another reading or vehicle needs another confirmation.
  const reading = `${reference} ${body.kilometres}`;
  const isConfirmed = typed["readings_confirmed"] === reading;
  return {
    improbable: describeImprobableReading(vehicle, body.kilometres),
    ...{ reading, isConfirmed },
    ...{ vehicles, reference, vehicle, readings, lines, missing, reason, contractPath, contractId, signature },
    isEarly: isEarlyHandOver(now, getCompanyDateTime()),
    blocked: missing.filter((check) => blocking.includes(check)),
    body: {
      ...body,
      readings_confirmed: isConfirmed || undefined,
      notes: notes || undefined,
      charges,
      reason: reason || undefined,
    } satisfies Omit<Typed<HandOverBodyRequest>, "expected_version">,
  };
}

// Whether the data of the vehicle step is loaded. The readings of a vehicle that can't leave aren't needed.
const isVehicleLoaded = ({ vehicles, vehicle, reference }: ReturnType<typeof useHandOver>): boolean =>
  vehicles !== undefined && (vehicle !== undefined || vehicles.findRefusal(reference) !== undefined);

// Returns the problems of the vehicle step by field.
function findVehicleProblems(
  { vehicles, reference, body, improbable, isConfirmed, isEarly }: ReturnType<typeof useHandOver>,
  typed: StepProps["typed"],
): Readonly<Record<string, string>> {
  if (reference === "") return { reference: t("problem.missing") };
  const refusal = vehicles?.findRefusal(reference);
  if (refusal) return { reference: t(refusal) };
  if (typeof body.kilometres === "string") return { kilometres: t("problem.whole_number") };
  if (improbable && !isConfirmed) return { kilometres: improbable };
  return isEarly && typed["early"] !== true ? { early: t("problem.missing") } : {};
}

// Describes a reading that the server refuses without a confirmation.
function describeImprobableReading(
  vehicle: ReturnType<typeof useVehicleDetail>,
  kilometres: number | string | undefined,
) {
  if (!vehicle || typeof kilometres !== "number") return undefined;
  const improbable = findImprobableKilometres(kilometres, {
    ...{ kind: "delivery", at: 0, vehicleKilometres: vehicle.usage_units },
    ...{ deliveryKilometres: undefined, deliveredAt: undefined, collectedAt: undefined },
    kilometresADay: account.value.max_km_per_day,
  });
  return (
    improbable &&
    translateReason({
      code: improbable.code === "kilometres_lower" ? "kilometres_lower" : "kilometres_unlikely",
      params: { reading: improbable.before, vehicle: vehicle.reference },
    })
  );
}

// Returns the address of the contract's text with the hand-over as typed.
function toContractPath(id: number, handOver: Readonly<Record<string, string | number | undefined>>): string {
  const filled = Object.entries(handOver).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return toOfficePath(`/reservations/${id}/contract?${new URLSearchParams(filled)}`);
}

// Proposes the vehicle's last kilometres and fuel level. A full tank if the level is unknown.
function proposeReadings(vehicle: ReturnType<typeof useVehicleDetail>) {
  if (!vehicle) return { kilometres: "", fuel: "" };
  const fuel = parseFuelLevel(vehicle.usage_available_fuel) ?? FULL_TANK;
  return { kilometres: String(vehicle.usage_units), fuel: String(fuel) };
}

interface StepProps {
  readonly of: ReservationDetail;
  readonly typed: Readonly<Record<string, unknown>>;
  readonly state: ReturnType<typeof useHandOver>;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: unknown) => void;
}

function VehicleStep({ of: { reservation }, typed, state, problems, onChange }: StepProps) {
  const { vehicles, reference, vehicle, readings, isEarly, isConfirmed, improbable } = state;
  return (
    <>
      {isEarly && (
        <>
          <p class="notice waiting wide">
            {g("earlyHandOver", { at: formatMoment(`${reservation.date_from} ${reservation.time_from}`) })}
          </p>
          <GuidedField
            label={g("earlyConfirm")}
            name="early"
            kind="flag"
            isWide
            value={typed["early"]}
            problem={problems["early"]}
            onChange={(value) => onChange("early", value)}
          />
        </>
      )}
      <HandOverVehicleChoice
        vehicles={vehicles}
        value={reference}
        problem={problems["reference"]}
        onChange={(value) => onChange("reference", value)}
      />
      <GuidedField
        label={t("in.kilometres")}
        name="kilometres"
        kind="whole"
        value={readings.kilometres}
        problem={problems["kilometres"]}
        {...(vehicle && { hint: g("lastReading", { n: formatKilometres(vehicle.usage_units) }) })}
        onChange={(value) => onChange("kilometres", value)}
      />
      <GuidedField
        label={getFuelLabel("fuel_eighths", vehicle)}
        name="fuel_eighths"
        kind="choice"
        value={readings.fuel_eighths}
        choices={listFuelLevels(vehicle)}
        none={t("nothing")}
        problem={problems["fuel_eighths"]}
        onChange={(value) => onChange("fuel_eighths", value)}
      />
      {(isConfirmed || problems["kilometres"] === improbable) && improbable && (
        <ConfirmReading state={state} onChange={onChange} />
      )}
      <KnownDamage of={vehicle} />
    </>
  );
}

interface ConfirmProps extends Pick<StepProps, "state" | "onChange"> {
  readonly problem?: string | undefined;
}

/** Confirmation of an improbable reading. */
function ConfirmReading({ state: { reading, isConfirmed }, problem, onChange }: ConfirmProps) {
  return (
    <GuidedField
      label={t("in.readings_confirmed")}
      name="readings_confirmed"
      kind="flag"
      isWide
      value={isConfirmed}
      problem={problem}
      onChange={(value) => onChange("readings_confirmed", value === true ? reading : undefined)}
    />
  );
}

interface DriverStepProps extends Pick<StepProps, "problems" | "onChange"> {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

function DriverStep({ name, values, problems, onChange }: DriverStepProps) {
  return (
    <>
      <p class="wide strong">{name}</p>
      {hasUserRight("sell") ? (
        DRIVER_FIELDS.map((field) => (
          <GuidedField
            key={field}
            label={g(`driver.${field}`)}
            name={field}
            kind={field === "date_of_birth" ? "date" : "text"}
            value={values[field]}
            problem={problems[`driver.${field}`] ?? problems[field]}
            onChange={(value) => onChange(field, value)}
          />
        ))
      ) : (
        <p class="soft wide">{g("driverByDesk")}</p>
      )}
    </>
  );
}

function MoneyStep({ of: { reservation }, typed, state: { lines }, problems, onChange }: StepProps) {
  return (
    <>
      {lines.length === 0 && <p class="calm wide">{g("nothingToPay")}</p>}
      <MoneyFields
        lines={lines}
        values={typed}
        problems={problems}
        getProposed={noMethod}
        holdHint={getHoldHint(reservation.customer_email)}
        onChange={onChange}
      />
      {!isZeroAmount(reservation.deposit_held) && (
        <p class="soft wide">
          {t("depositHeld")}: {formatMoney(reservation.deposit_held)}
        </p>
      )}
    </>
  );
}

interface LastStepProps extends StepProps {
  /** Address of a card hold that the customer hasn't confirmed. */
  readonly link: string | undefined;
  /** The driver, who signs. */
  readonly name: string | null;
  readonly onSign: (signed: SignatureWithText | undefined) => void;
}

function LastStep(props: LastStepProps) {
  const { of: detail, typed, state, problems, link, name, onSign, onChange } = props;
  const { blocked, contractPath, contractId, signature } = state;
  // Ask for confirmation here too, because another device may have recorded a reading after the vehicle step.
  const isImprobable = problems["kilometres"] !== undefined || state.isConfirmed;
  return (
    <>
      <ReadAndSign
        id={contractId}
        path={contractPath}
        title={g("readContract")}
        name={name ?? ""}
        isSigned={signature !== undefined}
        onSign={onSign}
      />
      <p class="wide soft">
        {g("signInApp")} <a href={`/checkin/#/booking/${detail.reservation.id}`}>{g("openApp")}</a>
      </p>
      {link && (
        <p class="wide">
          {g("holdWaits")} <CopyLink url={link} of={g("cardHold")} />
        </p>
      )}
      {blocked.length > 0 && !hasUserRight("manage") && <p class="notice refused wide">{g("managerCanGoOn")}</p>}
      {blocked.length > 0 && hasUserRight("manage") && (
        <GuidedField
          label={g("overrideReason")}
          name="reason"
          kind="text"
          isRequired
          isWide
          value={typed["reason"]}
          problem={problems["reason"]}
          onChange={(value) => onChange("reason", value)}
        />
      )}
      {isImprobable && <ConfirmReading state={state} problem={problems["kilometres"]} onChange={onChange} />}
      <GuidedField
        label={t("in.notes")}
        name="notes"
        kind="long"
        isWide
        value={typed["notes"]}
        onChange={(value) => onChange("notes", value)}
      />
    </>
  );
}

function MissingHere({ checks }: { readonly checks: Missing }) {
  if (checks.length === 0) return null;
  return (
    <p class="notice refused wide">
      {t("missingBefore", { checks: checks.map((check) => t(`handover.${check}`)).join(", ") })}
    </p>
  );
}

function toReading(value: unknown): number | string | undefined {
  const text = String(value ?? "").trim();
  return /^\d+$/.test(text) ? Number(text) : text || undefined;
}

// Checks that block the hand-over by the company's settings.
function useBlocking(id: number, version: number): readonly string[] {
  const [blocking, setBlocking] = useState<readonly string[]>([]);
  useEffect(() => {
    sendOfficeRequest<ActionQuote, ActionQuoteRequest>("POST", toOfficePath(`/reservations/${id}/quote`), {
      body: { move: "deliver" },
    }).then(
      (answer) => {
        const refusal = toActionQuote("deliver", answer).reasons.find(({ code }) => code === "handover_blocked");
        setBlocking(String(refusal?.params?.["missing"] ?? "").split(", "));
      },
      () => undefined,
    );
  }, [id, version]);
  return blocking;
}

// Form state of the driver's documents, saved with the step if they changed.
function useDriverStep(
  { drivers, reservation }: ReservationDetail,
  { typed, now, setWrong, continueWith, take }: GuidedState,
  onChanged: GuidedFormProps["onChanged"],
) {
  const [driver] = drivers;
  const [isBusy, setBusy] = useState(false);
  const known: Readonly<Record<(typeof DRIVER_FIELDS)[number], string>> = {
    document_id: driver?.document_id ?? reservation.customer_document_id ?? "",
    date_of_birth: driver?.date_of_birth ?? "",
    driving_license_number: driver?.driving_license_number ?? "",
  };
  const values = Object.fromEntries(DRIVER_FIELDS.map((name) => [name, String(typed[name] ?? known[name])]));
  const save = async (): Promise<boolean> => {
    const change = toDriverChange(known, values);
    if (Object.keys(change).length === 0) return true;
    setBusy(true);
    const body: ReservationChangeRequest = { expected_version: now.version, driver: change };
    const answer = await sendOfficeRequest<ReservationDetail, ReservationChangeRequest>(
      "PATCH",
      toOfficePath(`/reservations/${now.id}`),
      {
        body,
      },
    ).catch(() => undefined);
    setBusy(false);
    if (!take(answer) || !answer?.body.reservation) return false;
    setWrong(NO_REFUSAL_TEXTS);
    continueWith(answer.body.reservation);
    onChanged(answer.body);
    return true;
  };
  return { name: driver?.full_name || reservation.customer_fullname, values, isBusy, save };
}

interface HoldAnswer {
  readonly hold: { readonly payment_link_id?: number | null };
}

// Card hold for the deposit, requested by a link that the customer opens.
function useHold(
  { reservation, holds, payment_links: links }: ReservationDetail,
  onChanged: GuidedFormProps["onChanged"],
) {
  const requested = holds.find(({ status }) => status === "requested");
  const link = links.find(({ id, status }) => id === requested?.payment_link_id && status === "open")?.url;
  const { isBusy, send } = useSubmitOnce<HoldAnswer>({
    draft: ["guided-hold", String(reservation.id)],
    title: g("cardHold"),
    take: () => undefined,
  });
  const create = async (amount: string, setWrong: GuidedState["setWrong"]): Promise<boolean> => {
    if (requested && toCents(requested.amount) === toCents(amount)) return true;
    const { date, time } = getCompanyDateTime();
    const body: CardHoldRequest = {
      amount,
      expires_at: `${addDays(date, HOLD_DAYS)}T${time}`,
      send: reservation.customer_email !== null,
    };
    let isDone = false;
    await send(body, async (key) => {
      // Another amount replaces the link that the customer hasn't used.
      const ended =
        requested && (await sendOfficeRequest("DELETE", toOfficePath(`/payment-links/${requested.payment_link_id}`)));
      if (ended && !getSuccessfulContent(ended)) {
        setWrong(toRefusalTexts(ended));
        return { ...ended, body: {} };
      }
      const answer = await sendOfficeRequest<HoldAnswer, CardHoldRequest>(
        "POST",
        toOfficePath(`/reservations/${reservation.id}/holds`),
        {
          body,
          key,
        },
      );
      isDone = getSuccessfulContent(answer) !== undefined;
      if (!isDone) setWrong(toRefusalTexts(answer));
      if (isDone || ended) {
        // Reload the reservation, because it contains the new link and hold.
        const read = await sendOfficeRequest<ReservationDetail>("GET", toOfficePath(`/reservations/${reservation.id}`));
        onChanged(read.body);
      }
      return answer;
    });
    return isDone;
  };
  return { isBusy, link, create };
}
