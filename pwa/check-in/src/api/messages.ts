// Messages between Worker and app. Types only, to keep validators out of the bundle.
export type {
  ApplicableExtrasMessage as Extras,
  CheckInDayBookingMessage as Booking,
  CheckInDayMessage as Day,
  CheckInSettingsMessage as Settings,
  CheckInVehicleMessage as Vehicle,
  CheckInVehiclesMessage as Vehicles,
} from "#worker/api/check-in/day-messages.ts";
export type {
  CheckInOperationMessage as Operation,
  OfficeOperationsMessage as Office,
  OperationRecordMessage as OperationRecord,
  OperationResultMessage as OperationResult,
  OperationResultsMessage as OperationsAnswer,
} from "#worker/api/check-in/operation-messages.ts";
export type {
  TransferTripMessage as TransferTrip,
  TransferTripsMessage as TransferTrips,
} from "#worker/api/check-in/transfer-messages.ts";

import type { CheckInDayBookingMessage } from "#worker/api/check-in/day-messages.ts";

/** One vehicle of a booking, handed over and returned separately. */
export type RentalUnit = CheckInDayBookingMessage["resources"][number];
