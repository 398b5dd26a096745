import { t } from "../texts.ts";
import { ConflictTable } from "./conflict-table.tsx";
import { type FormField, type FormValues, formatFieldValue, getFieldLabel } from "./fields.ts";

interface ConflictNoticeProps {
  readonly originalValues: FormValues;
  readonly now: FormValues;
  readonly fields: readonly FormField[];
}

/** Shows changes made by another user in the meantime, compared with what the user saw. */
export function ConflictNotice({ originalValues, now, fields }: ConflictNoticeProps) {
  const formatField = (askedField: FormField) => ({
    name: askedField.name,
    label: getFieldLabel(askedField),
    seen: formatFieldValue(askedField, originalValues[askedField.name]),
    now: formatFieldValue(askedField, now[askedField.name]),
  });
  const differences = fields.map(formatField).filter((item) => item.seen !== item.now);
  return (
    <ConflictTable
      message={t("changedMeanwhile")}
      differences={differences}
      noDifferencesText={t("changedOtherwise")}
    />
  );
}
