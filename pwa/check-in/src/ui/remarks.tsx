import type { OperationResult } from "../api/messages.ts";
import { tOr } from "../i18n/texts.ts";
import { Icon } from "./icon.tsx";

type RemarksProps = Pick<OperationResult, "flags" | "warnings">;

/** What the server found odd about work that it took all the same. */
export function Remarks({ flags, warnings }: RemarksProps) {
  const told = [
    ...flags.map((flag) => tOr(`flag_${flag}`, flag)),
    ...warnings.map(({ code, message }) => tOr(`warning_${code}`, message)),
  ];
  if (told.length === 0) return null;
  return (
    <ul class="remarks">
      {[...new Set(told)].map((text) => (
        <li key={text}>
          <Icon name="refused" size={18} />
          {text}
        </li>
      ))}
    </ul>
  );
}
