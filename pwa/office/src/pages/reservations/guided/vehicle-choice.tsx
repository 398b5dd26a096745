import { formatMoment, getBranchName, getCategoryName } from "../../../account.ts";
import { toOfficePath } from "../../../api.ts";
import { useResource } from "../../../desk/use-resource.tsx";
import { type TextKey, t, tOr } from "../../../texts.ts";
import type { HandOverVehicles } from "../hand-over-vehicles.ts";
import { translateGuided as g } from "./texts.ts";

type HandOverVehicle = HandOverVehicles["data"][number];

/** Vehicles of a hand-over, those that can leave apart from the others. */
interface Vehicles {
  readonly free: readonly HandOverVehicle[];
  readonly others: readonly HandOverVehicle[];
  /** Returns why a vehicle can't leave, or undefined if it can. */
  readonly findRefusal: (reference: string) => TextKey | undefined;
  /** Returns the vehicle to propose: the assigned one, otherwise the first free one of the category. */
  readonly proposed: (assigned: string | null) => string | undefined;
}

const REFUSALS: Readonly<Partial<Record<HandOverVehicle["state"], TextKey>>> = {
  blocked: "refused.vehicle_blocked",
  reserved: "refused.vehicle_promised",
};

/** Loads the vehicles for a reservation's hand-over with their current availability. */
export function useHandOverVehicles(id: number, version: number): Vehicles | undefined {
  const { whole } = useResource<HandOverVehicles>(toOfficePath(`/reservations/${id}/vehicles`), { turn: version });
  if (!whole) return undefined;
  const free = whole.data.filter((vehicle) => vehicle.can_leave);
  return {
    free,
    others: whole.data.filter((vehicle) => !vehicle.can_leave),
    findRefusal: (reference) => {
      const vehicle = whole.data.find((listed) => listed.reference === reference);
      return vehicle?.can_leave ? undefined : (REFUSALS[vehicle?.state ?? "out"] ?? "refused.vehicle_unavailable");
    },
    proposed: (assigned) =>
      (
        free.find(({ reference }) => reference === assigned) ??
        free.find(({ is_own_category: isOwn, state }) => isOwn && state === "free") ??
        free.find(({ is_own_category: isOwn }) => isOwn)
      )?.reference,
  };
}

interface VehicleChoiceProps {
  readonly vehicles: Vehicles | undefined;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (reference: string) => void;
}

/** Choice among the vehicles that can leave. The others are listed with the reason. */
export function HandOverVehicleChoice({ vehicles, value, problem, onChange }: VehicleChoiceProps) {
  if (!vehicles) return <p class="wide">{t("loading")}</p>;
  const { free, others } = vehicles;
  const own = free.filter((vehicle) => vehicle.is_own_category || vehicle.reference === value);
  const otherCategories = free.filter((vehicle) => !own.includes(vehicle));
  const option = (vehicle: HandOverVehicle) => (
    <label key={vehicle.reference}>
      <input
        type="radio"
        name="reference"
        value={vehicle.reference}
        checked={vehicle.reference === value}
        aria-invalid={problem !== undefined}
        onChange={() => onChange(vehicle.reference)}
      />
      <span>
        <strong>{vehicle.stock_plate ?? vehicle.reference}</strong> {vehicle.name}
        <small>{listFacts(vehicle).join(" · ")}</small>
      </span>
    </label>
  );
  return (
    <fieldset class="wide vehicle-choice">
      <legend>{t("in.reference")}</legend>
      {own.length === 0 && <p class="notice refused">{g("noneFree")}</p>}
      <div class="vehicle-options">{own.map(option)}</div>
      {problem && <p class="problem">{problem}</p>}
      {otherCategories.length > 0 && (
        <details>
          <summary>{g("otherCategories", { n: otherCategories.length })}</summary>
          <div class="vehicle-options">{otherCategories.map(option)}</div>
        </details>
      )}
      {others.length > 0 && (
        <details>
          <summary>{g("notAvailable", { n: others.length })}</summary>
          <ul class="plain rows">
            {others.map((vehicle) => (
              <li key={vehicle.reference}>
                <span>
                  <strong>{vehicle.stock_plate ?? vehicle.reference}</strong> {vehicle.name}
                  <small>{listFacts(vehicle).join(" · ")}</small>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  );
}

const listFacts = (vehicle: HandOverVehicle): readonly string[] => [
  getCategoryName(vehicle.category_code),
  ...vehicle.states.map((state) => describe(state, vehicle)),
];

function describe(
  state: HandOverVehicle["state"],
  { out, reserved, block, rental_location_code: branch }: HandOverVehicle,
): string {
  switch (state) {
    case "out":
      return g("vehicle.out", { who: out?.customer_fullname ?? "", at: out ? toMoment(out) : "" });
    case "reserved":
      return g("vehicle.reserved", {
        who: reserved?.customer_fullname ?? "",
        at: reserved ? formatMoment(`${reserved.date_from} ${reserved.time_from}`) : "",
      });
    case "blocked":
      return g("vehicle.blocked", {
        why: tOr(`block.${block?.reason}`, block?.reason ?? ""),
        at: block ? formatMoment(block.to) : "",
      });
    case "wrong_branch":
      return g("vehicle.wrong_branch", { branch: getBranchName(branch) });
    default:
      return g(`vehicle.${state}`);
  }
}

const toMoment = (contract: NonNullable<HandOverVehicle["out"]>) =>
  formatMoment(`${contract.date_to} ${contract.time_to}`);
