import type {
  Applied,
  CheckInBooking,
  CheckInOperation,
  CheckInVehicle,
  DecisionContext,
  DeskCharge,
  Unit,
  Warning,
  WarningCode,
} from "./operations.ts";

const FULL_TANK = 8;

type Warned = Pick<Applied, "warnings" | "charges" | "extras">;

/**
 * What is odd about an operation that is done nevertheless: field work is never stopped by a reading. Money and extras
 * that cannot be booked are left out and said, so that the rest is not lost.
 */
export function listWarnings(
  booking: CheckInBooking,
  operation: CheckInOperation,
  unit: Unit | undefined,
  vehicle: CheckInVehicle | undefined,
  context: DecisionContext,
): Warned {
  // A firm invoice takes no more lines.
  const isRefused = (code: string) => booking.status === "done" || context.refusedExtras.has(code);
  const extras = operation.extras.filter(({ code }) => !isRefused(code));
  const charges = keepBookable(operation.charges, booking.depositHeldCents);
  return {
    extras,
    charges,
    warnings: [
      ...warnOfReadings(operation, unit, vehicle),
      ...warnOfHandOver(booking, operation, charges),
      ...operation.extras
        .filter(({ code }) => isRefused(code))
        .map(({ code }) => warning("extras", "extra_refused", `extra ${code} could not be added`)),
      ...operation.charges
        .filter((charge) => !charges.includes(charge))
        .map(() =>
          warning("charges", "charge_refused", "more of the deposit than is held cannot be given back or kept"),
        ),
    ],
  };
}

function warning(field: string, code: WarningCode, message: string): Warning {
  return { field, code, message };
}

// In order: what is taken first can be given back after.
function keepBookable(charges: readonly DeskCharge[], heldCents: number): DeskCharge[] {
  let held = heldCents;
  return charges.filter(({ kind, amountCents }) => {
    if (kind === "payment") return true;
    const after = kind === "deposit_taken" ? held + amountCents : held - amountCents;
    if (after < 0) return false;
    held = after;
    return true;
  });
}

function warnOfReadings(
  { kind, kilometres, fuelEighths }: CheckInOperation,
  unit: Unit | undefined,
  vehicle: CheckInVehicle | undefined,
): Warning[] {
  if (!unit || kind === "evidence") return [];
  const before = kind === "delivery" ? vehicle?.kilometres : unit.deliveryKilometres;
  return [
    ...(kilometres !== undefined && before !== undefined && kilometres < before
      ? [warning("kilometres", "kilometres_lower", `${kilometres} km are less than the ${before} km before`)]
      : []),
    ...(kilometres === undefined && (kind === "delivery" || kind === "collection")
      ? [warning("kilometres", "kilometres_missing", "nobody read the kilometres")]
      : []),
    ...(fuelEighths !== undefined && fuelEighths > FULL_TANK
      ? [warning("fuel_eighths", "fuel_impossible", `${fuelEighths}/8 is more than a full tank`)]
      : []),
    ...(vehicle && vehicle.categoryCode !== unit.categoryCode
      ? [
          warning(
            "vehicle_reference",
            "other_category",
            `the vehicle is of ${vehicle.categoryCode}, not ${unit.categoryCode}`,
          ),
        ]
      : []),
  ];
}

function warnOfHandOver(
  booking: CheckInBooking,
  operation: CheckInOperation,
  charges: readonly DeskCharge[],
): Warning[] {
  if (operation.kind !== "delivery") return [];
  const taken = charges.filter(({ kind }) => kind === "deposit_taken").reduce((sum, one) => sum + one.amountCents, 0);
  return [
    ...(booking.depositHeldCents + taken < booking.totalDepositCents
      ? [warning("charges", "deposit_short", "less than the deposit of the contract is held")]
      : []),
    ...(operation.signature ? [] : [warning("signature", "signature_missing", "nobody signed")]),
  ];
}
