import type { Vehicle } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { bookingsOnDevice, findLoadedBooking, findUnit, fleetFetchedAt } from "./day.ts";
import { visibleDrafts, visibleItems } from "./outbox.ts";
import { getCompanyMinute } from "./settings.ts";
import { assessVehicle, type VehicleAssessment } from "./vehicle-status.ts";

/** Creates a function that assesses vehicles for current or future work, with the data on this device. */
export function createVehicleAssessor(
  draft: Pick<WorkDraft, "key" | "booking_id" | "resource_id">,
): (vehicle: Vehicle) => VehicleAssessment {
  const booking = findLoadedBooking(draft.booking_id);
  const unit = booking && draft.resource_id !== null ? findUnit(booking, draft.resource_id) : undefined;
  const known = {
    ...{ booking, categoryCode: unit?.category_code },
    bookings: [...bookingsOnDevice.value.values()],
    items: [...visibleItems.value.values()].toSorted((a, b) => a.seq - b.seq),
    drafts: [...visibleDrafts.value.values()].filter(({ key }) => key !== draft.key),
    receivedAt: fleetFetchedAt.value ?? 0,
    now: getCompanyMinute(),
  };
  return (vehicle) => assessVehicle(vehicle, known);
}
