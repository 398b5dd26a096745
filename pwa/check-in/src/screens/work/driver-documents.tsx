import type { Booking } from "../../api/messages.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import {
  type DriverDocumentInput,
  isDriverComplete,
  listDriverWarnings,
  mergeScannedDriver,
} from "../../state/driver-documents.ts";
import { settings } from "../../state/settings.ts";
import { getDriverTextLimit, getTextTooLongMessage } from "../../state/text-lengths.ts";
import { changeOpenWork } from "../../state/work.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { DriverDocumentPhotos } from "./driver-document-photos.tsx";
import { MachineReadableZoneField } from "./machine-readable-zone-field.tsx";

const FIELDS: readonly (readonly [keyof DriverDocumentInput, TextKey, "text" | "date"])[] = [
  ["document_id", "document", "text"],
  ["driving_license_number", "licence", "text"],
  ["driving_license_expiration_date", "licenceExpires", "date"],
  ["date_of_birth", "dateOfBirth", "date"],
];
const NAMES: readonly (readonly [keyof DriverDocumentInput, TextKey])[] = [
  ["name", "firstName"],
  ["surname", "surname"],
];

interface Props {
  readonly draft: WorkDraft;
  readonly booking: Booking;
}

/** The driver's documents, known and scanned, with warnings by the company's rules. */
export function DriverDocuments({ draft, booking }: Props) {
  const { driver: read } = draft;
  const [known] = mergeScannedDriver(booking, undefined);
  const isComplete = isDriverComplete(booking, read);
  return (
    <details class="card documents" open={!isComplete || read !== undefined}>
      <summary>
        {t("driverDocuments")}
        <span class="soft">{t(isComplete ? "driverDocumentsKnown" : "driverDocumentsMissing")}</span>
      </summary>
      <DriverDocumentPhotos draft={draft} />
      <MachineReadableZoneField draft={draft} isNamed={Boolean(known?.full_name)} />
      {!known?.full_name && (
        <div class="row">
          {NAMES.map(([name, label]) => (
            <Text key={name} name={name} label={label} read={read} />
          ))}
        </div>
      )}
      {FIELDS.map(([name, label, kind]) => {
        const knownValue = known?.[name as "document_id"] ?? "";
        return kind === "date" ? (
          <Day key={name} name={name} label={label} read={read} knownValue={knownValue} />
        ) : (
          <Text key={name} name={name} label={label} read={read} knownValue={knownValue} />
        );
      })}
    </details>
  );
}

/** Reasons why this driver may not drive, announced while typing. */
export function DriverWarnings({ draft, booking }: Props) {
  const driverWarnings = listDriverWarnings(booking, draft.driver, settings.value, draft.document_expires);
  if (driverWarnings.length === 0) return null;
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {driverWarnings.map((warning) => t(`odd_${warning}`)).join(" ")}
    </p>
  );
}

interface InputProps {
  readonly name: keyof DriverDocumentInput;
  readonly label: TextKey;
  readonly read: DriverDocumentInput | undefined;
  /** Value known to the company. */
  readonly knownValue?: string;
}

const set = (read: DriverDocumentInput | undefined, name: keyof DriverDocumentInput, value: string) =>
  void changeOpenWork({ driver: { ...read, [name]: value } });

const Text = ({ name, label, read, knownValue = "" }: InputProps) => (
  <Field label={t(label)} warning={getTextTooLongMessage(getDriverTextLimit(name), read?.[name])}>
    <input
      name={name}
      autocomplete="off"
      autocapitalize="characters"
      value={read?.[name] ?? knownValue}
      onInput={({ currentTarget }) => set(read, name, currentTarget.value)}
    />
  </Field>
);

const Day = ({ name, label, read, knownValue = "" }: InputProps) => (
  <DateField
    label={t(label)}
    name={name}
    value={read?.[name] ?? knownValue}
    onChange={(date) => set(read, name, date)}
  />
);
