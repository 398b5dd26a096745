import { MAX_SIGNATURE_BYTES } from "#domain/printing/contracts.ts";
import { createProblem } from "#domain/problems.ts";
import { createInvalidFieldsFailure, type Failure, failures } from "#worker/api/failure.ts";
import type { CheckInFileRefusal } from "#worker/usecases/check-in/files.ts";
import type { ApplicableExtrasRefusal } from "#worker/usecases/check-in/list-applicable-extras.ts";
import type { CheckInDayRefusal } from "#worker/usecases/check-in/read-day.ts";
import type { OperationReviewRefusal } from "#worker/usecases/check-in/review-operations.ts";
import type { VehicleSearchRefusal } from "#worker/usecases/check-in/search-vehicles.ts";
import type { TransferCancellationRefusal } from "#worker/usecases/check-in/transfer-trips.ts";
import { MAX_IMAGE_PIXELS } from "#worker/usecases/shared/rebuild-image.ts";

export type CheckInRefusal =
  | CheckInDayRefusal
  | VehicleSearchRefusal
  | ApplicableExtrasRefusal
  | CheckInFileRefusal
  | OperationReviewRefusal
  | TransferCancellationRefusal;

/** Converts a check-in rejection to an error. */
export function toCheckInFailure({ kind }: CheckInRefusal): Failure {
  switch (kind) {
    case "notSignedIn":
      return failures.notSignedIn;
    case "deviceForgotten":
      return failures.deviceForgotten;
    case "secondFactorMissing":
      return failures.secondFactorMissing;
    case "otherRole":
      return failures.otherRole;
    case "branchRequired":
      return createInvalidFieldsFailure([createProblem("rental_location_code", "several_branches")]);
    case "unknownBranch":
      return { status: 404, code: "unknown_branch", message: "rental_location_code names no branch of yours" };
    case "unknownStorage":
      return { status: 404, code: "unknown_branch_group", message: "rental_storage_id names no branch group of yours" };
    case "storageRequired":
      return createInvalidFieldsFailure([createProblem("rental_storage_id", "several_branch_groups")]);
    case "unknownBooking":
      return { status: 404, code: "unknown_booking", message: "There is no such booking" };
    case "unknownFile":
      return { status: 404, code: "unknown_file", message: "There is no such file" };
    case "unknownOperation":
      return { status: 404, code: "unknown_operation", message: "There is no such operation" };
    case "alreadySettled":
      return { status: 409, code: "already_settled", message: "This record has already been reviewed." };
    case "notCancellable":
      return {
        status: 409,
        code: "not_cancellable",
        message: "The transfer has begun or is over: it cannot be cancelled",
      };
    case "notAnImage":
      return {
        status: 415,
        code: "not_an_image",
        message: "Unsupported file. Upload a single JPEG, PNG, WebP or HEIC image.",
      };
    case "tooManyPixels":
      return {
        status: 413,
        code: "too_many_pixels",
        message: `The image has more than ${MAX_IMAGE_PIXELS} pixels`,
      };
    case "signatureTooLarge":
      return {
        status: 413,
        code: "signature_too_large",
        message: `signature.hash: the image is larger than ${MAX_SIGNATURE_BYTES} bytes`,
      };
    case "hashMismatch":
      return { status: 400, code: "hash_mismatch", message: "The SHA-256 in the address is not the one of the file" };
    case "customerErased":
      return { status: 409, code: "customer_erased", message: "The data of this booking's customer was erased" };
    case "tooManyFiles":
      return { status: 409, code: "too_many_files", message: "The booking has as many files as it may have" };
  }
}
