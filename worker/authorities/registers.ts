import type { Register } from "#domain/communications/registers.ts";
import type { RentalRegister } from "./register.ts";
import { sesHospedajes } from "./ses/register.ts";

/** The registers that rentals can be communicated to; what is not built is undefined, and said in the settings. */
export const registers: Readonly<Record<Register, RentalRegister | undefined>> = {
  ses_hospedajes: sesHospedajes,
  mossos: undefined,
  ertzaintza: undefined,
  other: undefined,
  none: undefined,
};
