import type { Immutable } from "#shared/immutable.ts";
import type { SecondFactorsMessage } from "#worker/api/customer-access/messages.ts";
import type { OfficeResponse } from "../../api.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";

/** API path of the user's own second factors. */
export const SECOND_FACTOR_PATH = "/api/v1/second-factor";

export type Passkey = SecondFactors["passkeys"][number];

/** A user's second factors. */
export type SecondFactors = Immutable<SecondFactorsMessage>;

export const NO_SECOND_FACTORS: SecondFactors = { passkeys: [], authenticator: false, recovery_codes_left: 0 };

export const hasSecondFactor = ({ passkeys, authenticator }: SecondFactors) => authenticator || passkeys.length > 0;

export interface SecondFactorProps {
  /** Called with recovery codes, which are shown once. */
  readonly onCodes: (codes: readonly string[]) => void;
  /** Runs an action that returns a notice, and reloads the factors. */
  readonly doing: (work: () => Promise<string>) => () => void;
}

/** Returns why a factor wasn't changed. */
export const getFactorRefusalText = (answer: OfficeResponse) => toRefusalTexts(answer).notice;
