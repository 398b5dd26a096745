import { COUNTRY_CODES } from "#domain/countries.ts";
import { COMPLETION_FIELD_KINDS, type CompletionField } from "#domain/ministry-reports/completion-fields.ts";
import type { Booking } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { listFieldsToComplete, listStillMissingFields } from "../../state/authorities.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { changeOpenWork } from "../../state/work.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Field } from "../../ui/parts.tsx";

interface Props {
  readonly draft: WorkDraft;
  readonly booking: Booking;
}

/** Missing data of persons for the authorities. Optional here and never blocks the work. */
export function AuthorityFields({ draft, booking }: Props) {
  const completingFields = listFieldsToComplete(booking);
  const missing = listStillMissingFields(booking, draft);
  if (completingFields.length === 0) return null;
  return (
    <details class="card documents" open={missing.length > 0 || draft.authorities !== undefined}>
      <summary>
        {t("forAuthorities")}
        <span class="soft">{missing.length > 0 ? t("lacking", { n: missing.length }) : t("driverDocumentsKnown")}</span>
      </summary>
      <p class="soft">{t("forAuthoritiesWhy")}</p>
      {completingFields.map((name) => (
        <CompletedField key={name} name={name} draft={draft} />
      ))}
    </details>
  );
}

interface CompletedFieldProps {
  readonly name: CompletionField;
  readonly draft: WorkDraft;
}

function CompletedField({ name, draft: { authorities } }: CompletedFieldProps) {
  const kind = COMPLETION_FIELD_KINDS[name];
  const label = t(`lack_${name}`);
  const value = authorities?.[name] ?? "";
  const save = (changed: string) => void changeOpenWork({ authorities: { ...authorities, [name]: changed } });
  if (kind === "date") return <DateField label={label} name={name} value={value} onChange={save} />;
  const set = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => save(currentTarget.value);
  return (
    <Field label={label} warning={getTextTooLongMessage("authorityField", authorities?.[name])}>
      {kind === "country" ? (
        <CountryChoice name={name} value={value} onChange={set} />
      ) : (
        <input
          name={name}
          inputMode={kind === "phone" ? "tel" : "text"}
          autocomplete="off"
          value={value}
          onInput={set}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

function CountryChoice({ name, value, onChange }: ChoiceProps) {
  return (
    <select name={name} value={value} onChange={onChange}>
      <option value="">{t("choose")}</option>
      {countries().map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
  );
}

let cachedCountryNames:
  | { readonly language: string; readonly countries: readonly (readonly [string, string])[] }
  | undefined;

// Names come from the device, without a network request.
function countries(): readonly (readonly [code: string, name: string])[] {
  const language = document.documentElement.lang || "en";
  if (cachedCountryNames?.language === language) return cachedCountryNames.countries;
  const names = new Intl.DisplayNames([language], { type: "region" });
  const sorted = new Intl.Collator(language);
  const all = COUNTRY_CODES.map((code) => [code, names.of(code) ?? code] as const);
  cachedCountryNames = { language, countries: all.sort(([, text], [, other]) => sorted.compare(text, other)) };
  return cachedCountryNames.countries;
}
