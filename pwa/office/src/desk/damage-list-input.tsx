import { useId } from "preact/hooks";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { Icon } from "../icons.tsx";
import { t } from "../texts.ts";
import type { DamageInput } from "./action-forms.ts";

interface DamagesProps {
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: readonly DamageInput[]) => void;
}

const NEW: DamageInput = { part: "front_bumper", kind: "scratch", severity: "light", note: "" };

/** List of new damage with location, kind and severity. */
export function DamageListInput({ name, value, onChange }: DamagesProps) {
  const id = useId();
  const damages = (value ?? []) as readonly DamageInput[];
  const set = (index: number, changes: Partial<DamageInput>) =>
    onChange(damages.map((damage, at) => (at === index ? { ...damage, ...changes } : damage)));
  const choice = <Name extends "part" | "kind" | "severity">(
    index: number,
    part: Name,
    choices: readonly DamageInput[Name][],
    getText: (item: DamageInput[Name]) => string,
  ) => (
    <select
      aria-label={t(`in.damage.${part}`)}
      name={`${name}.${index}.${part}`}
      value={damages[index]?.[part]}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice === event.currentTarget.value);
        if (chosen) set(index, { [part]: chosen });
      }}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {getText(choice)}
        </option>
      ))}
    </select>
  );
  const add = () => {
    onChange([...damages, NEW]);
    // Focus the new damage, because the user continues there.
    requestAnimationFrame(() => document.getElementById(`${id}-${damages.length}`)?.querySelector("select")?.focus());
  };
  return (
    <>
      {damages.map((damage, index) => (
        <fieldset key={index} id={`${id}-${index}`} class="damage-row" aria-label={t("damageNo", { n: index + 1 })}>
          {choice(index, "part", VEHICLE_PARTS, (item) => t(`vehiclePart.${item}`))}
          {choice(index, "kind", DAMAGE_KINDS, (item) => t(`damage.${item}`))}
          {choice(index, "severity", DAMAGE_SEVERITIES, (item) => t(`severity.${item}`))}
          <input
            aria-label={t("in.notes")}
            name={`${name}.${index}.note`}
            placeholder={t("in.notes")}
            autocomplete="off"
            value={damage.note}
            onInput={(event) => set(index, { note: event.currentTarget.value })}
          />
          <button
            type="button"
            aria-label={t("removeDamage", { n: index + 1 })}
            onClick={() => onChange(damages.filter((_, at) => at !== index))}
          >
            <Icon name="close" isSmall />
          </button>
        </fieldset>
      ))}
      <button type="button" class="quiet" onClick={add}>
        {t("addDamage")}
      </button>
    </>
  );
}
