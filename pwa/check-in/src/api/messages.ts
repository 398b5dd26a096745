// Messages between Worker and app. Types only, to keep validators out of the bundle.
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
  OfficeOperationsMessage as Office,
  OperationRecordMessage as OperationRecord,
  OperationResultMessage as OperationResult,
  OperationsAnswerMessage as OperationsAnswer,
} from "#worker/api/check-in/operation-messages.ts";
export type {
  TransferTripMessage as TransferTrip,
  TransferTripsMessage as TransferTrips,
} from "#worker/api/check-in/transfer-messages.ts";

import type { DayEntryMessage } from "#worker/api/check-in/day-messages.ts";

/** One vehicle of a booking, handed over and returned separately. */
export type RentalUnit = DayEntryMessage["resources"][number];
