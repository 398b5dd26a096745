import { useState } from "preact/hooks";
import { addDays, addMonths, type CivilDate } from "#domain/dates.ts";
import { formatDayRange, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { fetchFileOrRefusal, type OfficeResponse, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { saveFile } from "../../desk/save-file.ts";
import { urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";

interface JournalForm {
  readonly date_from: string;
  readonly date_to: string;
  readonly format: string;
  readonly company_id?: number;
}

const FIELDS: readonly FormField<keyof JournalForm>[] = [
  { name: "date_from", kind: "date", label: "field.date_from", required: true },
  { name: "date_to", kind: "date", label: "field.date_to", required: true },
  {
    name: "format",
    kind: "choice",
    label: "journalFormat",
    required: true,
    choices: [
      ["csv", "CSV"],
      ["datev", "DATEV"],
      ["a3", "A3"],
      ["contaplus", "ContaPlus"],
    ],
  },
  { name: "company_id", kind: "whole", hint: "journalCompany" },
];

/** Returns the filtered days, or the last complete month. */
export function proposeJournalPeriod(filters: URLSearchParams, today: CivilDate) {
  const [from, to] = [filters.get("date_from"), filters.get("date_to")];
  if (from && to) return { date_from: from, date_to: to };
  const thisMonth = addDays(today, 1 - Number(today.slice(8)));
  return { date_from: addMonths(thisMonth, -1), date_to: addDays(thisMonth, -1) };
}

async function saveJournal(form: JournalForm): Promise<OfficeResponse> {
  const path = toOfficePath(
    `/journal?${new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]))}`,
  );
  const answer = await fetchFileOrRefusal(path);
  if ("refusal" in answer) return answer.refusal;
  saveFile(answer.file, answer.name);
  return { status: 200, body: {} };
}

interface JournalProps {
  readonly onDone: (notice: string) => void;
}

/** Exports the accounting journal of a period. For administrators. */
export function JournalExport({ onDone }: JournalProps) {
  const [isOpen, setOpen] = useState(false);
  const [period, setPeriod] = useState("");
  if (!hasUserRight("administer")) return null;
  return (
    <>
      <button type="button" class="small" onClick={() => setOpen(true)}>
        {t("journalDo")}
      </button>
      {isOpen && (
        <FormSheet<object, JournalForm>
          title={t("journalDo")}
          introduction={t("journalAbout")}
          draft={["journal", "export"]}
          fields={FIELDS}
          begin={{ ...proposeJournalPeriod(urlQuery.value, getCompanyDateTime().date), format: "csv" }}
          submit={t("journalDo")}
          send={(form) => {
            setPeriod(formatDayRange(form.date_from, form.date_to));
            return saveJournal(form);
          }}
          onDone={() => {
            setOpen(false);
            onDone(t("journalDone", { period }));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
