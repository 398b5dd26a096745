import { useState } from "preact/hooks";
import { DEFAULT_HAND_OVER_CHECK_MODE } from "#domain/catalogue/hand-over-checks.ts";
import type { FieldWithKind } from "#domain/catalogue/resources/fields.ts";
import type { Problem } from "#domain/problems.ts";
import { FieldFrame } from "../desk/field-frame.tsx";
import { Select, type SelectChoice } from "../desk/inputs.tsx";
import { getKeyValueFieldLabel, translateOption } from "../desk/names.ts";
import { formatReason } from "../desk/problem-texts.ts";
import { t, tOr } from "../texts.ts";

/** Merchant fields of each gateway (docs/interfaces/payments.md). */
const MERCHANTS: Readonly<Record<string, readonly string[]>> = {
  tpvA256: ["merchantCode", "terminal", "signatureVersion"],
  tpvB: ["merchantId", "acquirerBin", "terminalId"],
  tpvC: ["merchantId", "account"],
  wallet_standard: ["business"],
  stripe: [],
};
const SIGNATURES = ["HMAC_SHA256_V1", "HMAC_SHA512_V2"];
const SERIES = ["full", "advance", "simplified", "credit_note", "internal_bond"];

type Texts = Readonly<Record<string, string>>;

interface RecordProps {
  readonly field: FieldWithKind<"record">;
  readonly value: unknown;
  readonly otherValues: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  readonly onChange: (value: unknown) => void;
}

/**
 * Input of named texts. Known names have a field each. Free names have a field each for existing ones, and one for a
 * new name.
 */
export function KeyValueFieldInput(props: RecordProps) {
  const { field, otherValues } = props;
  if (field.name === "merchant") {
    const names = MERCHANTS[String(otherValues["method"])];
    return names ? <Named {...props} names={names} /> : <p class="soft">{t("chooseMethod")}</p>;
  }
  const names = field.name === "series_letters" ? SERIES : field.names;
  return names ? <Named {...props} names={names} /> : <Open {...props} />;
}

function Named({ field, value, problems, onChange, names }: RecordProps & { readonly names: readonly string[] }) {
  const record = (value ?? {}) as Texts;
  // If the names are fixed, an empty text removes the entry. A free name keeps its empty text.
  const isLeftOut = (text: string) => field.names !== undefined && text === "";
  const setText = (name: string, text: string) => {
    const others = Object.entries(record).filter(([entry]) => entry !== name);
    onChange(Object.fromEntries(isLeftOut(text) ? others : [...others, [name, text]]));
  };
  return (
    <div class="line">
      {names.map((name) => {
        const choices = listChoices(field, name);
        const own = problems.filter((problem) => problem.field === `${field.name}.${name}`);
        return (
          <FieldFrame
            key={name}
            label={getKeyValueFieldLabel(name)}
            hint={tOr(`merchantForm.${name}`, "") || undefined}
            problem={own.map(formatReason).join(" ") || undefined}
          >
            {({ id, describedBy }) =>
              choices ? (
                <Select
                  id={id}
                  aria-describedby={describedBy}
                  value={record[name] ?? (field.options && DEFAULT_HAND_OVER_CHECK_MODE) ?? ""}
                  none={field.options ? undefined : t("choose")}
                  choices={choices}
                  onChange={(choice) => setText(name, choice)}
                />
              ) : (
                <input
                  id={id}
                  aria-describedby={describedBy}
                  aria-invalid={own.length > 0}
                  value={record[name] ?? ""}
                  autocomplete="off"
                  onInput={(event) => setText(name, event.currentTarget.value)}
                />
              )
            }
          </FieldFrame>
        );
      })}
    </div>
  );
}

/** Returns the choices of an entry. Undefined if its text is free. */
function listChoices(field: FieldWithKind<"record">, name: string): readonly SelectChoice[] | undefined {
  if (name === "signatureVersion") return SIGNATURES.map((signature) => [signature, signature]);
  return field.options?.map((option) => [option, translateOption(field.name, option)]);
}

// Input with free names: existing ones and a new one.
function Open(props: RecordProps) {
  const { field, value, onChange } = props;
  const record = (value ?? {}) as Texts;
  const names = Object.keys(record);
  const without = (name: string) => Object.fromEntries(Object.entries(record).filter(([text]) => text !== name));
  return (
    <>
      <Named {...props} names={names} />
      {field.isOpen &&
        names.map((name) => (
          <button key={name} type="button" class="small" onClick={() => onChange(without(name))}>
            {t("remove")}: {name}
          </button>
        ))}
      {field.isOpen && <NewName names={names} onAdd={(name) => onChange({ ...record, [name]: "" })} />}
    </>
  );
}

interface NewNameProps {
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

// Adds a new name. Its text is entered in a separate field.
function NewName({ names, onAdd }: NewNameProps) {
  const [name, setName] = useState("");
  const trimmedName = name.trim();
  const add = () => {
    onAdd(trimmedName);
    setName("");
  };
  return (
    <div class="field">
      <label>
        {t("recordName")}
        <input value={name} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="button" class="small" disabled={trimmedName === "" || names.includes(trimmedName)} onClick={add}>
        {t("recordAdd")}
      </button>
    </div>
  );
}
