import { z } from "zod";
import { HAND_OVER_VEHICLE_STATES } from "#domain/catalogue/hand-over-vehicles.ts";
import { type CivilMinute, formatCivilMinute } from "#domain/dates.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";

const contract = z
  .object({
    reservation_id: z.int(),
    customer_fullname: z.string().nullable(),
    date_from: z.string(),
    time_from: z.string(),
    date_to: z.string(),
    time_to: z.string(),
  })
  .nullable();

const vehicle = z
  .object({
    reference: z.string(),
    name: z.string(),
    stock_plate: z.string().nullable(),
    category_code: z.string(),
    ...acrissFields,
    is_own_category: z.boolean().meta({ description: "Whether it is of a category of the reservation" }),
    rental_location_code: z.string(),
    state: z.enum(HAND_OVER_VEHICLE_STATES).meta({ description: "Strongest reason against it, or free" }),
    states: z.array(z.enum(HAND_OVER_VEHICLE_STATES)),
    can_leave: z.boolean().meta({ description: "False if it is out, blocked or reserved" }),
    out: contract.meta({ description: "Rental that has it now" }),
    reserved: contract.meta({ description: "Next reservation that has it in this period" }),
    block: z.object({ from: z.string(), to: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: "HandOverVehicle" });

export const handOverVehicleList = z.object({ data: z.array(vehicle), total: z.int() });
export type HandOverVehicleListMessage = z.output<typeof handOverVehicleList>;

interface StoredContract {
  readonly id: number;
  readonly customer: string | null;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
}

interface StoredVehicle {
  readonly reference: string;
  readonly name: string;
  readonly plate: string | null;
  readonly categoryCode: string;
  readonly isOwnCategory: number;
  readonly branchCode: string;
  readonly states: readonly [(typeof HAND_OVER_VEHICLE_STATES)[number], ...(typeof HAND_OVER_VEHICLE_STATES)[number][]];
  readonly canLeave: boolean;
  readonly out: StoredContract | null;
  readonly reserved: StoredContract | null;
  readonly block: { readonly startsAt: CivilMinute; readonly endsAt: CivilMinute; readonly kind: string } | null;
}

const toVehicleContractMessage = (stored: StoredContract | null): z.output<typeof contract> =>
  stored && {
    reservation_id: stored.id,
    customer_fullname: stored.customer,
    date_from: stored.dateFrom,
    time_from: stored.timeFrom,
    date_to: stored.dateTo,
    time_to: stored.timeTo,
  };

/** Converts the vehicles for a hand-over. */
export function toHandOverVehiclesMessage(
  rows: readonly StoredVehicle[],
  messageFormat: MessageFormat,
): z.output<typeof handOverVehicleList> {
  const data = rows.map((row) => ({
    reference: row.reference,
    name: row.name,
    stock_plate: row.plate,
    category_code: row.categoryCode,
    ...messageFormat.acriss(row.categoryCode),
    is_own_category: row.isOwnCategory === 1,
    rental_location_code: row.branchCode,
    state: row.states[0],
    states: [...row.states],
    can_leave: row.canLeave,
    out: toVehicleContractMessage(row.out),
    reserved: toVehicleContractMessage(row.reserved),
    block: row.block && {
      from: formatCivilMinute(row.block.startsAt),
      to: formatCivilMinute(row.block.endsAt),
      reason: row.block.kind,
    },
  }));
  return { data, total: data.length };
}
