import { t } from "../../texts.ts";

/** Where one's own second factor is kept. */
export const FACTOR = "/api/v1/second-factor";

export interface FactorProps {
  /** Recovery codes are shown once. */
  readonly onCodes: (codes: readonly string[]) => void;
  /** Does something that ends with a sentence, and reads the factors anew. */
  readonly doing: (work: () => Promise<string>) => () => void;
}

const FORBIDDEN = 403;

/** Who may not change factors now has to prove one first. */
export const refusal = (status: number) => (status === FORBIDDEN ? t("proveHelp") : t("failed"));
