import type { CheckInOutcome } from "#domain/check-in/outcome.ts";
import { toFieldDetail } from "#worker/api/primitives.ts";
import type { OperationResultMessage } from "./operation-messages.ts";

export function toOperationResultMessage(outcome: CheckInOutcome): OperationResultMessage {
  return {
    op_id: outcome.opId,
    state: outcome.state,
    status: outcome.status,
    code: outcome.code,
    message: outcome.message,
    ...(outcome.problems && { detail: outcome.problems.map(toFieldDetail) }),
    booking_id: outcome.bookingId,
    booking_status: outcome.bookingStatus ?? null,
    version: outcome.version ?? null,
    flags: [...outcome.flags],
    warnings: outcome.warnings.map((warning) => ({ ...warning })),
    missing_photos: [...outcome.missing],
    by: outcome.before?.author ?? null,
    at: outcome.before ? new Date(outcome.before.at).toISOString() : null,
    received_at: new Date(outcome.receivedAt).toISOString(),
  };
}
