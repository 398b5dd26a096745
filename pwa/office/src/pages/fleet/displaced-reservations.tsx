import { type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import type { FormValues } from "../../desk/fields.ts";
import { readPlanningPieces } from "../../desk/planning-pieces.ts";
import { useChoices } from "../../desk/use-choices.tsx";
import { t } from "../../texts.ts";
import { listDisplacedContracts } from "../planning/displaced-contracts.ts";
import type { Planning } from "../planning/planning.ts";

export interface DisplacedReservationsProps {
  readonly references: readonly string[];
  /** Typed values of the block. */
  readonly values: FormValues;
}

/** Names the reservations that lose a vehicle by a block, before it is saved. */
export default function DisplacedReservations({ references, values }: DisplacedReservationsProps) {
  const [from, to] = [String(values["from"] ?? ""), String(values["to"] ?? "")];
  const [first, last] = [parseCivilDate(from.slice(0, 10)), parseCivilDate(to.slice(0, 10))];
  const key = first && last && from < to ? `${first} ${last}` : undefined;
  const pieces = useChoices(key, () => readPeriod(key ?? ""));
  const names = key === undefined || !pieces ? [] : listDisplacedNames(pieces, references, { from, to });
  if (names.length === 0) return null;
  return (
    <p class="notice waiting wide" role="status">
      {t("losing", { who: names.join(", ") })}
    </p>
  );
}

function readPeriod(key: string): Promise<readonly Planning[]> {
  const [first = "", last = ""] = key.split(" ") as CivilDate[];
  return readPlanningPieces(first as CivilDate, toDayNumber(last as CivilDate) - toDayNumber(first as CivilDate) + 1);
}

/** Lists the customers whose reservations lose their vehicle, with the vehicle if there are several. */
export function listDisplacedNames(
  pieces: readonly Pick<Planning, "vehicles">[],
  references: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly string[] {
  const names = pieces.flatMap(({ vehicles }) =>
    vehicles
      .filter(({ reference }) => references.includes(reference))
      .flatMap(({ reference, contracts }) =>
        listDisplacedContracts(contracts, from, to).map(({ customer_fullname: name, id }) =>
          references.length > 1 ? `${name} (${id}, ${reference})` : `${name} (${id})`,
        ),
      ),
  );
  return [...new Set(names)];
}
