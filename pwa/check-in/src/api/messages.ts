// What the Worker and the app tell each other: types only, so that no validator reaches the bundle.
export type {
  DayEntryMessage as Booking,
  DayMessage as Day,
  ExtrasMessage as Extras,
  SettingsMessage as Settings,
  VehicleMessage as Vehicle,
  VehiclesMessage as Vehicles,
} from "#worker/api/check-in/day-messages.ts";
export type {
  CheckInOperationMessage as Operation,
  OfficeAnswerMessage as Office,
  OperationRecordMessage as OperationRecord,
  OperationResultMessage as OperationResult,
  OperationsAnswerMessage as OperationsAnswer,
} from "#worker/api/check-in/operation-messages.ts";
export type {
  TransferTripMessage as TransferTrip,
  TransferTripsMessage as TransferTrips,
} from "#worker/api/check-in/transfer-messages.ts";

import type { DayEntryMessage } from "#worker/api/check-in/day-messages.ts";

/** One unit of a booking: what is handed over and taken back. */
export type RentalUnit = DayEntryMessage["resources"][number];
