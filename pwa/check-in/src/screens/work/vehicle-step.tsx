import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Vehicle } from "../../api/messages.ts";
import { hasCamera } from "../../capture/camera.ts";
import { t } from "../../i18n/texts.ts";
import { bookingOf, day, fleet, fleetAt, loadFleet, unitOf } from "../../state/day.ts";
import { folded } from "../../state/entries.ts";
import { phoneMomentText } from "../../state/moments.ts";
import { answersTo, vehicleCodeOf, vehicleOfCode } from "../../state/vehicle-code.ts";
import { stateFor, type VehicleState } from "../../state/vehicle-state.ts";
import { change } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Chip, Plate } from "../../ui/parts.tsx";
import type { ScannerProps } from "./scanner.tsx";
import type { StepProps } from "./step-props.ts";

const SHOWN = 12;

/** Which vehicle goes out: the one assigned, or another of the fleet by plate, alias or reference. */
export function VehicleStep({ draft, frame, onNext }: StepProps) {
  const [wanted, setWanted] = useState("");
  const [code, setCode] = useState("");
  useEffect(() => void loadFleet(), []);
  const booking = bookingOf(draft.booking_id);
  const unit = booking && draft.resource_id !== null ? unitOf(booking, draft.resource_id) : undefined;
  const all = withAssigned(unit?.vehicle ?? undefined);
  const chosen = all.find(({ reference }) => reference === draft.vehicle_reference);
  const candidates = day.value?.data.candidates[unit?.category_code ?? ""] ?? [];
  const stateOf = (vehicle: Vehicle) => stateFor(vehicle, booking);
  const matching = search(all, wanted, candidates, unit?.category_code, stateOf);
  const found = matching.filter((vehicle) => vehicle !== chosen);
  const onCode = (text: string) => {
    const read = vehicleCodeOf(text);
    const meant = vehicleOfCode(all, read);
    setCode(read);
    setWanted(read);
    if (meant) void choose(meant);
  };
  const action = (
    <button type="button" class="main" disabled={!draft.vehicle_reference} onClick={onNext}>
      {t(chosen ? "takeThis" : "chooseVehicle", { plate: chosen ? plateOf(chosen) : "" })}
    </button>
  );
  return frame(
    action,
    <>
      {chosen && (
        <section class="card chosen">
          <div class="row">
            <Plate text={plateOf(chosen)} isLarge />
            <StateChip state={stateOf(chosen)} />
          </div>
          <p>
            {chosen.name} · {chosen.category_code} · {t("kilometresOf", { km: chosen.kilometres })}
          </p>
        </section>
      )}
      <Scan onCode={onCode}>
        <label class="search grow">
          <Icon name="search" />
          <input
            type="search"
            autocapitalize="characters"
            placeholder={t("searchPlate")}
            aria-label={t("searchVehicle")}
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </label>
      </Scan>
      <ReadCode code={code === wanted ? code : ""} />
      <ul class="entries">
        {found.slice(0, SHOWN).map((vehicle) => (
          <li key={vehicle.reference}>
            <button type="button" class="entry" onClick={() => void choose(vehicle)}>
              <Plate text={plateOf(vehicle)} />
              <span class="grow">
                <b class="who">{vehicle.name}</b>
                <span class="where">
                  {vehicle.category_code} · {vehicle.stock_reference ?? vehicle.reference}
                </span>
              </span>
              <StateChip state={stateOf(vehicle)} />
            </button>
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p class="soft">{t("nothingFound")}</p>}
      {fleetAt.value && <p class="fresh">{t("asOf", { time: phoneMomentText(fleetAt.value) })}</p>}
    </>,
  );
}

/** Heard by who does not see the search change. */
const ReadCode = ({ code }: { readonly code: string }) => (
  <p class={code === "" ? "hidden" : "soft"} role="status">
    {code !== "" && t("scanRead", { text: code })}
  </p>
);

interface ScanProps {
  readonly onCode: (text: string) => void;
  /** The search, whose text the scanner finds. */
  readonly children: ComponentChildren;
}

/** The search with a button to scan instead, where there is a camera; the scanner is loaded when it is first wanted. */
function Scan({ onCode, children }: ScanProps) {
  const [isPossible, setIsPossible] = useState(false);
  const [Scanner, setScanner] = useState<ComponentType<ScannerProps> | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => void hasCamera().then(setIsPossible), []);
  const open = async () => {
    const { default: Loaded } = await import("./scanner.tsx");
    setScanner(() => Loaded);
  };
  const close = () => {
    setScanner(undefined);
    button.current?.focus();
  };
  return (
    <>
      <div class="row">
        {children}
        {isPossible && (
          <button ref={button} type="button" class="small scan" aria-expanded={!!Scanner} onClick={() => void open()}>
            <Icon name="scan" />
            <span>{t("scan")}</span>
          </button>
        )}
      </div>
      {Scanner && (
        <Scanner
          onClose={close}
          onCode={(text) => {
            close();
            onCode(text);
          }}
        />
      )}
    </>
  );
}

export const plateOf = (vehicle: Vehicle) => vehicle.stock_plate ?? vehicle.reference;

const choose = (vehicle: Vehicle) => change({ vehicle_reference: vehicle.reference, plate: plateOf(vehicle) });

function withAssigned(assigned: Vehicle | undefined): readonly Vehicle[] {
  const isKnown = fleet.value.some(({ reference }) => reference === assigned?.reference);
  return assigned && !isKnown ? [assigned, ...fleet.value] : fleet.value;
}

function search(
  all: readonly Vehicle[],
  text: string,
  candidates: readonly string[],
  category: string | undefined,
  stateOf: (vehicle: Vehicle) => VehicleState,
): readonly Vehicle[] {
  const wanted = folded(text);
  // Without a word to look for, those that could go out; those of the category first.
  const isFree = (vehicle: Vehicle) => stateOf(vehicle) === "free";
  const rank = (vehicle: Vehicle) =>
    (candidates.includes(vehicle.reference) ? 0 : 4) +
    (vehicle.category_code === category ? 0 : 2) +
    (isFree(vehicle) ? 0 : 1);
  const offered = wanted === "" ? all.filter(isFree) : all.filter((vehicle) => answersTo(vehicle, wanted));
  return offered.toSorted((a, b) => rank(a) - rank(b));
}

const VEHICLE_TONES = { free: "done", out: "held", blocked: "refused", promised: "held" } as const;

const StateChip = ({ state }: { readonly state: VehicleState }) => (
  <Chip tone={VEHICLE_TONES[state]}>{t(`vehicle_${state}`)}</Chip>
);
