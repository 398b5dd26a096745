import type { CustomerMailRequest } from "#worker/api/office/message-messages.ts";
import type { VehicleAssignmentRequest } from "#worker/api/office/request-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { describeRefusal, type RowOutcome } from "../../desk/bulk-actions.ts";
import type { ReservationDetail, ReservationListItem } from "../../desk/reservation.ts";
import { sendWithIdempotencyKey } from "../../desk/submit-once.ts";
import { t } from "../../texts.ts";
import type { HandOverVehicles } from "./hand-over-vehicles.ts";

/** Assigns the first free vehicle of its category to each unit of a rental that has none. */
export async function assignFreeVehicles({ id, kind, status }: ReservationListItem): Promise<RowOutcome> {
  if (kind === "transfer" || (status !== "confirmed" && status !== "pending_confirmation"))
    return { isDone: false, text: t("bulkNotAssignable") };
  const read = await sendOfficeRequest<ReservationDetail>("GET", toOfficePath(`/reservations/${id}`));
  const reservation = getSuccessfulContent(read)?.reservation;
  if (!reservation) return describeRefusal(read);
  let version = reservation.version;
  const assigned: string[] = [];
  const waiting = reservation.units.filter(({ reference }) => reference === null);
  if (waiting.length === 0) return { isDone: true, text: t("bulkHasVehicle") };
  for (const unit of waiting) {
    const listed = await sendOfficeRequest<HandOverVehicles>("GET", toOfficePath(`/reservations/${id}/vehicles`));
    const free = getSuccessfulContent(listed)?.data.find(
      (vehicle) => vehicle.can_leave && vehicle.is_own_category && !assigned.includes(vehicle.reference),
    );
    if (!free) return { isDone: false, text: [...assigned, t("bulkNoneFree")].join(" · ") };
    const body: VehicleAssignmentRequest = { expected_version: version, unit_id: unit.id, reference: free.reference };
    const answer = await sendOfficeRequest<ReservationDetail, VehicleAssignmentRequest>(
      "POST",
      toOfficePath(`/reservations/${id}/assign`),
      {
        body,
      },
    );
    const after = getSuccessfulContent(answer)?.reservation;
    if (!after) return describeRefusal(answer);
    version = after.version;
    assigned.push(free.reference);
  }
  return { isDone: true, text: assigned.join(", ") };
}

/** Sends a message to the customer of a reservation. */
export async function sendReservationMessage(
  { id, customer_email: email }: ReservationListItem,
  body: CustomerMailRequest,
): Promise<RowOutcome> {
  if (!email) return { isDone: false, text: t("bulkNoMail") };
  const path = toOfficePath(`/reservations/${id}/messages`);
  const answer = await sendWithIdempotencyKey<object, CustomerMailRequest>("POST", path, body);
  return getSuccessfulContent(answer) ? { isDone: true, text: email } : describeRefusal(answer);
}
