import { useEffect, useState } from "preact/hooks";
import type { Booking, Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import {
  findLoadedBooking,
  findUnit,
  fleetFetchedAt,
  loadedVehicles,
  loadStoredFleet,
  refreshFleet,
  shownDay,
} from "../../state/day.ts";
import { foldSearchText } from "../../state/day-entries.ts";
import { formatCount, formatDeviceMoment } from "../../state/format-time.ts";
import { getCategoryName } from "../../state/names.ts";
import { createVehicleAssessor } from "../../state/vehicle-assessor.ts";
import { findVehicleByCode, matchesVehicleText, parseVehicleCode } from "../../state/vehicle-code.ts";
import type { VehicleAssessment } from "../../state/vehicle-status.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { createLazyComponent } from "../../ui/lazy.tsx";
import { Plate } from "../../ui/parts.tsx";
import { ScannableField } from "./scannable-field.tsx";
import type { StepProps } from "./step-props.ts";
import { ParkingLocation, VehicleStateChip, VehicleUnavailability, VehicleWarnings } from "./vehicle-state.tsx";

const MAX_VISIBLE_VEHICLES = 12;
const Upgrade = createLazyComponent(() => import("./upgrade.tsx"));

/** Choice of the outgoing vehicle, assigned or another one. Warnings need confirmation. */
export function VehicleStep({ draft, frame, onNext }: StepProps) {
  const [foldedText, setWanted] = useState("");
  const [code, setCode] = useState("");
  const [text, setAsked] = useState<string | undefined>(undefined);
  useEffect(() => void loadStoredFleet().then(refreshFleet), []);
  const booking = findLoadedBooking(draft.booking_id);
  const unit = booking && draft.resource_id !== null ? findUnit(booking, draft.resource_id) : undefined;
  const all = withAssigned(unit?.vehicle ?? undefined);
  const chosen = all.find(({ reference }) => reference === draft.vehicle_reference);
  const candidates = shownDay.value?.data.candidates[unit?.category_code ?? ""] ?? [];
  const getAssessment = createVehicleAssessor(draft);
  const getRank = (vehicle: Vehicle) => rank(getAssessment(vehicle), candidates.includes(vehicle.reference));
  const matching = search(all, foldedText, getRank);
  const take = (vehicle: Vehicle) => void choose(vehicle).then(() => setAsked(undefined));
  const pick = (vehicle: Vehicle) =>
    getAssessment(vehicle).warnings.length > 0 ? setAsked(vehicle.reference) : take(vehicle);
  const onCode = (text: string) => {
    const read = parseVehicleCode(text);
    const scannedVehicle = findVehicleByCode(all, read);
    setCode(read);
    setWanted(read);
    if (scannedVehicle) pick(scannedVehicle);
  };
  return frame(
    <button type="button" class="main" disabled={!draft.vehicle_reference} onClick={onNext}>
      {mainText(chosen, chosen && getAssessment(chosen))}
    </button>,
    <>
      {chosen && (
        <Chosen
          vehicle={chosen}
          assessment={getAssessment(chosen)}
          category={unit && getCategoryName(unit.category_code)}
        />
      )}
      <ScannableField onCode={onCode}>
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            autocapitalize="characters"
            placeholder={t("searchPlate")}
            aria-label={t("searchVehicle")}
            value={foldedText}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </label>
      </ScannableField>
      <ReadCode code={code === foldedText ? code : ""} />
      <FoundVehicles
        vehicles={matching.filter((vehicle) => vehicle !== chosen).slice(0, MAX_VISIBLE_VEHICLES)}
        assessVehicle={getAssessment}
        category={unit && getCategoryName(unit.category_code)}
        booking={booking}
        unconfirmedReference={text}
        onPick={pick}
        onChoose={take}
        onCancel={() => setAsked(undefined)}
      />
      {matching.length === 0 && <p class="soft">{t("nothingFound")}</p>}
      {fleetFetchedAt.value && <p class="fresh">{t("asOf", { time: formatDeviceMoment(fleetFetchedAt.value) })}</p>}
    </>,
  );
}

interface ChosenProps {
  readonly vehicle: Vehicle;
  readonly assessment: VehicleAssessment;
  readonly category: string | undefined;
}

function Chosen({ vehicle, assessment, category }: ChosenProps) {
  return (
    <section class="card chosen">
      <div class="row">
        <Plate text={getPlateOrReference(vehicle)} isLarge />
        <VehicleStateChip state={assessment.state} />
      </div>
      <p>
        {vehicle.name} · {getCategoryName(vehicle.category_code)} ·{" "}
        {t("kilometresOf", { km: formatCount(vehicle.kilometres) })}
      </p>
      <ParkingLocation vehicle={vehicle} />
      <VehicleWarnings assessment={assessment} vehicle={vehicle} category={category} />
    </section>
  );
}

function mainText(chosen: Vehicle | undefined, getAssessment: VehicleAssessment | undefined): string {
  if (!chosen || !getAssessment) return t("chooseVehicle");
  return t(getAssessment.warnings.length > 0 ? "takeThisAllTheSame" : "takeThis", {
    plate: getPlateOrReference(chosen),
  });
}

interface FoundVehiclesProps {
  readonly vehicles: readonly Vehicle[];
  readonly assessVehicle: (vehicle: Vehicle) => VehicleAssessment;
  readonly category: string | undefined;
  readonly booking: Booking | undefined;
  /** The vehicle with warnings that need confirmation. */
  readonly unconfirmedReference: string | undefined;
  readonly onPick: (vehicle: Vehicle) => void;
  readonly onChoose: (vehicle: Vehicle) => void;
  readonly onCancel: () => void;
}

function FoundVehicles({
  vehicles,
  assessVehicle,
  category,
  booking,
  unconfirmedReference,
  onPick,
  onChoose,
  onCancel,
}: FoundVehiclesProps) {
  return (
    <ul class="entries">
      {vehicles.map((vehicle) => (
        <li key={vehicle.reference}>
          <VehicleRow vehicle={vehicle} assessment={assessVehicle(vehicle)} onPick={() => onPick(vehicle)} />
          {unconfirmedReference === vehicle.reference && (
            <div class="card ask" role="alertdialog" aria-label={t("takeAllTheSame")}>
              <VehicleWarnings assessment={assessVehicle(vehicle)} vehicle={vehicle} category={category} />
              {booking && assessVehicle(vehicle).warnings.includes("other_category") && (
                <Upgrade booking={booking} vehicle={vehicle} onChoose={onChoose} />
              )}
              <button type="button" class="other" onClick={() => onChoose(vehicle)}>
                {t("takeThisAllTheSame", { plate: getPlateOrReference(vehicle) })}
              </button>
              <button type="button" class="other" onClick={onCancel}>
                {t("cancel")}
              </button>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly vehicle: Vehicle;
  readonly assessment: VehicleAssessment;
  readonly onPick: () => void;
}

const VehicleRow = ({ vehicle, assessment, onPick }: RowProps) => (
  <button type="button" class="entry vehicle" onClick={onPick}>
    <span class="grow">
      <span class="row wrap">
        <Plate text={getPlateOrReference(vehicle)} />
        <VehicleStateChip state={assessment.state} />
      </span>
      <b class="who">{vehicle.name}</b>
      <span class="where">
        {getCategoryName(vehicle.category_code)} · {vehicle.stock_reference ?? vehicle.reference}
      </span>
      <VehicleUnavailability assessment={assessment} />
      <ParkingLocation vehicle={vehicle} />
    </span>
  </button>
);

/** Announces the scanned code to screen readers. */
const ReadCode = ({ code }: { readonly code: string }) => (
  <p class={code === "" ? "hidden" : "soft"} role="status">
    {code !== "" && t("scanRead", { text: code })}
  </p>
);

export const getPlateOrReference = (vehicle: Vehicle) => vehicle.stock_plate ?? vehicle.reference;

const choose = (vehicle: Vehicle): Promise<void> =>
  changeOpenWork({
    vehicle_reference: vehicle.reference,
    plate: getPlateOrReference(vehicle),
  } satisfies Partial<WorkDraft>);

function withAssigned(assigned: Vehicle | undefined): readonly Vehicle[] {
  const isKnown = loadedVehicles.value.some(({ reference }) => reference === assigned?.reference);
  return assigned && !isKnown ? [assigned, ...loadedVehicles.value] : loadedVehicles.value;
}

/**
 * Ranks a vehicle, lower is better: available ones of the category, then those with warnings, unavailable ones last.
 */
function rank({ state, warnings }: VehicleAssessment, isCandidate: boolean): number {
  const warningCount = warnings.filter((warning) => warning !== state).length;
  return (state === "free" ? 0 : 8) + warningCount * 2 + (isCandidate ? 0 : 1);
}

function search(all: readonly Vehicle[], text: string, getRank: (vehicle: Vehicle) => number): readonly Vehicle[] {
  const foldedText = foldSearchText(text);
  const offered = foldedText === "" ? all : all.filter((vehicle) => matchesVehicleText(vehicle, foldedText));
  const ranked = offered.map((vehicle) => [getRank(vehicle), vehicle] as const);
  return ranked.toSorted(([a], [b]) => a - b).map(([, vehicle]) => vehicle);
}
