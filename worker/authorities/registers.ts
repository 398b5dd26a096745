import type { AuthorityRegister } from "#domain/catalogue/authority-registers.ts";
import type { MinistryRegister } from "./register.ts";
import { sesHospedajes } from "./ses/register.ts";

/** Implementation for each register of an authority. Undefined if not implemented, which the settings show. */
export const ministryRegisters: Readonly<Record<AuthorityRegister, MinistryRegister | undefined>> = {
  ses_hospedajes: sesHospedajes,
  mossos: undefined,
  ertzaintza: undefined,
  other: undefined,
  none: undefined,
};
