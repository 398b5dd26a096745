import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import { account, branchName, categoryName, isNothing, money } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { AmountInput } from "./amount-input.tsx";
import type { ChoosableVehicle } from "./choosable.ts";
import { Damages } from "./damages.tsx";
import { FieldFrame, type Framed } from "./field-frame.tsx";
import type { MoveField as Field } from "./form-field.ts";
import { useOptions } from "./options.ts";
import type { Reservation } from "./reservation.ts";

interface MoveFieldProps {
  readonly field: Field;
  readonly value: unknown;
  /** The reservation. Not set for a new one. */
  readonly of?: Reservation;
  readonly vehicles?: readonly ChoosableVehicle[] | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Form field of a booking action, with its error. */
export function MoveField(props: MoveFieldProps) {
  const { field, problem } = props;
  const label = field.label ? t(field.label) : tOr(`in.${field.name}`, tOr(`field.${field.name}`, field.name));
  if (field.kind === "extras" || field.kind === "transferExtras" || field.kind === "damages")
    return (
      <fieldset class="wide">
        <legend>{label}</legend>
        {field.kind === "damages" ? (
          <Damages name={field.name} value={props.value} onChange={props.onChange} />
        ) : (
          <Extras kind={field.kind} value={props.value} onChange={props.onChange} />
        )}
        {problem && <p class="problem">{problem}</p>}
      </fieldset>
    );
  const wide = field.isWide || WIDE.includes(field.kind) || field.name.endsWith("reason");
  return (
    <FieldFrame
      label={label}
      isRequired={field.required}
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

type InputProps = MoveFieldProps & Framed;

function Input({ field, value, of, vehicles, onChange, id, describedBy }: InputProps) {
  const common = { id, name: field.name, "aria-describedby": describedBy, "aria-invalid": describedBy !== undefined };
  const text = String(value ?? "");
  const handleInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value);
  switch (field.kind) {
    case "flag":
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "long":
      return <textarea {...common} rows={3} maxLength={2000} value={text} onInput={handleInput} />;
    case "pickup":
    case "return":
      return <PlaceSelect {...common} kind={field.kind} value={text} onChange={onChange} />;
    case "point":
      return <PointSelect {...common} value={text} onChange={onChange} />;
    case "transferVehicle":
      return <TransferVehicleSelect {...common} value={text} onChange={onChange} />;
    case "charged":
      return <ChargedSelect {...common} value={text} onChange={onChange} />;
    case "category":
      return (
        <select {...common} value={text} onChange={handleInput}>
          {account.value.categories.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      );
    case "branch":
      return (
        <select {...common} value={text} onChange={handleInput}>
          <option value="">{t("asAgreed", { what: branchName(of?.return_rental_location_code ?? "") })}</option>
          {account.value.rental_locations.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      );
    case "fuel":
      return (
        <select {...common} value={text} onChange={handleInput}>
          <option value="">{t("nothing")}</option>
          {[8, 7, 6, 5, 4, 3, 2, 1, 0].map((eighths) => (
            <option key={eighths} value={String(eighths)}>
              {eighths}/8
            </option>
          ))}
        </select>
      );
    case "paymentWay":
      return (
        <select {...common} value={text} onChange={handleInput}>
          <option value="">{t("asItWasPaid")}</option>
          {DESK_PAYMENT_METHODS.map((method) => (
            <option key={method} value={method}>
              {t(`method.${method}`)}
            </option>
          ))}
        </select>
      );
    case "unit":
      return (
        <select {...common} value={text} onChange={handleInput}>
          <option value="">{t("nextUnit")}</option>
          {of?.units.map(({ id: unit, reference }, index) => (
            <option key={unit} value={String(unit)}>
              {t("unitNo", { n: index + 1 })} · {reference ?? t("noVehicle")}
            </option>
          ))}
        </select>
      );
    case "vehicle":
      return (
        <select {...common} value={text} onChange={handleInput}>
          <option value="">{vehicles ? t(field.required ? "choose" : "noVehicle") : `${t("loading")}…`}</option>
          {vehicles?.map((vehicle) => (
            <option key={vehicle.reference} value={vehicle.reference}>
              {[vehicle.reference, vehicle.plate, categoryName(vehicle.category)].filter(Boolean).join(" · ")} –{" "}
              {vehicleState(vehicle)}
            </option>
          ))}
        </select>
      );
    case "whole":
      return <input {...common} inputMode="numeric" autocomplete="off" value={text} onInput={handleInput} />;
    case "money":
      return <AmountInput {...common} value={text} onChange={onChange} />;
    case "date":
    case "time":
      return <input {...common} type={field.kind} value={text} onInput={handleInput} />;
    case "email":
      return <input {...common} type="email" value={text} onInput={handleInput} />;
    default:
      return <input {...common} autocomplete="off" maxLength={500} value={text} onInput={handleInput} />;
  }
}

interface PlaceSelectProps {
  readonly id: string;
  readonly name: string;
  readonly kind: "pickup" | "return";
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Choice of a pickup or return place. */
export function PlaceSelect({ kind, value, onChange, ...common }: PlaceSelectProps) {
  const places = useOptions("places");
  return (
    <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {value === "" && <option value="">{t("choose")}</option>}
      {places
        .filter((place) => (kind === "pickup" ? place.is_pickup : place.is_return))
        .map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
    </select>
  );
}

type SelectProps = Omit<PlaceSelectProps, "kind">;

// Choice of a transfer point.
function PointSelect({ value, onChange, ...common }: SelectProps) {
  const points = useOptions("transfer-points");
  return (
    <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {value === "" && <option value="">{t("choose")}</option>}
      {points
        .filter(({ id, active }) => active || String(id) === value)
        .map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
    </select>
  );
}

function TransferVehicleSelect({ value, onChange, ...common }: SelectProps) {
  const vehicles = useOptions("transfer-vehicles");
  return (
    <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {vehicles
        .filter(({ id, active }) => active || String(id) === value)
        .map(({ id, name, seats }) => (
          <option key={id} value={String(id)}>
            {name} · {t("seats", { n: seats })}
          </option>
        ))}
    </select>
  );
}

// Extras that aren't sold exist only for charging, so they come first.
function ChargedSelect({ value, onChange, ...common }: SelectProps) {
  const extras = useOptions("extras").toSorted((useOption, other) => Number(useOption.active) - Number(other.active));
  const formatPrice = ({ price, price_per: per }: (typeof extras)[number]) =>
    per === "rental" && !isNothing(price) ? ` · ${money(price)}` : "";
  return (
    <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {value === "" && <option value="">{t("choose")}</option>}
      {extras.map((extra) => (
        <option key={extra.code} value={extra.code}>
          {extra.name}
          {formatPrice(extra)}
        </option>
      ))}
    </select>
  );
}

interface ExtrasProps {
  readonly kind?: "extras" | "transferExtras";
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Quantities of extras. */
export function Extras({ kind = "extras", value, onChange }: ExtrasProps) {
  const extras = useOptions(kind === "extras" ? "extras" : "transfer-extras");
  const chosen = (value ?? {}) as Readonly<Record<string, number>>;
  return (
    <div class="extras">
      {extras
        .filter(({ active, code }) => active || (chosen[code] ?? 0) > 0)
        .map(({ code, name, max_quantity: maxQuantity }) => (
          <label key={code}>
            <input
              type="number"
              min={0}
              max={maxQuantity}
              value={String(chosen[code] ?? 0)}
              onInput={(event) => onChange({ ...chosen, [code]: Number(event.currentTarget.value) })}
            />
            <span>{name}</span>
          </label>
        ))}
    </div>
  );
}

function vehicleState({ takenBy, lateWith, ending }: ChoosableVehicle): string {
  const ends = ending.map((what) => t(`ending.${what}`));
  return [whoHas({ takenBy, lateWith }), ...ends].join(", ");
}

function whoHas({ takenBy, lateWith }: Pick<ChoosableVehicle, "takenBy" | "lateWith">): string {
  if (takenBy) return t("takenBy", { who: tOr(`block.${takenBy}`, takenBy) });
  return lateWith ? t("lateWith", { who: lateWith }) : t("free");
}
