import type { Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { formatDay } from "../../state/format-time.ts";
import { getCategoryName } from "../../state/names.ts";
import { getBranchName } from "../../state/settings.ts";
import type { VehicleAssessment, VehicleState, VehicleWarning } from "../../state/vehicle-status.ts";
import { Icon } from "../../ui/icon.tsx";
import { Chip } from "../../ui/parts.tsx";

const TONES = { free: "done", out: "held", blocked: "refused", promised: "held" } as const;

export const VehicleStateChip = ({ state }: { readonly state: VehicleState }) => (
  <Chip tone={TONES[state]}>{t(`vehicle_${state}`)}</Chip>
);

/** Explains who has the vehicle or until when it's unavailable. */
export function VehicleUnavailability({ assessment }: { readonly assessment: VehicleAssessment }) {
  const reason = whyNotFree(assessment);
  return reason === "" ? null : <span class="where">{reason}</span>;
}

function whyNotFree({ state, customerName, bookingId, from, until }: VehicleAssessment): string {
  if (state === "free") return "";
  const whom = customerName ?? (bookingId === undefined ? "" : t("booking", { id: bookingId }));
  const when = from && until ? t("fromUntil", { from: whenText(from), until: whenText(until) }) : untilText(until);
  return [whom, when].filter(Boolean).join(" · ");
}

const untilText = (until: string | undefined) => (until ? t("until", { date: whenText(until) }) : "");

/** Formats a time in the company's time zone: "Mon 3 May 10:00". */
const whenText = (text: string) => `${formatDay(text.slice(0, 10))} ${text.slice(11, 16)}`;

/** Parking location and key number of a vehicle, if known. */
export function ParkingLocation({ vehicle }: { readonly vehicle: Partial<Vehicle> }) {
  const locationParts = [
    vehicle.parking_place && t("standsAt", { place: vehicle.parking_place }),
    vehicle.key_number && t("keyIs", { key: vehicle.key_number }),
  ].filter(Boolean);
  return locationParts.length === 0 ? null : <span class="where">{locationParts.join(" · ")}</span>;
}

interface VehicleWarningsProps {
  readonly assessment: VehicleAssessment;
  readonly vehicle: Vehicle;
  /** Code of the category agreed in the contract. */
  readonly category: string | undefined;
}

/** Warnings about handing over this vehicle. */
export function VehicleWarnings({ assessment, vehicle, category }: VehicleWarningsProps) {
  if (assessment.warnings.length === 0) return null;
  return (
    <ul class="remarks">
      {assessment.warnings.map((warning) => (
        <li key={warning}>
          <Icon name="refused" size={18} />
          <span>{formatWarning(warning, assessment, vehicle, category)}</span>
        </li>
      ))}
    </ul>
  );
}

function formatWarning(
  warning: VehicleWarning,
  assessment: VehicleAssessment,
  vehicle: Vehicle,
  category: string | undefined,
): string {
  if (warning === "other_category") {
    return t("odd_other_category", { is: getCategoryName(vehicle.category_code), agreed: category ?? "" });
  }
  if (warning === "elsewhere") return t("odd_elsewhere", { where: getBranchName(vehicle.rental_location_code) });
  return [t(`odd_${warning}`), whyNotFree(assessment)].filter(Boolean).join(" ");
}
