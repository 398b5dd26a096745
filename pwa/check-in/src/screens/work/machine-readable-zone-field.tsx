import { useState } from "preact/hooks";
import {
  type MachineReadableZone,
  type MachineReadableZoneRefusal,
  readMachineReadableZone,
} from "#domain/check-in/machine-readable-zone.ts";
import type { CivilDate } from "#domain/dates.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { formatBirthday } from "../../state/format-time.ts";
import { getToday } from "../../state/settings.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";

/**
 * Machine-readable zone of a passport or ID card, typed or pasted from text recognition. Fills the fields if the check
 * digits match.
 */
export function MachineReadableZoneField({ draft, isNamed }: { readonly draft: WorkDraft; readonly isNamed: boolean }) {
  const [text, setText] = useState("");
  const [read, setRead] = useState<MachineReadableZone | undefined>(undefined);
  const [refusal, setRefusal] = useState<MachineReadableZoneRefusal | undefined>(undefined);
  const checkZone = (next: string) => {
    setText(next);
    const readResult = readMachineReadableZone(next, getToday() as CivilDate);
    setRead(readResult.ok ? readResult.value : undefined);
    setRefusal(readResult.ok ? undefined : readResult.error);
    if (readResult.ok) void fill(draft, readResult.value, isNamed);
  };
  return (
    <>
      <Field label={t("zone")} hint={t("zoneHint")}>
        <textarea
          name="zone"
          class="zone"
          rows={4}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => checkZone(currentTarget.value)}
        />
      </Field>
      {read && (
        <p class="note" role="status">
          <Icon name="check" />
          {t("zoneRead", {
            name: `${read.name} ${read.surname}`.trim(),
            born: read.dateOfBirth ? formatBirthday(read.dateOfBirth) : "–",
          })}
        </p>
      )}
      {refusal?.kind === "wrong" && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t("zoneWrong", { parts: refusal.parts.map((part) => t(`zone_${part}`)).join(", ") })}
        </p>
      )}
    </>
  );
}

/**
 * Fills in the scanned data of the machine-readable zone. A known name isn't replaced, so that the user compares it.
 */
async function fill(
  draft: WorkDraft,
  { documentId, dateOfBirth, expires, name, surname }: MachineReadableZone,
  isNamed: boolean,
) {
  await changeOpenWork({
    driver: {
      ...draft.driver,
      document_id: documentId,
      ...(dateOfBirth && { date_of_birth: dateOfBirth }),
      ...(!isNamed && { name, surname }),
    },
    ...(expires && { document_expires: expires }),
  });
}
