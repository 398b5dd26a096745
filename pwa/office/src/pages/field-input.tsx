import { useId } from "preact/hooks";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { MAX_LINE_LENGTH, type ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Problem } from "#domain/problems.ts";
import { LANGUAGES } from "#shared/i18n.ts";
import { account } from "../account.ts";
import { BasicInput, Select, type SelectChoice } from "../desk/inputs.tsx";
import { getLanguageName, translateOption } from "../desk/names.ts";
import { isPhotoField, PhotoUpload } from "../desk/photo-input.tsx";
import { formatReason } from "../desk/problem-texts.ts";
import { isMistypedTaxNumber } from "../desk/tax-number-warning.ts";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";
import { CheckboxGroup, RowsInput, TranslationsInput } from "./list-inputs.tsx";
import { getNumberParser } from "./normalize-decimals.ts";
import { KeyValueFieldInput } from "./record-input.tsx";
import type { ResourceOptions } from "./resources.ts";

export interface FieldProps {
  /** Resource of the field. */
  readonly of: ResourceName;
  readonly field: ResourceField;
  readonly value: unknown;
  /** Values of the related fields. */
  readonly otherValues: Readonly<Record<string, unknown>>;
  readonly options: ResourceOptions;
  readonly problems: readonly Problem[];
  readonly isFixed: boolean;
  /** Whether a secret is already stored. */
  readonly isKept: boolean;
  /** Value set by another user in the meantime. */
  readonly conflictingValue: string;
  readonly onChange: (value: unknown) => void;
}

/** Form field created from its declaration, with its errors. */
export function FieldInput(props: FieldProps) {
  const { field, problems } = props;
  const id = useId();
  const own = problems.filter((problem) => problem.field === field.name);
  const label = tOr(`field.${field.name}`, field.name);
  const isWide = MANY.has(field.kind) || isLong(field) || hasManyChoices(field);
  const described = [getFieldHint(props) && `${id}-hint`, own.length > 0 && `${id}-problem`].filter(Boolean).join(" ");
  const describedBy = described || undefined;
  const control = <FieldControl {...props} id={id} own={own} />;
  if (MANY.has(field.kind) || field.kind === "references" || isChecked(field)) {
    return (
      <fieldset class={isWide ? "wide" : ""} disabled={props.isFixed} aria-describedby={describedBy}>
        <legend>{label}</legend>
        <Many {...props} />
        {control}
      </fieldset>
    );
  }
  return (
    <div class={getFieldClass(field, isWide)}>
      <label for={id}>
        <span>
          {label}
          {field.required && <span aria-hidden="true"> *</span>}
        </span>
      </label>
      <Single {...props} id={id} isWrong={own.length > 0} describedBy={describedBy} />
      {isPhotoField(field.name) && !props.isFixed && (
        <PhotoUpload label={label} value={String(props.value ?? "")} onChange={props.onChange} />
      )}
      {control}
    </div>
  );
}

function getFieldClass({ kind }: ResourceField, isWide: boolean): string {
  if (kind === "flag") return "field check flag";
  return isWide ? "field wide" : "field";
}

const MANY: ReadonlySet<ResourceField["kind"]> = new Set(["rows", "texts", "record"]);

interface FieldControlProps extends FieldProps {
  readonly id: string;
  readonly own: readonly Problem[];
}

// Input with its hint, another user's value and its errors.
function FieldControl({ id, own, ...props }: FieldControlProps) {
  const { field, options, conflictingValue } = props;
  const hint = getFieldHint(props);
  const isWarned =
    field.name === "document_id" &&
    isMistypedTaxNumber(props.value, { isCompany: true, country: props.otherValues["address_country_code"] });
  const isEmpty = field.kind === "reference" && field.required && (options[field.name] ?? []).length === 0;
  return (
    <>
      {hint && (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isWarned && (
        <p class="waits" role="status">
          {t("checkLetter")}
        </p>
      )}
      {isEmpty && (
        <p class="waits">
          {t("noneYet")} <a href={linkTo("list", field.to, "new")}>{`${t(`list.${field.to}`)}: ${t("makeFirst")}`}</a>
        </p>
      )}
      {conflictingValue && <p class="theirs">{t("theirs", { value: conflictingValue })}</p>}
      {own.length > 0 && (
        <p class="problem" id={`${id}-problem`}>
          {own.map(formatReason).join(" ")}
        </p>
      )}
    </>
  );
}

function getFieldHint({ of, field }: FieldProps): string {
  return tOr(`hint.${of}.${field.name}`, tOr(`hint.${field.name}`, ""));
}

const FEW = 8;

function hasManyChoices(field: ResourceField): boolean {
  return field.kind === "list" && (field.options?.length ?? 0) > FEW;
}

function isLong(field: ResourceField): boolean {
  return field.kind === "text" && field.longest > MAX_LINE_LENGTH;
}

function isChecked(field: ResourceField): boolean {
  return field.kind === "list" && (field.of === "weekday" || field.of === "choice");
}

function Many({ field, value, otherValues, options, problems, onChange }: FieldProps) {
  switch (field.kind) {
    case "rows":
      return <RowsInput field={field} value={value} options={options} problems={problems} onChange={onChange} />;
    case "texts":
      return <TranslationsInput field={field} value={value} onChange={onChange} />;
    case "record":
      return (
        <KeyValueFieldInput
          field={field}
          value={value}
          otherValues={otherValues}
          problems={problems}
          onChange={onChange}
        />
      );
    default:
      return <CheckboxGroup choices={listChoices(field, options)} value={value} onChange={onChange} />;
  }
}

function listChoices(field: ResourceField, options: ResourceOptions): readonly SelectChoice[] {
  if (field.kind === "references") return (options[field.name] ?? []).map(({ id, name }) => [id, name]);
  if (field.kind !== "list") return [];
  if (field.of === "weekday") return [1, 2, 3, 4, 5, 6, 7].map((day) => [day, tOr(`day.${day}`, String(day))]);
  return (field.options ?? []).map((text) => [text, tOr(`option.${text}`, text)]);
}

interface SingleProps extends FieldProps {
  readonly id: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

/** Lists the languages to choose: of staff for users, otherwise of customers. Includes the stored one. */
export function listLanguageChoices(of: string, stored: string): readonly string[] {
  const languages = of === "users" ? LANGUAGES : [...PLATFORM_LANGUAGES, ...account.value.languages];
  return [...new Set([...languages, ...(stored === "" ? [] : [stored])])];
}

function Single({ field, value, otherValues, options, isFixed, isKept, onChange, ...own }: SingleProps) {
  const { id, isWrong, describedBy } = own;
  const common = { id, disabled: isFixed, "aria-describedby": describedBy, "aria-invalid": isWrong };
  const text = value === null || value === undefined ? "" : String(value);
  const select = (choices: readonly SelectChoice[]) => (
    <Select {...common} value={text} none={t("nothing")} choices={choices} onChange={onChange} />
  );
  switch (field.kind) {
    case "choice":
      return select(field.options.map((option) => [option, translateOption(field.name, option)]));
    case "reference":
      return select((options[field.name] ?? []).map((item) => [item.id, item.name]));
    case "list":
      return (
        <BasicInput
          {...common}
          kind="long"
          value={formatLines(value)}
          onChange={(lines) => onChange(toLines(String(lines)))}
        />
      );
    case "secret":
      return (
        <input
          {...common}
          type="password"
          autocomplete="new-password"
          placeholder={isKept ? t("secretKept") : ""}
          // An emptied field leaves the stored secret unchanged.
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    case "text":
      if (field.form === "language")
        return select(listLanguageChoices(own.of, text).map((code) => [code, getLanguageName(code)]));
      if (isLong(field)) return <BasicInput {...common} kind="long" rows={4} value={text} onChange={onChange} />;
      return <BasicInput {...common} kind="text" value={text} onChange={onChange} />;
    case "whole":
      if (field.name === "weekday") return select(listChoices({ ...field, kind: "list", of: "weekday" }, {}));
      return <BasicInput {...common} kind="whole" value={text} onChange={onChange} />;
    case "flag":
    case "date":
    case "time":
      return <BasicInput {...common} kind={field.kind} value={value} onChange={onChange} />;
    case "money":
    case "measured":
    case "percent":
      return (
        <BasicInput
          {...common}
          kind="money"
          read={getNumberParser(field, otherValues)}
          value={text}
          onChange={onChange}
        />
      );
    default:
      return (
        <input
          {...common}
          inputMode="decimal"
          autocomplete="off"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function formatLines(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : "";
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}
