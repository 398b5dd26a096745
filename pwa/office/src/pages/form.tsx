import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isKnownAcrissCode } from "#domain/catalogue/acriss.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { Problem } from "#domain/problems.ts";
import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import { hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { isRetryable } from "../desk/load-error.tsx";
import { isProblemCode, listRefusedFields, toRefusalTexts } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { Skeleton } from "../desk/skeleton.tsx";
import { showDeferredNotice, usePageStillOpen, useSubmitOnce } from "../desk/submit-once.ts";
import { PagePlaceholder } from "../desk/use-resource.tsx";
import { goToPage, linkTo } from "../route.ts";
import { reloadSetup } from "../setup-state.ts";
import { type TextKey, t, tOr } from "../texts.ts";
import { deleteFormDraft, readFormDraft, saveFormDraft } from "./form-drafts.ts";
import { FormFields } from "./form-fields.tsx";
import { RecordHistory } from "./history.tsx";
import { normalizeDecimals } from "./normalize-decimals.ts";
import { findRecordProblems } from "./record-problems.ts";
import { formatFormTitle } from "./record-title.ts";
import { ResourceActions } from "./resource-actions.tsx";
import type { ResourceOptions, ResourceRecord, ResourceValues } from "./resources.ts";

type FormValues = Readonly<Record<string, unknown>>;

interface FormState {
  readonly record: ResourceRecord | undefined;
  readonly options: ResourceOptions;
  /** Unsaved values. */
  readonly unsavedValues: FormValues;
  readonly problems: readonly Problem[];
  readonly notice: string;
  /** Values set by another user in the meantime. */
  readonly conflictingRecord: ResourceRecord | undefined;
  /** Load error. A record that couldn't be loaded must not be recreated by saving. */
  readonly unread?: string | undefined;
  readonly canRetry?: boolean;
}

const EMPTY_FORM_STATE: FormState = {
  record: undefined,
  options: {},
  unsavedValues: {},
  problems: [],
  notice: "",
  conflictingRecord: undefined,
};

const UNREAD: Readonly<Record<number, TextKey>> = { 400: "noSuchThing", 404: "noSuchThing" };

// Notice shown on the form of a newly created record.
let savedBefore = "";

/** Form for a new or existing record, with errors at their fields and conflicting changes side by side. */
export function ResourceForm({ resource, id }: { readonly resource: Resource; readonly id: string | undefined }) {
  const [state, setState] = useState<FormState>();
  const [isSure, setSure] = useState(false);
  const isHere = usePageStillOpen();
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<FormState>) => setState((now) => ({ ...(now ?? EMPTY_FORM_STATE), ...part }));
  const read = () => {
    const notice = savedBefore;
    savedBefore = "";
    readForm(resource, id).then(
      (item) => change({ unread: undefined, ...item, ...(notice !== "" && { notice }) }),
      () => change({ unread: t("notLoaded"), canRetry: true }),
    );
  };
  useEffect(read, []);
  useSaveKey(form);
  const { isBusy, send } = useSubmitOnce<ResourceAnswer>({
    draft: [resource.name, id],
    title: t(`list.${resource.name}`),
    formatNotice: (answer) => savedNotice(getSavedRecord(resource, answer)),
    take: (answer) => {
      const next = answer ? sentState(resource, answer) : { notice: t("notSent") };
      change(next);
      if (!next.record || resource.isSingle || String(next.record.id) === id) return;
      savedBefore = savedNotice(next.record);
      goToPage("list", resource.name, next.record.id);
    },
  });
  if (!isRead(state))
    return (
      <LoadError resource={resource} problem={state?.unread} onRetry={state?.canRetry === false ? undefined : read} />
    );
  const { record, options, unsavedValues, problems, notice, conflictingRecord } = state;
  const mayChange = hasUserRight(resource.writeRight);
  const setValue = (name: string, value: unknown) => {
    const next = { ...unsavedValues, [name]: value };
    saveFormDraft(resource.name, id, next);
    change({ unsavedValues: next, problems: problems.filter(({ field }) => field.split(".")[0] !== name), notice: "" });
  };
  const save = () => {
    const normalizedValues = normalizeDecimals(resource.fields, unsavedValues, record);
    const recordProblems = findRecordProblems(resource, record, normalizedValues);
    if (recordProblems.length > 0) return change({ problems: recordProblems, notice: t("fixFields") });
    const body = record
      ? { ...normalizedValues, expected_version: (conflictingRecord ?? record).version }
      : normalizedValues;
    const path = toOfficePath(toRecordPath(resource, record && String(record.id)));
    return send(body, async (key) => {
      const answer = await sendOfficeRequest<ResourceAnswer, ResourceValues>(record ? "PATCH" : "POST", path, {
        body,
        key,
      });
      if (answer.status < 300) reloadSetup();
      return answer;
    });
  };
  const remove = async () => {
    if (!isSure) return setSure(true);
    setSure(false);
    try {
      const answer = await sendOfficeRequest<ResourceAnswer>("DELETE", toOfficePath(toRecordPath(resource, id)));
      if (answer.status === 204) {
        reloadSetup();
        if (isHere()) goToPage("list", resource.name);
        else showDeferredNotice(`${t(`list.${resource.name}`)}: ${t("eventRemoved")}`);
      } else change(refusedState(resource, answer, "inUse"));
    } catch {
      change({ notice: t("failed") });
    }
  };
  const hasDraft = Object.keys(unsavedValues).length > 0;
  return (
    <main>
      <SettingsCrumbs>
        {!resource.isSingle && <a href={linkTo("list", resource.name)}>{t(`list.${resource.name}`)}</a>}
      </SettingsCrumbs>
      <h1>{formatFormTitle(resource, record, options)}</h1>
      <p class="soft">{t(`about.${resource.name}`)}</p>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!mayChange && <p class="wide waits">{t("onlyRead")}</p>}
        <FormFields
          isFixed={!mayChange}
          resource={resource}
          record={record}
          unsavedValues={unsavedValues}
          options={options}
          problems={problems}
          conflictingRecord={hasDraft ? conflictingRecord : undefined}
          onSay={setValue}
        />
        <div class="foot">
          <p role="status">{notice}</p>
          {mayChange && (
            <button type="submit" class="main" disabled={isBusy}>
              {t("save")}
            </button>
          )}
          {hasDraft && (
            <button
              type="button"
              onClick={() => {
                deleteFormDraft(resource.name, id);
                change({
                  unsavedValues: {},
                  problems: [],
                  notice: "",
                  record: conflictingRecord ?? record,
                  conflictingRecord: undefined,
                });
              }}
            >
              {t("discard")}
            </button>
          )}
          {record && resource.isRemovable && mayChange && (
            <button type="button" class="danger" onClick={remove}>
              {t(isSure ? "removeSure" : "remove")}
            </button>
          )}
        </div>
      </form>
      {record && (
        <ResourceActions resource={resource} record={record} onThing={(changed) => change({ record: changed })} />
      )}
      {record && (
        <RecordHistory resource={resource} path={toRecordPath(resource, String(record.id))} version={record.version} />
      )}
    </main>
  );
}

/** A record under the singular name of its resource. */
type ResourceAnswer = Record<string, ResourceRecord>;

const isRead = (state: FormState | undefined): state is FormState & { readonly unread?: undefined } =>
  state !== undefined && state.unread === undefined;

interface UnreadProps {
  readonly resource: Resource;
  readonly problem: string | undefined;
  readonly onRetry: (() => void) | undefined;
}

function LoadError({ resource, problem, onRetry }: UnreadProps) {
  if (problem === undefined)
    return (
      <main class="status">
        <Skeleton />
      </main>
    );
  const name = t(`list.${resource.name}`);
  return (
    <PagePlaceholder
      title={name}
      problem={problem}
      onRetry={onRetry}
      list={linkTo("list", resource.name)}
      listName={name}
    />
  );
}

// Saves with Ctrl+S unless a dialog is open.
function useSaveKey(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      if ((event.target as HTMLElement).closest("dialog")) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

async function readForm(resource: Resource, id: string | undefined): Promise<Partial<FormState>> {
  const storedDraft = readFormDraft(resource.name, id);
  const notice = Object.keys(storedDraft).length > 0 ? t("draftKept") : "";
  // Options are only returned with a list, so request a single row.
  const [listed, read] = await Promise.all([
    resource.isSingle
      ? undefined
      : sendOfficeRequest<ResourceListMessage>("GET", toOfficePath(`/${resource.name}?options=true&page_size=1`)),
    id === undefined ? undefined : sendOfficeRequest<ResourceAnswer>("GET", toOfficePath(toRecordPath(resource, id))),
  ]);
  if (read && read.status !== 200) {
    const text = UNREAD[read.status];
    return { unread: text ? t(text) : toRefusalTexts(read).notice, canRetry: isRetryable(read.status) };
  }
  const options = listed?.body.options ?? {};
  return { record: read && getSavedRecord(resource, read), options, unsavedValues: storedDraft, notice };
}

function sentState(resource: Resource, answer: OfficeResponse<ResourceAnswer>): Partial<FormState> {
  if (answer.status >= 400) return refusedState(resource, answer, "inUseAsIs");
  return {
    record: getSavedRecord(resource, answer),
    unsavedValues: {},
    problems: [],
    conflictingRecord: undefined,
    notice: t("saved"),
  };
}

function getSavedRecord({ singular }: Resource, { body }: OfficeResponse<ResourceAnswer>): ResourceRecord | undefined {
  return body[singular];
}

// Returns the notice after saving. A generated secret is shown only here.
function savedNotice({ secret, acriss_code: acriss }: Partial<ResourceRecord> = {}): string {
  if (typeof acriss === "string" && !isKnownAcrissCode(acriss)) return t("savedAcriss", { code: acriss });
  return typeof secret === "string" ? t("secretOnce", { secret }) : t("saved");
}

function refusedState(
  resource: Resource,
  answer: OfficeResponse<ResourceAnswer>,
  inUse: "inUse" | "inUseAsIs",
): Partial<FormState> {
  const { status, body } = answer;
  const { detail = [], code: ownCode = "" } = body;
  if (ownCode === "changed_meanwhile")
    return { conflictingRecord: getSavedRecord(resource, answer), notice: t("changedMeanwhile") };
  if (ownCode === "in_use") {
    const uses = detail.map(({ field, message }) => `${message} ${tOr(`list.${field}`, field)}`).join(", ");
    return { notice: t(inUse, { uses }) };
  }
  if (status === 403) return { notice: toRefusalTexts(answer).notice };
  if (detail.length === 0) return { notice: t("failed") };
  const problems = listRefusedFields(body).map(({ field, code, params }): Problem => {
    if (isProblemCode(code)) return { field, code, params };
    return { field, code: isProblemCode(ownCode) ? ownCode : "invalid" };
  });
  return { problems, notice: t("fixFields") };
}

function toRecordPath({ name, isSingle }: Resource, id: string | undefined): string {
  return isSingle || id === undefined ? `/${name}` : `/${name}/${encodeURIComponent(id)}`;
}
