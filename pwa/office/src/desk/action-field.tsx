import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import {
  account,
  formatMoney,
  getBranchName,
  getCategoryName,
  getExtraName,
  getPlaceName,
  isZeroAmount,
  listCategoryChoices,
} from "../account.ts";
import { t, tOr } from "../texts.ts";
import type { AssignableVehicle } from "./assignable-vehicles.ts";
import { DamageListInput } from "./damage-list-input.tsx";
import { type FieldAttributes, FieldFrame } from "./field-frame.tsx";
import type { ActionField as Field } from "./form-field.ts";
import { getFuelLabel, isFuelField, listFuelLevels } from "./fuel-levels.ts";
import { BasicInput, getEmptyChoiceText, type InputAttributes, Select, type SelectChoice } from "./inputs.tsx";
import type { Reservation } from "./reservation.ts";
import { getDocumentNumberHint } from "./tax-number-warning.ts";
import { getRecordName } from "./transfer-names.ts";
import { useOptions } from "./use-options.ts";
import type { Vehicle } from "./use-vehicle-detail.ts";

interface ActionFieldProps {
  readonly field: Field;
  readonly value: unknown;
  /** The reservation. Not set for a new one. */
  readonly of?: Reservation;
  readonly vehicles?: readonly AssignableVehicle[] | undefined;
  /** The vehicle of a fuel level, once it is loaded. */
  readonly vehicle?: Vehicle | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function getActionFieldLabel({ field: { name, label }, vehicle }: ActionFieldProps): string {
  if (label) return t(label);
  return isFuelField(name) ? getFuelLabel(name, vehicle) : tOr(`in.${name}`, tOr(`field.${name}`, name));
}

/** Form field of a booking action, with its error. */
export function ActionFieldInput(props: ActionFieldProps) {
  const { field, problem } = props;
  const label = getActionFieldLabel(props);
  if (field.kind === "extras" || field.kind === "transferExtras" || field.kind === "damages")
    return (
      <fieldset class="wide">
        <legend>{label}</legend>
        {field.kind === "damages" ? (
          <DamageListInput name={field.name} value={props.value} onChange={props.onChange} />
        ) : (
          <ExtraQuantitiesInput kind={field.kind} value={props.value} onChange={props.onChange} />
        )}
        {problem && <p class="problem">{problem}</p>}
      </fieldset>
    );
  const wide = field.isWide || WIDE.includes(field.kind) || field.name.endsWith("reason");
  return (
    <FieldFrame
      label={label}
      isRequired={field.required}
      {...getDocumentNumberHint(field.name, props.value)}
      problem={problem}
      isWide={wide}
      isFlag={field.kind === "flag"}
    >
      {(framed) => <Input {...props} {...framed} />}
    </FieldFrame>
  );
}

const WIDE: readonly string[] = [
  "long",
  "vehicle",
  "flag",
  "pickup",
  "return",
  "branch",
  "point",
  "transferVehicle",
  "charged",
];

type InputProps = ActionFieldProps & FieldAttributes;

function Input({ field, value, of, vehicle, vehicles, problem, onChange, id, describedBy }: InputProps) {
  const text = String(value ?? "");
  const attributes = {
    id,
    name: field.name,
    "aria-describedby": describedBy,
    "aria-invalid": problem !== undefined,
  };
  const common = { ...attributes, value: text, onChange };
  switch (field.kind) {
    case "pickup":
    case "return":
      return <PlaceSelect {...common} kind={field.kind} />;
    case "point":
      return <PointSelect {...common} />;
    case "transferVehicle":
      return <TransferVehicleSelect {...common} />;
    case "charged":
      return <ChargedSelect {...common} />;
    case "category":
      return <Select {...common} choices={listCategoryChoices()} />;
    case "branch":
      return (
        <Select
          {...common}
          none={t("asAgreed", { what: getBranchName(of?.return_rental_location_code ?? "") })}
          choices={account.value.rental_locations.map(({ code, name }) => [code, name])}
        />
      );
    case "fuel":
      return <Select {...common} none={t("nothing")} choices={listFuelLevels(vehicle)} />;
    case "paymentWay":
      return (
        <Select
          {...common}
          none={t("asItWasPaid")}
          choices={DESK_PAYMENT_METHODS.map((method) => [method, t(`method.${method}`)])}
        />
      );
    case "unit":
      return <Select {...common} none={t("nextUnit")} choices={of?.units.map(toUnitChoice) ?? []} />;
    case "vehicle":
      return (
        <Select
          {...common}
          none={vehicles ? t(field.required ? "choose" : "noVehicle") : `${t("loading")}`}
          choices={vehicles?.map(toVehicleChoice) ?? []}
        />
      );
    case "long":
    case "text":
      return <BasicInput {...common} kind={field.kind} />;
    case "extras":
    case "transferExtras":
    case "damages":
      // Shown as a group of inputs by `ActionFieldInput`.
      return null;
    default:
      return <BasicInput {...attributes} kind={field.kind} value={value} onChange={onChange} />;
  }
}

function toUnitChoice({ id, reference }: Reservation["units"][number], index: number): SelectChoice {
  return [id, `${t("unitNo", { n: index + 1 })} · ${reference ?? t("noVehicle")}`];
}

function toVehicleChoice(vehicle: AssignableVehicle): SelectChoice {
  const parts = [vehicle.reference, vehicle.plate, getCategoryName(vehicle.category)];
  return [vehicle.reference, `${parts.filter(Boolean).join(" · ")} – ${vehicleState(vehicle)}`];
}

interface OptionSelectProps extends InputAttributes {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface PlaceSelectProps extends OptionSelectProps {
  readonly kind: "pickup" | "return";
}

const getFirstChoice = (value: string) => getEmptyChoiceText(value, true);

/** Choice of a pickup or return place. */
export function PlaceSelect({ kind, ...rest }: PlaceSelectProps) {
  const places = useOptions("places").filter((place) => (kind === "pickup" ? place.is_pickup : place.is_return));
  return (
    <Select
      {...rest}
      none={getFirstChoice(rest.value)}
      choices={places.map(({ id, name }) => [id, getPlaceName(id, name)])}
    />
  );
}

// Choice of a transfer point.
function PointSelect(props: OptionSelectProps) {
  const points = useOptions("transfer-points").filter(({ id, active }) => active || String(id) === props.value);
  return (
    <Select
      {...props}
      none={getFirstChoice(props.value)}
      choices={points.map((point) => [point.id, getRecordName(point)])}
    />
  );
}

function TransferVehicleSelect(props: OptionSelectProps) {
  const vehicles = useOptions("transfer-vehicles").filter(({ id, active }) => active || String(id) === props.value);
  const choices = vehicles.map(
    (vehicle) => [vehicle.id, `${getRecordName(vehicle)} · ${t("seats", { n: vehicle.seats })}`] as const,
  );
  return <Select {...props} choices={choices} />;
}

// Extras that can't be sold exist only to charge something, such as damage, so they come first.
function ChargedSelect(props: OptionSelectProps) {
  const extras = useOptions("extras").toSorted((useOption, other) => Number(useOption.active) - Number(other.active));
  const formatPrice = ({ price, price_per: per }: (typeof extras)[number]) =>
    per === "rental" && !isZeroAmount(price) ? ` · ${formatMoney(price)}` : "";
  const choices = extras.map(
    (extra) => [extra.code, `${getExtraName(extra.code, extra.name)}${formatPrice(extra)}`] as const,
  );
  return <Select {...props} none={getFirstChoice(props.value)} choices={choices} />;
}

interface ExtrasProps {
  readonly kind?: "extras" | "transferExtras";
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Quantities of extras. */
export function ExtraQuantitiesInput({ kind = "extras", value, onChange }: ExtrasProps) {
  const extras = useOptions(kind === "extras" ? "extras" : "transfer-extras");
  const chosen = (value ?? {}) as Readonly<Record<string, number>>;
  return (
    <div class="extras">
      {extras
        .filter(({ active, code }) => active || (chosen[code] ?? 0) > 0)
        .map(({ code, max_quantity: maxQuantity, ...extra }) => (
          <label key={code}>
            <input
              type="number"
              min={0}
              max={maxQuantity}
              value={String(chosen[code] ?? 0)}
              onInput={(event) => onChange({ ...chosen, [code]: Number(event.currentTarget.value) })}
            />
            <span>{getRecordName(extra)}</span>
          </label>
        ))}
    </div>
  );
}

function vehicleState({ customerOrBlockKind, lateWith, ending }: AssignableVehicle): string {
  const ends = ending.map((permit) => t(`ending.${permit}`));
  return [formatOccupant({ customerOrBlockKind, lateWith }), ...ends].join(", ");
}

function formatOccupant({
  customerOrBlockKind,
  lateWith,
}: Pick<AssignableVehicle, "customerOrBlockKind" | "lateWith">): string {
  if (customerOrBlockKind) return t("takenBy", { who: tOr(`block.${customerOrBlockKind}`, customerOrBlockKind) });
  return lateWith ? t("lateWith", { who: lateWith }) : t("free");
}
