import { t } from "../texts.ts";
import { type FormField, type FormValues, formatFieldValue, getFieldLabel } from "./fields.ts";
import { ConflictTable } from "./related-table.tsx";

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
  return <ConflictTable lead={t("changedMeanwhile")} differences={differences} otherwise={t("changedOtherwise")} />;
}
