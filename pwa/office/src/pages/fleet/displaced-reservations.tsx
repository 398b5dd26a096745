import { formatDay } from "../../account.ts";
import type { FormValues } from "../../desk/fields.ts";
import { findFirstUnreadDay, readPlanningPieces, toPlanningPeriod } from "../../desk/planning-pieces.ts";
import { useLoadedChoices } from "../../desk/use-choices.tsx";
import { t } from "../../texts.ts";
import { listDisplacedCustomerNames } from "../planning/displaced-contracts.ts";

interface DisplacedReservationsProps {
  readonly references: readonly string[];
  /** Typed values of the block. */
  readonly values: FormValues;
}

/** Names the reservations that lose a vehicle by a block, before it is saved. */
export default function DisplacedReservations({ references, values }: DisplacedReservationsProps) {
  const [from, to] = [String(values["from"] ?? ""), String(values["to"] ?? "")];
  const period = from < to ? toPlanningPeriod(from, to) : undefined;
  const pieces = useLoadedChoices(period && JSON.stringify(period), async () =>
    period ? readPlanningPieces(period) : [],
  );
  const names = period && pieces !== undefined ? listDisplacedCustomerNames(pieces, references, { from, to }) : [];
  const unread = period && findFirstUnreadDay(period);
  if (names.length === 0 && !unread) return null;
  return (
    <p class="notice waiting wide" role="status">
      {names.length > 0 && t("losing", { who: names.join(", ") })}{" "}
      {unread && t("losingUnread", { date: formatDay(unread, "long") })}
    </p>
  );
}
