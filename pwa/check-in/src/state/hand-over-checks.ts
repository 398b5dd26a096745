import { HAND_OVER_CHECKS, type HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import { listBlockingChecks, listUnmetHandOverChecks } from "#domain/check-in/hand-over-checks.ts";
import type { HandOverSettlement } from "#domain/check-in/settlement.ts";
import type { Booking } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import type { WorkDraft } from "../offline/items.ts";
import { hasOfficeRole } from "./device-session.ts";
import { mergeScannedDriver } from "./driver-documents.ts";
import { settings } from "./settings.ts";

/** Checks of the company that a delivery doesn't meet, and those of them that block it. */
export interface UnmetChecks {
  readonly missing: readonly HandOverCheck[];
  readonly blocking: readonly HandOverCheck[];
}

const NOTHING: UnmetChecks = { missing: [], blocking: [] };

/**
 * Finds the checks that a delivery doesn't meet, by the server's rule. The settlement includes the draft's payments. A
 * day cached from an older server has no signature, and its settings no modes.
 */
export function findUnmetChecks(
  booking: Booking | undefined,
  settlement: Pick<HandOverSettlement, "openCents" | "depositOpenCents"> | undefined,
  draft?: WorkDraft,
): UnmetChecks {
  const isAhead = booking?.status === "confirmed" || booking?.status === "in_progress";
  if (!booking || !settlement || !isAhead || booking.resources.every(({ state }) => state !== "to_deliver"))
    return NOTHING;
  const modes = settings.value?.handover_checks ?? {};
  const driver = mergeScannedDriver(booking, draft?.driver).find(({ position }) => position === "driver");
  const typed = draft?.authorities;
  const missing = listUnmetHandOverChecks(modes, {
    dueCents: settlement.openCents,
    totalDepositCents: settlement.depositOpenCents,
    depositHeldCents: 0,
    documentId: typed?.customer_document_id?.trim() || booking.customer.document_id,
    contractData: {
      driver_document_id: driver?.document_id || typed?.driver_document_id?.trim() || "",
      driver_driving_license_number:
        driver?.driving_license_number || typed?.driver_driving_license_number?.trim() || "",
      driver_driving_license_expiration_date:
        driver?.driving_license_expiration_date || typed?.driver_driving_license_expiration_date?.trim() || "",
    },
    dateTo: booking.date_to,
    isSigned: booking.contract_signed || Boolean(draft?.signature),
  });
  return { missing, blocking: listBlockingChecks(modes, missing) };
}

/** Names checks in the user's language. */
export const nameChecks = (checks: readonly HandOverCheck[]): string =>
  HAND_OVER_CHECKS.filter((check) => checks.includes(check))
    .map((check) => t(`handOverCheck_${check}`))
    .join(", ");

/** Whether a manager must still give a reason to override what blocks the delivery. Others leave a conflict. */
export const needsOverrideReason = ({ override_reason = "" }: WorkDraft, { blocking }: UnmetChecks): boolean =>
  hasOfficeRole.value && blocking.length > 0 && override_reason.trim() === "";
