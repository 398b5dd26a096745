/** Error of a report registered at the ministry under an unknown name, because the answer was lost. */
export const MANUAL_ANNULMENT_ERROR = "to_annul_by_hand";

/** Whether staff must annul a report on the ministry's site, because it isn't sent again. */
export function needsManualAnnulment({
  state,
  error,
}: {
  readonly state: string;
  readonly error: string | null;
}): boolean {
  return state === "refused" && error === MANUAL_ANNULMENT_ERROR;
}
