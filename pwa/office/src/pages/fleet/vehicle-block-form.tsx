import { getCompanyDateTime } from "../../account.ts";
import type { FormValues } from "../../desk/fields.ts";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import { listVehicleBlockFields, type VehicleBlock } from "./vehicle.ts";

const DisplacedReservations = createLazyPart(() => import("./displaced-reservations.tsx"));

/** Returns fields, initial values and preview of a form that blocks vehicles or changes a block. */
export function getVehicleBlockForm(references: readonly string[], block?: VehicleBlock) {
  const { date } = getCompanyDateTime();
  return {
    fields: listVehicleBlockFields(),
    begin: block ? {} : { from: `${date}T08:00`, to: `${date}T20:00`, reason: "workshop" },
    outcome: (values: FormValues) => <DisplacedReservations references={references} values={{ ...block, ...values }} />,
  };
}
