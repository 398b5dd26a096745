/** The error of what the ministry has by a name that nobody knows: the answer that named it was lost. */
export const MANUAL_ANNULMENT_ERROR = "to_annul_by_hand";

/** Whether a communication waits for a person to annul it on the ministry's own pages: nobody tells it again. */
export function needsManualAnnulment({
  state,
  error,
}: {
  readonly state: string;
  readonly error: string | null;
}): boolean {
  return state === "refused" && error === MANUAL_ANNULMENT_ERROR;
}
