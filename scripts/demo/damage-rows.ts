import { addDays, type CivilDate } from "#domain/dates.ts";
import type { Company } from "./company.ts";
import type { Row, TableRows } from "./insert.ts";
import { randomFrom } from "./random.ts";

const DAMAGED_SHARE = 0.3;

/** Where each part is on the diagram, in thousandths. */
const SEEN = [
  ["front_left_door", "scratch", "light", 300, 450, "Llave"],
  ["rear_bumper", "dent", "medium", 500, 930, null],
  ["front_right_wheel", "scratch", "light", 720, 240, null],
  ["windscreen", "crack", "medium", 500, 300, "Chinazo"],
  ["left_mirror", "broken", "severe", 180, 350, null],
  ["bonnet", "scratch", "light", 480, 150, null],
] as const;

/** Damage that vehicles carry from earlier rentals: most have none, few have two. */
export function damageRows(company: Company, today: CivilDate): TableRows {
  const random = randomFrom(`${company.account} damages`);
  const rows = company.fleet.flatMap((vehicle): Row[] =>
    random.chance(DAMAGED_SHARE)
      ? Array.from({ length: random.between(1, 2) }, () => damageRow(vehicle.reference))
      : [],
  );
  return { table: "vehicle_damages", rows };

  function damageRow(reference: string): Row {
    const [part, kind, severity, x, y, note] = random.pick(SEEN);
    const hex = random.hex(12);
    return {
      damage_id: `01890000-0000-7000-9000-${hex}`,
      vehicle_reference: reference,
      part,
      kind,
      severity,
      x,
      y,
      note,
      since: addDays(today, -random.between(5, 300)),
    };
  }
}
