import { t, tOr } from "../texts.ts";

/** What the platform says of a communication that only a person can annul. */
export const TO_ANNUL = "to_annul_by_hand";

interface Communicated {
  readonly state: string;
  readonly error: string | null;
}

/** Where a communication to the authorities stands, in words. */
export function formatReportState({ state, error }: Communicated): string {
  return error === TO_ANNUL ? t("toldState.to_annul") : tOr(`toldState.${state}`, state);
}

/** Why it stands there, in words where it is ours to say. */
export function formatReportProblem({ error }: Pick<Communicated, "error">): string | undefined {
  return error === null ? undefined : tOr(`problem.${error}`, error);
}
