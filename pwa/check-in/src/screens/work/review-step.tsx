import { useState } from "preact/hooks";
import type { Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { listStillMissingFields } from "../../state/authorities.ts";
import { findLoadedBooking } from "../../state/day.ts";
import { isEarlyForPickup } from "../../state/day-entries.ts";
import { hasOfficeRole } from "../../state/device-session.ts";
import {
  type ExchangedVehicle,
  getReplacementVehicle,
  isExchangeComplete,
  isReplacementComplete,
  pickPhotosAndDamages,
} from "../../state/exchange.ts";
import { formatCount } from "../../state/format-time.ts";
import { formatFuel } from "../../state/fuel.ts";
import { findUnmetChecks, needsOverrideReason, type UnmetChecks } from "../../state/hand-over-checks.ts";
import { formatMoney, toCents } from "../../state/money.ts";
import { getExtraName } from "../../state/names.ts";
import { isOnline } from "../../state/outbox.ts";
import { createSamePageCheck, openRoute, toHref } from "../../state/route.ts";
import { getBranchName, getCompanyMinute } from "../../state/settings.ts";
import { getTextTooLongMessage, listStepsWithLongText } from "../../state/text-lengths.ts";
import { changeOpenWork, discardWork, finishWork } from "../../state/work.ts";
import { findUnfinishedDamage, GUIDED_PHOTO_VIEWS, getWorkSteps, type WorkStep } from "../../state/work-steps.ts";
import { HandOverWarnings } from "../../ui/hand-over-warnings.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Field, Plate } from "../../ui/parts.tsx";
import {
  findImprobableReading,
  getDraftUnit,
  getDraftVehicle,
  needsReadingConfirmation,
  wouldCorrectionChangeReturnCosts,
} from "./closing-costs.ts";
import { CONFIRM_READINGS_ID, ConfirmReadings, describeImprobableReading } from "./confirm-readings.tsx";
import { StartedDamage } from "./damage-step.tsx";
import {
  calculateDraftAddedCents,
  calculateDraftSettlement,
  calculateUnsettledAmounts,
  hasInvalidAmount,
  needsOpenBalanceConfirmation,
} from "./draft-settlement.ts";
import type { StepProps } from "./step-props.ts";
import { isSignedTextOutdated, useContractText } from "./use-contract-text.ts";
import { getPlateOrReference } from "./vehicle-step.tsx";

const LONG_TEXTS_ID = "long-texts";
const OVERRIDE_ID = "override-reason";
const UNFINISHED_DAMAGE_ID = "unfinished-damage";

/** Summary of recorded and missing data, and the button to finish. */
export function ReviewStep({ draft, frame }: StepProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [isAsking, setIsAsking] = useState<boolean>();
  const [hasFailed, setHasFailed] = useState(false);
  const finish = async () => {
    setIsBusy(true);
    setHasFailed(false);
    const isHere = createSamePageCheck();
    try {
      const { booking_id } = await finishWork(calculateDraftAddedCents);
      if (isHere()) openRoute("booking", booking_id);
    } catch {
      setHasFailed(true);
    }
    setIsBusy(false);
  };
  const discard = async () => {
    const isHere = createSamePageCheck();
    await discardWork();
    if (isHere()) openRoute("booking", draft.booking_id);
  };
  const { contract } = useContractText(draft);
  const unfinishedDamage = findUnfinishedDamage(draft);
  const missing = [
    ...listMissingParts(draft),
    ...(isSignedTextOutdated(draft, contract) ? [t("contractOutdated")] : []),
  ];
  const openMoney = openMoneyIn(draft);
  const longTexts = listStepsWithLongText(draft);
  return frame(
    <>
      {hasFailed && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t("finishFailed")}
        </p>
      )}
      <button
        type="button"
        class="main"
        disabled={isBusy || isBlocked(draft)}
        aria-describedby={listBlockReasons(draft, missing, openMoney).join(" ") || undefined}
        onClick={() => void finish()}
      >
        <Icon name="check" />
        {t(`finish_${draft.kind}`)}
      </button>
    </>,
    <>
      {longTexts.length > 0 && (
        <p id={LONG_TEXTS_ID} class="note" data-tone="refused">
          <Icon name="refused" />
          {t("textsTooLong", { steps: longTexts.map((step) => t(`step_${step}`)).join(", ") })}
        </p>
      )}
      {unfinishedDamage && (
        <div id={UNFINISHED_DAMAGE_ID}>
          <StartedDamage draft={draft} step={unfinishedDamage.vehicle ? "damage_out" : "damage"} />
        </div>
      )}
      <HandOverWarnings booking={findDeliveredBooking(draft)} unmet={findDraftUnmetChecks(draft)} />
      <OverrideReason draft={draft} />
      {openMoney.map((text, index) => (
        <p key={text} id={`money-${index}`} class="note" data-tone="refused">
          <Icon name="money" />
          {text}
        </p>
      ))}
      {missing.map((text, index) => (
        <p key={text} id={`missing-${index}`} class="note" data-tone="waiting">
          <Icon name="refused" />
          {text}
        </p>
      ))}
      <ConfirmReadings draft={draft} />
      <ConfirmMoney draft={draft} />
      <ul class="review">
        {getWorkSteps(draft.kind)
          .filter((step) => step !== "review")
          .map((step) => (
            <li key={step}>
              <a class="entry" href={toHref("work", draft.key, step)}>
                <span class="grow">
                  <span class="where">{t(`step_${step}`)}</span>
                  <Summary draft={draft} step={step} />
                </span>
                <Icon name="draft" size={20} />
              </a>
            </li>
          ))}
      </ul>
      <p class="note">
        <Icon name={isOnline.value ? "outbox" : "offline"} />
        {t(isOnline.value ? "reviewOnline" : "reviewOffline")}
      </p>
      {isAsking ? (
        <div class="card" role="alertdialog" aria-label={t("discardAsk")}>
          <p>{t("discardAsk")}</p>
          <button type="button" class="other danger" onClick={() => void discard()}>
            {t("discardYes")}
          </button>
          <button type="button" class="other" ref={takeFocus} onClick={() => setIsAsking(false)}>
            {t("cancel")}
          </button>
        </div>
      ) : (
        <button
          type="button"
          class="other danger"
          ref={isAsking === false ? takeFocus : null}
          onClick={() => setIsAsking(true)}
        >
          <Icon name="trash" />
          {t("discard")}
        </button>
      )}
    </>,
  );
}

// Focuses an element. The question replaces the pressed button, and later the button replaces the question.
const takeFocus = (element: HTMLElement | null) => element?.focus();

/** Whether the work can't be sent: evidence without text and photos, or an exchange with missing data. */
const isEmpty = (draft: WorkDraft) =>
  (draft.kind === "evidence" && draft.photos.length === 0 && draft.notes.trim() === "") ||
  (draft.kind === "exchange" && !isExchangeComplete(draft));

const isMoneyOpen = (draft: WorkDraft) => needsOpenBalanceConfirmation(draft) || hasInvalidAmount(draft);
const isBlocked = (draft: WorkDraft) =>
  isEmpty(draft) ||
  findUnfinishedDamage(draft) !== undefined ||
  needsReadingConfirmation(draft) ||
  isMoneyOpen(draft) ||
  needsOverrideReason(draft, findDraftUnmetChecks(draft)) ||
  listStepsWithLongText(draft).length > 0;

/** Lists the ids of the elements that explain why the work can't be finished. */
function listBlockReasons(
  draft: WorkDraft,
  missing: readonly string[],
  openMoney: readonly string[],
): readonly string[] {
  return [
    ...(isEmpty(draft) ? missing.map((_, index) => `missing-${index}`) : []),
    ...(findUnfinishedDamage(draft) ? [UNFINISHED_DAMAGE_ID] : []),
    ...(needsReadingConfirmation(draft) ? [CONFIRM_READINGS_ID] : []),
    ...(isMoneyOpen(draft) ? openMoney.map((_, index) => `money-${index}`) : []),
    ...(needsOverrideReason(draft, findDraftUnmetChecks(draft)) ? [OVERRIDE_ID] : []),
    ...(listStepsWithLongText(draft).length > 0 ? [LONG_TEXTS_ID] : []),
  ];
}

/** Lists unrecorded amounts as texts. */
function openMoneyIn(draft: WorkDraft): readonly string[] {
  const { openCents, depositCents, heldCents } = calculateUnsettledAmounts(draft);
  const lines = [
    hasInvalidAmount(draft) && t("amountWrong"),
    openCents > 0 && t("stillOpen", { amount: formatMoney(openCents) }),
    depositCents > 0 && t("depositOpen", { amount: formatMoney(depositCents) }),
    heldCents > 0 && t("depositStillHeld", { amount: formatMoney(heldCents) }),
  ];
  return lines.filter((text) => typeof text === "string");
}

function amountText(amount: string): string {
  const cents = toCents(amount);
  return cents === undefined ? amount : formatMoney(cents);
}

/**
 * Asks to confirm that the work may be finished with an open balance. Without the confirmation it can't be finished.
 */
function ConfirmMoney({ draft }: { readonly draft: WorkDraft }) {
  const { sum } = calculateUnsettledAmounts(draft);
  if (sum === 0) return null;
  return (
    <fieldset class="checks">
      <legend class="hidden">{t("money")}</legend>
      <label>
        <input
          type="checkbox"
          name="money-confirmed"
          checked={draft.open_confirmed === sum}
          onChange={({ currentTarget }) => void changeOpenWork({ open_confirmed: currentTarget.checked ? sum : 0 })}
        />
        <span>{t("confirmOpen")}</span>
      </label>
    </fieldset>
  );
}

const findDeliveredBooking = ({ kind, booking_id }: WorkDraft) =>
  kind === "delivery" ? findLoadedBooking(booking_id) : undefined;

const findDraftUnmetChecks = (draft: WorkDraft): UnmetChecks =>
  findUnmetChecks(findDeliveredBooking(draft), calculateDraftSettlement(draft)?.settlement, draft);

/** Field for a manager's reason to hand over although checks block it. */
function OverrideReason({ draft }: { readonly draft: WorkDraft }) {
  const { override_reason = "" } = draft;
  if (!hasOfficeRole.value || findDraftUnmetChecks(draft).blocking.length === 0) return null;
  return (
    <div id={OVERRIDE_ID}>
      <Field label={t("overrideReason")} warning={getTextTooLongMessage("overrideReason", override_reason)}>
        <input
          name="override-reason"
          value={override_reason}
          onInput={({ currentTarget }) => void changeOpenWork({ override_reason: currentTarget.value })}
        />
      </Field>
    </div>
  );
}

// Lists data missing for the legal report. The vehicle may still go out.
function findMissingData(draft: WorkDraft): string | false {
  const booking = findDeliveredBooking(draft);
  const missingFields = booking ? listStillMissingFields(booking, draft) : [];
  return (
    missingFields.length > 0 && t("lackingReview", { what: missingFields.map((name) => t(`lack_${name}`)).join(", ") })
  );
}

function isEarlyWork(draft: WorkDraft): boolean {
  const booking = findDeliveredBooking(draft);
  return booking !== undefined && isEarlyForPickup(booking, getCompanyMinute());
}

// Whether an upgrade is unpaid. Users without the right to grant it are warned, and the office is notified.
function isUpgradeUnpaid(draft: WorkDraft): boolean {
  const vehicle = getReplacementVehicle(draft);
  const unit = getDraftUnit(draft);
  if (!vehicle || !unit || hasOfficeRole.value || vehicle.category_code === unit.category_code) return false;
  return (toCents(draft.exchange?.upgrade_price.trim() ?? "") ?? 0) === 0;
}

function countMissingViews(draft: WorkDraft, vehicle: ExchangedVehicle): number {
  const { photos } = pickPhotosAndDamages(draft, vehicle);
  return GUIDED_PHOTO_VIEWS.filter((view) => !photos.some((photo) => photo.view === view)).length;
}

function listMissingPhotos(draft: WorkDraft): readonly (string | false)[] {
  const views = countMissingViews(draft, undefined);
  const viewsOut = draft.kind === "exchange" ? countMissingViews(draft, "replacement") : 0;
  return [views > 0 && t("missingPhotos", { n: views }), viewsOut > 0 && t("missingPhotosOut", { n: viewsOut })];
}

function listMissingParts(draft: WorkDraft): readonly string[] {
  if (draft.kind === "evidence") return isEmpty(draft) ? [t("missingEvidence")] : [];
  const readingWarning = describeImprobableReading(findImprobableReading(draft));
  if (draft.kind === "correction") {
    return [readingWarning, wouldCorrectionChangeReturnCosts(draft) && t("warning_closing_differs")].filter(
      (text) => typeof text === "string",
    );
  }
  const warnings = [
    draft.kilometres === "" && t("missingKilometres"),
    draft.fuel_eighths === null && t("missingFuel"),
    ...listMissingPhotos(draft),
    draft.kind === "exchange" && !isReplacementComplete(draft.exchange) && t("missingReplacement"),
    isEarlyWork(draft) && t("warning_early_delivery"),
    isUpgradeUnpaid(draft) && t("warning_upgrade_unpaid"),
    !draft.signature && t("missingSignature"),
    findMissingData(draft),
  ];
  return [...warnings, readingWarning].filter((text) => typeof text === "string");
}

function Summary({ draft, step }: { readonly draft: WorkDraft; readonly step: WorkStep }) {
  if (step === "vehicle") {
    const vehicle = getDraftVehicle(draft);
    return vehicle ? <Plate text={getPlateOrReference(vehicle)} /> : <b>–</b>;
  }
  if (step === "replacement") {
    const vehicle = getReplacementVehicle(draft);
    return (
      <span class="row wrap">
        {vehicle && <Plate text={getPlateOrReference(vehicle)} />}
        <b>{readingsText(draft.exchange, vehicle)}</b>
      </span>
    );
  }
  return <b>{summarizeStep(draft, step)}</b>;
}

const readingsText = (read: Pick<WorkDraft, "kilometres" | "fuel_eighths"> | undefined, vehicle: Vehicle | undefined) =>
  t("readings", {
    km: read?.kilometres ? formatCount(Number(read.kilometres)) : "–",
    fuel: formatFuel(read?.fuel_eighths, vehicle),
  });

const damageCountText = ({ damages }: WorkDraft) =>
  damages.length === 0 ? t("none") : t("newDamages", { n: damages.length });

function summarizeStep(draft: WorkDraft, step: Exclude<WorkStep, "vehicle" | "replacement">): string {
  switch (step) {
    case "readings":
      return [
        readingsText(draft, getDraftVehicle(draft)),
        draft.return_rental_location_code && getBranchName(draft.return_rental_location_code),
      ]
        .filter(Boolean)
        .join(" · ");
    case "photos":
      return t("photoCount", { n: pickPhotosAndDamages(draft, undefined).photos.length });
    case "photos_out":
      return t("photoCount", { n: pickPhotosAndDamages(draft, "replacement").photos.length });
    case "damage":
      return damageCountText(pickPhotosAndDamages(draft, undefined));
    case "damage_out":
      return damageCountText(pickPhotosAndDamages(draft, "replacement"));
    case "extras":
      return (
        draft.extras
          .map(({ extra_code, quantity }) => {
            const name = draft.sold?.[extra_code]?.name ?? extra_code;
            return `${quantity} × ${getExtraName({ extra_code, name })}`;
          })
          .join(", ") || t("none")
      );
    case "money":
      return (
        draft.charges.map(({ kind, amount }) => `${t(`charge_${kind}`)} ${amountText(amount)}`).join(", ") || t("none")
      );
    case "sign":
      return draft.signature ? `${draft.signature.name} · ${t(`signed_${draft.signature.method}`)}` : t("notSigned");
    default:
      return "";
  }
}
