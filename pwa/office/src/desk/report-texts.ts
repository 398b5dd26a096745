import { t, tOr } from "../texts.ts";

/** Error code of a report that must be cancelled manually. */
export const MANUAL_CANCELLATION_ERROR_CODE = "to_annul_by_hand";

interface ReportedRental {
  readonly state: string;
  readonly error: string | null;
}

/** Returns the status text of a report to the authorities. */
export function formatAuthorityReportState({ state, error }: ReportedRental): string {
  return error === MANUAL_CANCELLATION_ERROR_CODE ? t("toldState.to_annul") : tOr(`toldState.${state}`, state);
}

/** Returns the error text of a report. Errors of the authority aren't translated. */
export function formatAuthorityReportProblem({ error }: Pick<ReportedRental, "error">): string | undefined {
  return error === null ? undefined : tOr(`problem.${error}`, error);
}
