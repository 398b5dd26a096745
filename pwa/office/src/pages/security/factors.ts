import type { Answer } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";

/** Where one's own second factor is kept. */
export const FACTOR = "/api/v1/second-factor";

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly last_used_at: string | null;
}

/** What somebody proves their second factor with. */
export interface Factors {
  readonly passkeys: readonly Passkey[];
  readonly authenticator: boolean;
  readonly recovery_codes_left: number;
}

export const NO_FACTORS: Factors = { passkeys: [], authenticator: false, recovery_codes_left: 0 };

export const hasFactor = ({ passkeys, authenticator }: Factors) => authenticator || passkeys.length > 0;

export interface FactorProps {
  /** Recovery codes are shown once. */
  readonly onCodes: (codes: readonly string[]) => void;
  /** Does something that ends with a sentence, and reads the factors anew. */
  readonly doing: (work: () => Promise<string>) => () => void;
}

/** Why a factor was not changed. */
export const refusal = (answer: Answer) => refusedBy(answer).notice;
