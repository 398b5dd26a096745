import type { OperationResult } from "../api/messages.ts";
import { type TextKey, t, tOr } from "../i18n/texts.ts";
import { formatMoment } from "../state/format-time.ts";
import { Icon } from "./icon.tsx";

type RemarksProps = Pick<OperationResult, "flags" | "warnings" | "by" | "at">;

/** The server's remarks about accepted work. */
export function OperationRemarks({ flags, warnings, by, at }: RemarksProps) {
  const authorText = by && at ? ` ${t("doneBy", { by, at: formatMoment(at) })}` : "";
  const remarks = [
    ...flags.map((flag) => tOr(`flag_${flag}` satisfies TextKey, flag)),
    ...warnings.map(
      ({ code, message }) =>
        tOr(`warning_${code}` satisfies TextKey, message) + (code === "already_driven" ? authorText : ""),
    ),
  ];
  if (remarks.length === 0) return null;
  return (
    <ul class="remarks">
      {[...new Set(remarks)].map((text) => (
        <li key={text}>
          <Icon name="refused" size={18} />
          {text}
        </li>
      ))}
    </ul>
  );
}
