import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OfficeResponse } from "../api.ts";
import { readFormDraft, saveFormDraft } from "../pages/form-drafts.ts";
import { t } from "../texts.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { buildRequestBody, type FormField, type FormValues, listMissingFields } from "./fields.ts";
import { FormInput } from "./form-field.tsx";
import { type RefusalTexts, toFormRefusal } from "./refusals.ts";
import { Sheet } from "./sheet.tsx";
import { useSubmitOnce } from "./submit-once.ts";
import { useFocusAfterError } from "./use-error-focus.ts";

export type VersionedValues = FormValues & { readonly version: number };

/** Fields of a form, named after members of its request. */
type RequestField<Body extends object> = FormField<Extract<keyof Body, string>>;

interface AskSheetProps<Content extends object, Body extends object> {
  readonly title: string;
  readonly introduction?: string;
  /** List and id of the draft, stored until the form is done. */
  readonly draft: readonly [list: string, id: string];
  /** A function returns the fields for the entered values. */
  readonly fields: readonly RequestField<Body>[] | ((values: FormValues) => readonly RequestField<Body>[]);
  /** The item to change. Not set for a new item. Conflicting changes of other users are shown next to it. */
  readonly originalValues?: VersionedValues | undefined;
  /** Fields compared in a conflict, if they differ from the form's fields. */
  readonly compared?: readonly FormField[];
  /** View of other users' changes. Replaces the default view, which compares only fields. */
  readonly conflict?: ComponentChildren;
  /** Whether to send only changed values. */
  readonly isChange?: boolean;
  /** Initial values for a new item. */
  readonly begin?: FormValues;
  readonly submit: string;
  readonly isDanger?: boolean;
  /** False while the form can't be sent, because its current data is missing or nothing is due. */
  readonly canSubmit?: boolean;
  /** Notice above the fields, such as a load error. */
  readonly note?: ComponentChildren;
  readonly send: (body: Body, key: string) => Promise<OfficeResponse<Content>>;
  /** Extracts the item from a conflict response. */
  readonly thingOf?: (body: OfficeResponse<Content>["body"]) => VersionedValues | undefined;
  /** Returns the problems of values that only this form refuses, by field. */
  readonly check?: (values: FormValues) => RefusalTexts["fields"];
  /** Preview of the result of the entered values. It reports refused fields, whose errors are shown next to them. */
  readonly outcome?: (values: FormValues, onRefused: (fields: RefusalTexts["fields"]) => void) => ComponentChildren;
  readonly onDone: (answer: OfficeResponse<Content>) => void;
  readonly onClose: () => void;
}

const NOTHING_WRONG: RefusalTexts = { fields: {}, notice: "" };

/** Form in a side panel. Stores its draft until done, submits once and shows errors next to their fields. */
export function FormSheet<Content extends object, Body extends object>(props: AskSheetProps<Content, Body>) {
  const { draft, isChange = false, begin = {}, canSubmit = true } = props;
  // Values when the form was opened, unaffected by later reloads.
  const [seen] = useState(props.originalValues);
  const [now, setNow] = useState(seen);
  const [typed, setTyped] = useState<FormValues>(() => readFormDraft(...draft));
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const [foreseen, setForeseen] = useState(NOTHING_WRONG.fields);
  const values = { ...(isChange && now), ...begin, ...typed };
  const fields = typeof props.fields === "function" ? props.fields(values) : props.fields;
  const setValue = (name: string, value: unknown) => {
    const next = { ...typed, [name]: value };
    saveFormDraft(...draft, next);
    setTyped(next);
    setWrong(NOTHING_WRONG);
  };
  const take = (answer: OfficeResponse<Content> | undefined) => {
    if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
    const currentVersion = answer.body.code === "changed_meanwhile" ? props.thingOf?.(answer.body) : undefined;
    if (currentVersion) return setNow(currentVersion);
    if (answer.status >= 300) return setWrong(placeErrors(answer, fields));
    props.onDone(answer);
  };
  const { isBusy, send } = useSubmitOnce({ draft, title: props.title, take });
  const form = useFocusAfterError(wrong, isBusy);
  const submit = () => {
    const missing = listMissingFields(fields, values);
    if (missing.length > 0) return setWrong(toMissingFieldTexts(missing));
    const refusedFields = props.check?.(values) ?? {};
    if (Object.keys(refusedFields).length > 0) return setWrong({ fields: refusedFields, notice: t("fixFields") });
    const content = buildRequestBody(fields, values, isChange ? now : undefined);
    if (isChange && Object.keys(content).length === 0) return props.onClose();
    // The fields are named after the members of the request, and the server checks their values.
    const body = (now ? { expected_version: now.version, ...content } : content) as Body;
    return send(body, (key) => props.send(body, key));
  };
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      {seen &&
        now &&
        now.version !== seen.version &&
        (props.conflict ?? <ConflictNotice originalValues={seen} now={now} fields={props.compared ?? fields} />)}
      {props.introduction && <p class="lead">{props.introduction}</p>}
      {props.note}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {fields.map((field) => (
          <FormInput
            key={field.name}
            field={field}
            value={values[field.name]}
            problem={wrong.fields[field.name] ?? foreseen[field.name]}
            onChange={(value) => setValue(field.name, value)}
          />
        ))}
        {props.outcome?.(values, setForeseen)}
        <div class="foot">
          <p role="alert" class="problem">
            {wrong.notice}
          </p>
          <button type="button" onClick={props.onClose}>
            {t("leave")}
          </button>
          <button type="submit" class={props.isDanger ? "danger" : "main"} disabled={isBusy || !canSubmit}>
            {props.submit}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

function toMissingFieldTexts(missing: readonly string[]): RefusalTexts {
  return { fields: Object.fromEntries(missing.map((name) => [name, t("problem.missing")])), notice: t("fixFields") };
}

// Adds the errors of fields that the form doesn't contain to its notice.
function placeErrors(answer: OfficeResponse, formFields: readonly FormField[]): RefusalTexts {
  const names = formFields.map(({ name }) => name);
  const { fields, notice } = toFormRefusal(answer, names);
  const others = Object.entries(fields).filter(([name]) => !names.includes(name));
  return { fields, notice: [notice, ...others.map(([name, text]) => `${name}: ${text}`)].join(" ") };
}
