import { useLayoutEffect, useRef } from "preact/hooks";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { Problem } from "#domain/problems.ts";
import { account, reportsToAuthorities, usesTaxRecords } from "../account.ts";
import { urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { formatCell } from "./cell-text.ts";
import { FieldInput } from "./field-input.tsx";
import type { ResourceOptions, ResourceRecord } from "./resources.ts";
import { groupSettingFields, type SettingFieldGroup } from "./setting-groups.ts";

interface FormFieldsProps {
  /** Whether the user may not change the record. */
  readonly isFixed: boolean;
  readonly resource: Resource;
  readonly record: ResourceRecord | undefined;
  readonly unsavedValues: Readonly<Record<string, unknown>>;
  readonly options: ResourceOptions;
  readonly problems: readonly Problem[];
  /** Values set by another user in the meantime, if there are unsaved changes here. */
  readonly conflictingRecord: ResourceRecord | undefined;
  readonly onSay: (name: string, value: unknown) => void;
}

/** Form fields from the declaration. Settings are grouped, with anchors. */
export function FormFields(props: FormFieldsProps) {
  const { resource, record } = props;
  const country = String(props.unsavedValues["country_code"] ?? record?.["country_code"] ?? account.value.country_code);
  const fields = resource.fields.filter((field) => (record || !field.isReadOnly) && isFieldVisible(field, country));
  if (resource.name !== "settings") return <Fields {...props} fields={fields} />;
  const groups = groupSettingFields(fields).filter(([, own]) => own.length > 0);
  return (
    <>
      {groups.map(([group, own]) => (
        <Group key={group} name={group}>
          <Fields {...props} fields={own} />
        </Group>
      ))}
    </>
  );
}

// Whether a field is relevant. Fields of Spanish laws need a company in Spain or one that reports to its authorities.
function isFieldVisible({ name }: ResourceField, country: string): boolean {
  if (name.startsWith("tax_")) return usesTaxRecords(country);
  return /^(?:ses_|rental_register$)/.test(name) ? reportsToAuthorities(country) : true;
}

function Group({ name, children }: { readonly name: SettingFieldGroup; readonly children: preact.ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (urlQuery.value.get("group") !== name) return;
    heading.current?.scrollIntoView();
    heading.current?.focus();
  }, [urlQuery.value]);
  return (
    <section class="wide setting-group" aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`} ref={heading} tabIndex={-1}>
        {t(`group.${name}`)}
      </h2>
      <div class="setting-fields">{children}</div>
    </section>
  );
}

function Fields(props: FormFieldsProps & { readonly fields: readonly ResourceField[] }) {
  const { isFixed, resource, fields, record, unsavedValues, options, problems, conflictingRecord, onSay } = props;
  return (
    <>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          of={resource.name}
          field={field}
          value={unsavedValues[field.name] ?? record?.[field.name] ?? getInitialValue(field)}
          otherValues={{ ...record, ...unsavedValues }}
          options={options}
          problems={problems}
          isFixed={isFixed || field.isReadOnly === true || (record !== undefined && field.fixed === true)}
          isKept={record?.[`has_${field.name}`] === true}
          conflictingValue={
            conflictingRecord && differs(conflictingRecord[field.name], record?.[field.name])
              ? formatCell(field, conflictingRecord, options)
              : ""
          }
          onChange={(value) => onSay(field.name, value)}
        />
      ))}
    </>
  );
}

function getInitialValue({ initial }: ResourceField): unknown {
  return initial && "is" in initial ? initial.is : undefined;
}

function differs(item: unknown, other: unknown): boolean {
  return JSON.stringify(item) !== JSON.stringify(other);
}
