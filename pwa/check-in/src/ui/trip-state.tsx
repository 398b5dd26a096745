import type { TransferTrip } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import { Chip } from "./parts.tsx";

/** What is not as it should be with a trip; nothing where it is confirmed. */
export function TripState({ status }: Pick<TransferTrip, "status">) {
  if (status === "cancelled") return <Chip tone="refused">{t("tripCancelled")}</Chip>;
  if (status === "pending_confirmation") return <Chip tone="waiting">{t("tripPending")}</Chip>;
  return null;
}
