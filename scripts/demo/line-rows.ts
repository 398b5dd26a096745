import type { Clock } from "./clock.ts";
import type { Contract } from "./contracts.ts";
import type { Row } from "./insert.ts";
import type { UnitReadings } from "./readings.ts";

// A contract has two lines at most, so its lines' ids follow from its own.
function lineIdOf(contractId: number, line: number): number {
  return contractId * 2 - 1 + line;
}

export function lineRows({ id, draft }: Contract): Row[] {
  return draft.lines.map((line, index) => {
    const [fuel, second, third] = line.category.supplementCents;
    return {
      id: lineIdOf(id, index),
      booking_id: id,
      category_code: line.category.code,
      item_description: line.category.name,
      quantity: line.quantity,
      item_unit_base_cents: line.unitBaseCents,
      item_unit_cents: line.unitCents,
      item_cents: line.itemCents,
      vat_basis_points: line.category.vat,
      category_supplement_1_unit_cents: fuel,
      category_supplement_2_unit_cents: second,
      category_supplement_3_unit_cents: third,
      product_deposit_unit_cents: line.category.depositCents,
      product_guarantee_unit_cents: line.category.guaranteeCents,
      offer_id: line.offer?.id,
    };
  });
}

/** One row for each unit of a line. */
export function unitRows(clock: Clock, { id, units }: Contract): Row[] {
  const epoch = (reading: UnitReadings["delivery"]) => (reading ? clock.toEpochMs(reading.at) : null);
  return units.map(({ line, vehicle, delivery, collection }) => ({
    booking_line_id: lineIdOf(id, line),
    booking_id: id,
    vehicle_reference: vehicle?.reference,
    delivered_at: epoch(delivery),
    collected_at: epoch(collection),
    delivery_usage_units: delivery?.usageUnits,
    collection_usage_units: collection?.usageUnits,
    delivery_fuel: delivery?.fuel,
    collection_fuel: collection?.fuel,
  }));
}

export function extraRows({ id, draft }: Contract): Row[] {
  return draft.extras.map((extra) => ({
    booking_id: id,
    extra_code: extra.extra.code,
    extra_description: extra.extra.name,
    quantity: extra.quantity,
    extra_unit_cents: extra.unitCents,
    extra_cents: extra.extraCents,
    vat_basis_points: extra.extra.vat,
  }));
}
