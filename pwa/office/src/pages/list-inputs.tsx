import { useId } from "preact/hooks";
import type { FieldWithKind, ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Problem } from "#domain/problems.ts";
import { account } from "../account.ts";
import { AmountInput } from "../desk/amount-input.tsx";
import { isPhotoField, PhotoUpload } from "../desk/photo-input.tsx";
import { formatReason } from "../desk/problem-texts.ts";
import { Icon } from "../icons.tsx";
import { t, tOr } from "../texts.ts";
import { getNumberParser } from "./normalize-decimals.ts";
import type { ResourceOptions } from "./resources.ts";
import { listTextLanguages } from "./text-languages.ts";

type Row = Readonly<Record<string, unknown>>;
type OnChange = (value: unknown) => void;

interface ChecksProps {
  readonly choices: readonly (readonly [string | number, string])[];
  readonly value: unknown;
  readonly onChange: OnChange;
}

/** Checkbox group. */
export function CheckboxGroup({ choices, value, onChange }: ChecksProps) {
  const chosen = Array.isArray(value) ? (value as readonly (string | number)[]) : [];
  const toggle = (id: string | number) =>
    onChange(chosen.includes(id) ? chosen.filter((item) => item !== id) : [...chosen, id]);
  return (
    <div class="checks">
      {choices.map(([id, name]) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
          {name}
        </label>
      ))}
    </div>
  );
}

interface RowsProps {
  readonly field: FieldWithKind<"rows">;
  readonly value: unknown;
  readonly options: ResourceOptions;
  readonly problems: readonly Problem[];
  readonly onChange: OnChange;
}

/** Editable list within a record: periods, durations with prices, units. */
export function RowsInput({ field, value, options, problems, onChange }: RowsProps) {
  const rows = Array.isArray(value) ? (value as readonly Row[]) : [];
  const setValue = (index: number, name: string, newValue: unknown) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: newValue } : row)));
  return (
    <div class="lines">
      {rows.map((row, index) => (
        <div key={index} class="line">
          {field.fields.map((item) => {
            const own = problems.filter(({ field: at }) => at === `${field.name}.${index}.${item.name}`);
            return (
              <Cell
                key={item.name}
                field={item}
                value={row[item.name]}
                otherValues={row}
                options={options}
                problems={own}
                onChange={(newValue) => setValue(index, item.name, newValue)}
              />
            );
          })}
          <button
            type="button"
            aria-label={t("removeRow", { n: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <Icon name="close" isSmall />
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...rows, {}])}>
        {t("addRow")}
      </button>
    </div>
  );
}

interface CellProps {
  readonly field: ResourceField;
  readonly value: unknown;
  /** Values of the related fields. */
  readonly otherValues: Row;
  readonly options: ResourceOptions;
  readonly problems: readonly Problem[];
  readonly onChange: OnChange;
}

// The error is outside the label, because it would otherwise be part of the field's accessible name.
function Cell(props: CellProps) {
  const { field, problems } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        <span>
          {tOr(`field.${field.name}`, field.name)}
          {field.required && <span aria-hidden="true"> *</span>}
        </span>
      </label>
      <CellInput {...props} id={id} />
      <p class="problem" id={`${id}-problem`}>
        {problems.map(formatReason).join(" ")}
      </p>
    </div>
  );
}

function CellInput({
  field,
  value,
  otherValues,
  options,
  problems,
  onChange,
  id,
}: CellProps & { readonly id: string }) {
  const text = value === null || value === undefined ? "" : String(value);
  const common = { id, "aria-invalid": problems.length > 0, "aria-describedby": `${id}-problem` };
  const choices = listChoices(field, options);
  if (!choices) {
    const newValue = (event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value);
    if (field.kind === "date" || field.kind === "time")
      return <input {...common} type={field.kind} value={text} onInput={newValue} />;
    const read = getNumberParser(field, otherValues);
    if (read) return <AmountInput {...common} value={text} read={read} onChange={onChange} />;
    const input = <input {...common} value={text} autocomplete="off" onInput={newValue} />;
    if (!isPhotoField(field.name)) return input;
    return (
      <>
        {input}
        <PhotoUpload label={tOr(`field.${field.name}`, field.name)} value={text} onChange={onChange} />
      </>
    );
  }
  return (
    <select {...common} value={text} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
      <option value="">{t("nothing")}</option>
      {choices.map(([text, name]) => (
        <option key={text} value={text}>
          {name}
        </option>
      ))}
    </select>
  );
}

function listChoices(
  field: ResourceField,
  options: ResourceOptions,
): readonly (readonly [string, string])[] | undefined {
  if (field.kind === "reference") return (options[field.name] ?? []).map(({ id, name }) => [String(id), name] as const);
  return field.kind === "choice"
    ? field.options.map((option) => [option, tOr(`option.${option}`, option)] as const)
    : undefined;
}

interface TextsProps {
  readonly field: FieldWithKind<"texts">;
  readonly value: unknown;
  readonly onChange: OnChange;
}

/** Translations, with one line per field and language. */
export function TranslationsInput({ field, value, onChange }: TextsProps) {
  const texts = (value ?? {}) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const isTranslated = field.fields.some((name) => listTextLanguages(account.value, texts[name]).length > 0);
  if (!isTranslated) return <p class="soft">{t("oneLanguage")}</p>;
  return (
    <div class="lines">
      {field.fields.map((name) => (
        <div key={name} class="line">
          {listTextLanguages(account.value, texts[name]).map((language) => (
            <label key={language}>
              {tOr(`field.${name}`, name)} ({language})
              <input
                lang={language}
                value={texts[name]?.[language] ?? ""}
                onInput={(event) =>
                  onChange({ ...texts, [name]: { ...texts[name], [language]: event.currentTarget.value } })
                }
              />
            </label>
          ))}
        </div>
      ))}
    </div>
  );
}
