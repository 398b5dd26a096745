import { t } from "../i18n/texts.ts";
import type { WorkDraft } from "../offline/items.ts";
import type { WorkStep } from "./work-steps.ts";

/** Maximum numbers of characters that the server accepts. */
export const MAX_LENGTHS = {
  notes: 1900,
  overrideReason: 500,
  damageNote: 2000,
  driverDocument: 50,
  driverName: 100,
  authorityField: 100,
  signer: 120,
  absenceReason: 2000,
  parking_place: 60,
  key_number: 30,
  operationNumber: 60,
  cancellationReason: 500,
} as const;

type LimitedText = keyof typeof MAX_LENGTHS;

/** Returns the maximum length of a field of the driver. */
export const getDriverTextLimit = (name: string): LimitedText =>
  name === "name" || name === "surname" ? "driverName" : "driverDocument";

const isTooLong = (limit: LimitedText, text: string | undefined): boolean =>
  [...(text ?? "").trim()].length > MAX_LENGTHS[limit];

/** Returns the refusal of a text that is too long, or undefined. Browsers would cut a pasted text without notice. */
export function getTextTooLongMessage(limit: LimitedText, text: string | undefined): string | undefined {
  return isTooLong(limit, text) ? t("tooLong", { max: MAX_LENGTHS[limit] }) : undefined;
}

/** Lists the steps with a text that the server would refuse as too long. */
export function listStepsWithLongText(draft: WorkDraft): readonly WorkStep[] {
  const { standing = {}, driver = {}, authorities = {}, signature, signing } = draft;
  const steps: readonly (readonly [WorkStep, boolean])[] = [
    [draft.kind === "evidence" ? "photos" : "readings", isTooLong("notes", draft.notes)],
    ["review", isTooLong("overrideReason", draft.override_reason)],
    ["readings", (["parking_place", "key_number"] as const).some((name) => isTooLong(name, standing[name]))],
    ...draft.damages.map(
      ({ vehicle, note }) =>
        [vehicle === "replacement" ? "damage_out" : "damage", isTooLong("damageNote", note)] as const,
    ),
    ["money", draft.charges.some((charge) => isTooLong("operationNumber", charge.external_operation_number))],
    ["sign", Object.entries(driver).some(([name, text]) => isTooLong(getDriverTextLimit(name), text))],
    ["sign", Object.values(authorities).some((text) => isTooLong("authorityField", text))],
    ["sign", isTooLong("signer", signature?.name ?? signing?.name)],
    ["sign", isTooLong("absenceReason", signature?.absent_reason)],
  ];
  return [...new Set(steps.flatMap(([step, isLong]) => (isLong ? [step] : [])))];
}
