import { useEffect, useState } from "preact/hooks";
import type { RentalUnit, Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { findLoadedBooking, loadStoredFleet, refreshFleet } from "../../state/day.ts";
import { foldSearchText } from "../../state/day-entries.ts";
import {
  EMPTY_REPLACEMENT,
  getReplacementVehicle,
  isUpgradePriceInvalid,
  listReplacementVehicles,
  type ReplacementInput,
} from "../../state/exchange.ts";
import { formatCount } from "../../state/format-time.ts";
import { formatFuel, isElectric } from "../../state/fuel.ts";
import { toCents } from "../../state/money.ts";
import { getCategoryName } from "../../state/names.ts";
import { isOnline } from "../../state/outbox.ts";
import { type ActionQuote, type OfficeCallResult, quoteExchange } from "../../state/reservation-actions.ts";
import { createVehicleAssessor } from "../../state/vehicle-assessor.ts";
import type { VehicleAssessment } from "../../state/vehicle-status.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field, Plate } from "../../ui/parts.tsx";
import { ErrorNotice, getErrorText, QuoteCosts } from "../booking/action-quote.tsx";
import { findImprobableReplacementReading, getDraftUnit } from "./closing-costs.ts";
import { ConfirmReadings, describeImprobableReading } from "./confirm-readings.tsx";
import type { StepProps } from "./step-props.ts";
import { VehicleStateChip, VehicleWarnings } from "./vehicle-state.tsx";
import { getPlateOrReference } from "./vehicle-step.tsx";

/** Choice and readings of the replacement vehicle. A better one may cost extra. */
export default function ReplacementStep({ draft, frame, onNext }: StepProps) {
  useEffect(() => void loadStoredFleet().then(refreshFleet), []);
  const unit = getDraftUnit(draft);
  const out = draft.exchange ?? EMPTY_REPLACEMENT;
  const vehicle = getReplacementVehicle(draft);
  const getAssessment = createVehicleAssessor(draft);
  const set = (changes: Partial<ReplacementInput>) =>
    void changeOpenWork({ exchange: { ...out, ...changes }, readings_confirmed: false });
  const choose = (chosen: Vehicle) =>
    void changeOpenWork({
      exchange: { ...out, vehicle_reference: chosen.reference },
      plate: getPlateOrReference(chosen),
    });
  return frame(
    <button type="button" class="main" disabled={out.vehicle_reference === ""} onClick={onNext}>
      {t(out.vehicle_reference === "" ? "chooseVehicle" : "continue")}
    </button>,
    <div class="exchange">
      {vehicle ? (
        <Chosen
          vehicle={vehicle}
          assessment={getAssessment(vehicle)}
          category={unit && getCategoryName(unit.category_code)}
          onOther={() => set({ vehicle_reference: "" })}
        />
      ) : (
        unit && <Choose unit={unit} assessVehicle={getAssessment} onChoose={choose} />
      )}
      {vehicle && <Reading draft={draft} vehicle={vehicle} out={out} onChange={set} />}
      {vehicle && unit && vehicle.category_code !== unit.category_code && (
        <Price draft={draft} out={out} onChange={set} />
      )}
    </div>,
  );
}

interface ChosenProps {
  readonly vehicle: Vehicle;
  readonly assessment: VehicleAssessment;
  readonly category: string | undefined;
  readonly onOther: () => void;
}

const Chosen = ({ vehicle, assessment, category, onOther }: ChosenProps) => (
  <section class="card chosen">
    <div class="row">
      <Plate text={getPlateOrReference(vehicle)} isLarge />
      <VehicleStateChip state={assessment.state} />
      <button type="button" class="link" onClick={onOther}>
        {t("otherVehicle")}
      </button>
    </div>
    <VehicleWarnings assessment={assessment} vehicle={vehicle} category={category} />
  </section>
);

interface ChooseProps {
  readonly unit: RentalUnit;
  readonly assessVehicle: (vehicle: Vehicle) => VehicleAssessment;
  readonly onChoose: (vehicle: Vehicle) => void;
}

function Choose({ unit, assessVehicle, onChoose }: ChooseProps) {
  const [text, setText] = useState("");
  const offered = listReplacementVehicles(unit, foldSearchText(text), assessVehicle);
  return (
    <>
      <Field label={t("exchangeFor")}>
        <input
          type="search"
          autocapitalize="characters"
          placeholder={t("searchPlate")}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <ul class="entries">
        {offered.map((vehicle) => (
          <li key={vehicle.reference}>
            <button type="button" class="entry vehicle" onClick={() => onChoose(vehicle)}>
              <span class="grow">
                <span class="row wrap">
                  <Plate text={getPlateOrReference(vehicle)} />
                  <VehicleStateChip state={assessVehicle(vehicle).state} />
                </span>
                <b class="who">{vehicle.name}</b>
                <span class="where">{getCategoryName(vehicle.category_code)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {offered.length === 0 && <p class="soft">{t("nothingFound")}</p>}
    </>
  );
}

interface ConditionProps {
  readonly draft: WorkDraft;
  readonly out: ReplacementInput;
  readonly onChange: (changes: Partial<ReplacementInput>) => void;
}

const EIGHTHS = [8, 7, 6, 5, 4, 3, 2, 1, 0] as const;
const MAX_READING_DIGITS = 7;

function Reading({ draft, vehicle, out, onChange }: ConditionProps & { readonly vehicle: Vehicle }) {
  const improbableReading = findImprobableReplacementReading(draft);
  return (
    <fieldset>
      <legend>{t("exchangeOut", { plate: getPlateOrReference(vehicle) })}</legend>
      <div class="row">
        <Field
          label={t("kilometres")}
          hint={t("lastKilometres", { km: formatCount(vehicle.kilometres) })}
          warning={describeImprobableReading(improbableReading)}
        >
          <input
            inputMode="numeric"
            name="kilometres-out"
            value={out.kilometres}
            onInput={({ currentTarget }) =>
              onChange({ kilometres: currentTarget.value.replace(/\D/g, "").slice(0, MAX_READING_DIGITS) })
            }
          />
        </Field>
        <Field label={t(isElectric(vehicle) ? "charge" : "fuel")}>
          <select
            name="fuel-out"
            value={out.fuel_eighths === null ? "" : String(out.fuel_eighths)}
            onChange={({ currentTarget: { value } }) => onChange({ fuel_eighths: value === "" ? null : Number(value) })}
          >
            <option value="">–</option>
            {EIGHTHS.map((eighths) => (
              <option key={eighths} value={String(eighths)}>
                {formatFuel(eighths, vehicle)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {improbableReading && <ConfirmReadings draft={draft} />}
    </fieldset>
  );
}

/** Price of an upgrade. With a network, also shows the resulting contract total. */
function Price({ draft, out, onChange }: ConditionProps) {
  const [quote, setQuote] = useState<OfficeCallResult<ActionQuote> | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const booking = findLoadedBooking(draft.booking_id);
  const isPriced = !isUpgradePriceInvalid(out) && (toCents(out.upgrade_price) ?? 0) > 0;
  const ask = async () => {
    if (!booking || draft.resource_id === null) return;
    setBusy(true);
    setQuote(await quoteExchange(booking, { unit_id: draft.resource_id, upgrade_price: out.upgrade_price.trim() }));
    setBusy(false);
  };
  return (
    <>
      <Field
        label={t("upgradePrice")}
        hint={t("upgradePriceHint")}
        warning={isUpgradePriceInvalid(out) ? t("priceWrong") : undefined}
      >
        <input
          inputMode="decimal"
          name="upgrade-price"
          value={out.upgrade_price}
          onInput={({ currentTarget }) => {
            onChange({ upgrade_price: currentTarget.value });
            setQuote(undefined);
          }}
        />
      </Field>
      <ErrorNotice text={getErrorText(quote)} />
      {quote?.kind === "ok" && quote.value.allowed && <QuoteCosts quote={quote.value} />}
      {isPriced && isOnline.value && (
        <button type="button" class="other" disabled={isBusy} onClick={() => void ask()}>
          {t("askPrice", { what: t("exchange") })}
        </button>
      )}
    </>
  );
}
