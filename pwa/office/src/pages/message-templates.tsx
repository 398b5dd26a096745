import { useState } from "preact/hooks";
import { EXAMPLE_MESSAGE_PLACEHOLDER_VALUES } from "#domain/operations/message-templates.ts";
import { fillPlaceholders } from "#domain/operations/messages.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { MessageTemplateListMessage, MessageTemplateRequest } from "#worker/api/office/message-messages.ts";
import { account } from "../account.ts";
import { sendOfficeRequest, toOfficePath } from "../api.ts";
import type { FormField, FormValues } from "../desk/fields.ts";
import { FormSheet } from "../desk/form-sheet.tsx";
import { Select } from "../desk/inputs.tsx";
import { getLanguageName } from "../desk/names.ts";
import { RowAction } from "../desk/row-action.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useResource } from "../desk/use-resource.tsx";
import { t } from "../texts.ts";
import { listCustomerLanguages } from "./text-languages.ts";

type Template = Immutable<MessageTemplateListMessage["data"][number]>;

const FIELDS: readonly FormField<keyof MessageTemplateRequest>[] = [
  { name: "subject", kind: "text", label: "messageSubject", required: true, isWide: true },
  { name: "text", kind: "long", label: "noteText", required: true, isWide: true },
];

const toPath = ({ id, language }: Template) => toOfficePath(`/message-templates/${id}/${language}`);

/** Texts of messages to customers by language: the company's own, or otherwise the platform's. */
export default function MessageTemplates() {
  const { whole, problem, read } = useResource<MessageTemplateListMessage>(toOfficePath("/message-templates"));
  const [language, setLanguage] = useState(account.value.default_language);
  const [changed, setChanged] = useState<Template>();
  const [notice, setNotice] = useState("");
  const finish = () => {
    setChanged(undefined);
    setNotice(t("saved"));
    void read();
  };
  const languages = listCustomerLanguages(account.value).filter((code) =>
    whole?.data.some((template) => template.language === code),
  );
  return (
    <main>
      <SettingsCrumbs />
      <div class="head">
        <h1>{t("messageTemplates")}</h1>
        <label>
          {t("field.language")}
          <Select
            name="template_language"
            value={language}
            choices={languages.map((code) => [code, getLanguageName(code)] as const)}
            onChange={setLanguage}
          />
        </label>
      </div>
      <p class="soft">{t("messageTemplatesHelp")}</p>
      <p role="status">{notice}</p>
      <p role="alert">{problem}</p>
      {whole?.data
        .filter((template) => template.language === language)
        .map((template) => (
          <section key={template.id} class="panel" aria-labelledby={template.id}>
            <h2 id={template.id}>{t(`template.${template.id}`)}</h2>
            <p class="soft">{t(template.is_own ? "templateOwn" : "templateOurs")}</p>
            <p>
              <strong>{template.subject}</strong>
            </p>
            <p class="notes">{template.text}</p>
            <p>
              <button type="button" class="small" onClick={() => setChanged(template)}>
                {t("templateChange")}
              </button>
              {template.is_own && (
                <RowAction label={t("templateReset")} method="DELETE" path={toPath(template)} onDone={finish} />
              )}
            </p>
          </section>
        ))}
      {changed && whole && (
        <FormSheet<object, MessageTemplateRequest>
          title={t(`template.${changed.id}`)}
          introduction={t("templateLead", { placeholders: whole.placeholders.map((name) => `{${name}}`).join(" ") })}
          draft={["message-templates", `${changed.id}-${changed.language}`]}
          fields={FIELDS}
          begin={{ subject: changed.subject, text: changed.text }}
          submit={t("save")}
          send={(body, key) => sendOfficeRequest<object, MessageTemplateRequest>("PUT", toPath(changed), { key, body })}
          outcome={(values) => <Preview of={values} />}
          onDone={finish}
          onClose={() => setChanged(undefined)}
        />
      )}
    </main>
  );
}

function Preview({ of: { subject, text } }: { readonly of: FormValues }) {
  const facts = { ...EXAMPLE_MESSAGE_PLACEHOLDER_VALUES, company: account.value.account_name };
  return (
    <section aria-label={t("templatePreview")} class="panel">
      <h3>{t("templatePreview")}</h3>
      <p>
        <strong>{fillPlaceholders(String(subject ?? ""), facts)}</strong>
      </p>
      <p class="notes">{fillPlaceholders(String(text ?? ""), facts)}</p>
    </section>
  );
}
