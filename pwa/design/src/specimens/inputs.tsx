import { useState } from "preact/hooks";
import { ActionFieldInput, ExtraQuantitiesInput, PlaceSelect } from "#office/desk/action-field.tsx";
import { AmountInput } from "#office/desk/amount-input.tsx";
import { DamageListInput } from "#office/desk/damage-list-input.tsx";
import { FieldFrame } from "#office/desk/field-frame.tsx";
import type { FormField } from "#office/desk/fields.ts";
import { FileUpload } from "#office/desk/file-upload.tsx";
import { FormInput } from "#office/desk/form-field.tsx";
import { BasicInput, CheckBox, Select } from "#office/desk/inputs.tsx";
import { PhotoUpload } from "#office/desk/photo-input.tsx";
import { t } from "#office/texts.ts";
import { LONG_NAME, LONG_WORD } from "../content.ts";
import { ignoreEvent, type Specimen } from "../specimen.ts";

const KINDS = ["text", "email", "date", "moment", "time", "money", "whole", "long"] as const;
const VALUES: Readonly<Record<(typeof KINDS)[number], string>> = {
  ...{ text: "Ana", email: "ana@example.com", date: "2031-06-01", moment: "2031-06-01T10:00", time: "10:00" },
  ...{ money: "1250.50", whole: "12500", long: "…" },
};
const CHOICES = [
  ["PMI", "Palma"],
  ["IBZ", "Eivissa"],
] as const;
const PHOTO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 8'%3E%3Crect width='12' height='8' fill='%23778'/%3E%3C/svg%3E";

interface InputsProps {
  readonly isDisabled?: boolean;
  readonly isInvalid?: boolean;
  readonly text?: string;
}

const Inputs = ({ isDisabled = false, isInvalid = false, text }: InputsProps) => (
  <div class="fields">
    {KINDS.map((kind) => (
      <BasicInput
        key={kind}
        kind={kind}
        aria-label={kind}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        value={text ?? VALUES[kind]}
        onChange={ignoreEvent}
      />
    ))}
    <BasicInput kind="flag" aria-label="flag" disabled={isDisabled} value={text === undefined} onChange={ignoreEvent} />
  </div>
);

const SAMPLES: readonly FormField[] = [
  { name: "full_name", kind: "text", required: true, label: "customer" },
  { name: "amount", kind: "money", label: "total" },
  { name: "selectedBranchCode", kind: "choice", label: "branch", choices: CHOICES },
  { name: "reason", kind: "long", hint: "seeBelow" },
  { name: "consent", kind: "flag", label: "yes" },
];

const Form = ({ problem, value }: { readonly problem?: string; readonly value?: string }) => (
  <div class="fields">
    {SAMPLES.map((field) => (
      <FormInput key={field.name} field={field} value={value} problem={problem} onChange={ignoreEvent} />
    ))}
  </div>
);

function DamageList({ count }: { readonly count: number }) {
  const [value, setValue] = useState<unknown>(
    Array.from({ length: count }, () => ({ part: "front_bumper", kind: "scratch", severity: "light", note: "" })),
  );
  return <DamageListInput name="damages" value={value} onChange={setValue} />;
}

const framed = (problem?: string, hint?: string, label = t("customer")) => (
  <FieldFrame label={label} isRequired hint={hint} problem={problem}>
    {({ id, describedBy }) => (
      <input id={id} aria-describedby={describedBy} aria-invalid={problem !== undefined} autocomplete="off" />
    )}
  </FieldFrame>
);

/** Inputs, fields and uploads. */
export const INPUTS: readonly Specimen[] = [
  {
    name: "BasicInput",
    states: {
      normal: () => <Inputs />,
      disabled: () => <Inputs isDisabled />,
      error: () => <Inputs isInvalid />,
      empty: () => <Inputs text="" />,
    },
  },
  {
    name: "CheckBox",
    states: {
      normal: () => <CheckBox label={t("branch")} checked onChange={ignoreEvent} />,
      disabled: () => <CheckBox label={t("branch")} checked={false} disabled onChange={ignoreEvent} />,
      long: () => <CheckBox label={LONG_NAME} checked={false} onChange={ignoreEvent} />,
    },
  },
  {
    name: "AmountInput",
    states: {
      normal: () => <AmountInput aria-label={t("total")} value="1250.50" onChange={ignoreEvent} />,
      disabled: () => <AmountInput aria-label={t("total")} value="1250.50" disabled onChange={ignoreEvent} />,
      error: () => <AmountInput aria-label={t("total")} value="12x" aria-invalid onChange={ignoreEvent} />,
    },
  },
  {
    name: "Select",
    states: {
      normal: () => <Select aria-label={t("branch")} value="IBZ" choices={CHOICES} onChange={ignoreEvent} />,
      disabled: () => <Select aria-label={t("branch")} value="IBZ" disabled choices={CHOICES} onChange={ignoreEvent} />,
      error: () => (
        <Select
          aria-label={t("branch")}
          value=""
          aria-invalid
          none={t("choose")}
          choices={CHOICES}
          onChange={ignoreEvent}
        />
      ),
      empty: () => <Select aria-label={t("branch")} value="" none={t("nothing")} choices={[]} onChange={ignoreEvent} />,
      long: () => <Select aria-label={t("branch")} value="1" choices={[[1, LONG_NAME]]} onChange={ignoreEvent} />,
    },
  },
  {
    name: "FieldFrame",
    states: {
      normal: () => framed(undefined, t("seeBelow")),
      error: () => framed(t("problem.missing")),
      long: () => framed(LONG_NAME, LONG_NAME, LONG_WORD),
    },
  },
  {
    name: "FormInput",
    states: {
      normal: () => <Form />,
      error: () => <Form problem={t("problem.missing")} />,
      long: () => <Form problem={LONG_NAME} value={LONG_NAME} />,
    },
  },
  {
    name: "ActionFieldInput",
    states: {
      normal: () => (
        <ActionFieldInput
          field={{ name: "reason", kind: "text", required: true }}
          value=""
          problem={undefined}
          onChange={ignoreEvent}
        />
      ),
      error: () => (
        <ActionFieldInput
          field={{ name: "kilometres", kind: "whole" }}
          value="12"
          problem={t("problem.missing")}
          onChange={ignoreEvent}
        />
      ),
      busy: () => (
        <ActionFieldInput
          field={{ name: "reference", kind: "vehicle" }}
          value=""
          problem={undefined}
          onChange={ignoreEvent}
        />
      ),
    },
  },
  {
    name: "PlaceSelect",
    states: {
      normal: () => <PlaceSelect aria-label={t("in.pickup_place")} kind="pickup" value="1" onChange={ignoreEvent} />,
    },
  },
  {
    name: "ExtraQuantitiesInput",
    states: { normal: () => <ExtraQuantitiesInput value={{ SEAT: 2 }} onChange={ignoreEvent} /> },
  },
  {
    name: "DamageListInput",
    states: { normal: () => <DamageList count={1} />, empty: () => <DamageList count={0} /> },
  },
  {
    name: "FileUpload",
    states: {
      normal: () => (
        <FileUpload
          label="PDF"
          accept="application/pdf"
          send={() => new Promise<never>(() => undefined)}
          onDone={ignoreEvent}
        />
      ),
    },
  },
  {
    name: "PhotoUpload",
    states: {
      normal: () => <PhotoUpload label={t("category")} value={PHOTO} onChange={ignoreEvent} />,
      empty: () => <PhotoUpload label={t("category")} value="" onChange={ignoreEvent} />,
    },
  },
];
