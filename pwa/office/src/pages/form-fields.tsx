import { useEffect, useRef } from "preact/hooks";
import type { Field } from "#domain/catalogue/resources/fields.ts";
import type { Problem } from "#domain/catalogue/resources/problems.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { account, knowsAuthorities, knowsTaxRecords } from "../account.ts";
import { query } from "../route.ts";
import { t } from "../texts.ts";
import { FieldInput } from "./field-input.tsx";
import { cellOf } from "./list.tsx";
import { type SettingGroup, settingGroups } from "./setting-groups.ts";
import type { Options, Thing } from "./things.ts";

interface FormFieldsProps {
  /** Whether who looks at it may not change it. */
  readonly isFixed: boolean;
  readonly resource: Resource;
  readonly thing: Thing | undefined;
  readonly said: Readonly<Record<string, unknown>>;
  readonly options: Options;
  readonly problems: readonly Problem[];
  /** What somebody else made of it meanwhile, where something was typed here. */
  readonly theirs: Thing | undefined;
  readonly onSay: (name: string, value: unknown) => void;
}

/** The fields of a form as they are declared; those of the settings in groups that can be linked to. */
export function FormFields(props: FormFieldsProps) {
  const { resource, thing } = props;
  const country = String(props.said["country_code"] ?? thing?.["country_code"] ?? account.value.country_code);
  const fields = resource.fields.filter((one) => (thing || !one.told) && isAsked(one, country));
  if (resource.name !== "settings") return <Fields {...props} fields={fields} />;
  const groups = settingGroups(fields).filter(([, own]) => own.length > 0);
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

// What the laws of Spain ask for: where the company is there, or tells its authorities something all the same.
function isAsked({ name }: Field, country: string): boolean {
  if (name.startsWith("tax_")) return knowsTaxRecords(country);
  return /^(?:ses_|rental_register$)/.test(name) ? knowsAuthorities(country) : true;
}

function Group({ name, children }: { readonly name: SettingGroup; readonly children: preact.ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (query.value.get("group") !== name) return;
    heading.current?.scrollIntoView();
    heading.current?.focus();
  }, [query.value]);
  return (
    <section class="wide setting-group" aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`} ref={heading} tabIndex={-1}>
        {t(`group.${name}`)}
      </h2>
      <div class="setting-fields">{children}</div>
    </section>
  );
}

function Fields(props: FormFieldsProps & { readonly fields: readonly Field[] }) {
  const { isFixed, resource, fields, thing, said, options, problems, theirs, onSay } = props;
  return (
    <>
      {fields.map((one) => (
        <FieldInput
          key={one.name}
          of={resource.name}
          field={one}
          value={said[one.name] ?? thing?.[one.name] ?? initialOf(one)}
          beside={{ ...thing, ...said }}
          options={options}
          problems={problems}
          isFixed={isFixed || one.told === true || (thing !== undefined && one.fixed === true)}
          isKept={thing?.[`has_${one.name}`] === true}
          theirs={theirs && differs(theirs[one.name], thing?.[one.name]) ? cellOf(one, theirs, options) : ""}
          onChange={(value) => onSay(one.name, value)}
        />
      ))}
    </>
  );
}

function initialOf({ initial }: Field): unknown {
  return initial && "is" in initial ? initial.is : undefined;
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
