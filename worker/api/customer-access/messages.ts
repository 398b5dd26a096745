import { z } from "zod";
import type { SignUpForm } from "#domain/access/sign-up.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ACCESS_FAILURE_CODES } from "#domain/failure-codes.ts";
import { toAmount } from "#domain/money.ts";
import { createFailureCodeSchema, problemCode } from "#worker/api/failure-messages.ts";
import { createRefineOptions, decimalAmountSchema, languageCode } from "#worker/api/primitives.ts";

// spec: docs/interfaces/customer-access.md.

const MAX_NAME_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 200;
const MAX_LINK_LENGTH = 200;

// Existing websites send an empty text for a missing value.
export const languageQuery = z.object({
  lang: languageCode.or(z.literal("").transform(() => undefined)).optional(),
});

function requiredText(maxLength: number) {
  return z
    .string("must be given, as text")
    .refine((text) => text.trim() !== "", createRefineOptions("empty"))
    .refine((text) => text.length <= maxLength, createRefineOptions("too_long", maxLength))
    .meta({ minLength: 1, maxLength: maxLength });
}

export const credentialsBody = z.object({
  username: requiredText(MAX_NAME_LENGTH).meta({ description: "The user name or the e-mail" }),
  password: requiredText(MAX_PASSWORD_LENGTH),
});

const MAX_SIGNED_LENGTH = 8000;
const base64Url = z
  .string("must be text")
  .min(1, "is required")
  .max(MAX_SIGNED_LENGTH, "is too long")
  .regex(/^[\w-]+$/, "must be base64url");

/** Proof by passkey of a customer or staff: the result of `navigator.credentials.get` in `toJSON()` format. */
export const passkeyAssertionSchema = z
  .object({
    id: base64Url,
    response: z.object({ clientDataJSON: base64Url, authenticatorData: base64Url, signature: base64Url }),
  })
  .meta({ id: "PasskeyAssertion" });
export type PasskeyAssertion = z.input<typeof passkeyAssertionSchema>;

export function toPasskeyProof({ id, response }: z.infer<typeof passkeyAssertionSchema>) {
  return { id, ...response };
}

const MAX_CODE_LENGTH = 40;

export const secondFactorCodeBody = z
  .object({ code: z.string("must be text").min(1, "is required").max(MAX_CODE_LENGTH, "is no code") })
  .meta({ id: "SecondFactorCode" });
export type SecondFactorCodeRequest = z.input<typeof secondFactorCodeBody>;

export const secondFactorProofBody = z
  .object({ code: secondFactorCodeBody.shape.code.optional(), passkey: passkeyAssertionSchema.optional() })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
    path: ["code"],
    message: "or passkey is required, one of them",
  })
  .meta({ id: "SecondFactorProof" });
export type SecondFactorProofRequest = z.input<typeof secondFactorProofBody>;

/** Result of `navigator.credentials.create` in `toJSON()` format, with a name for the list. */
export const newPasskeyBody = z
  .object({
    name: z.string("must be text").trim().min(1, "is required").max(80, "is too long"),
    id: base64Url,
    response: z.object({ clientDataJSON: base64Url, attestationObject: base64Url }),
  })
  .meta({ id: "NewPasskey" });
export type NewPasskeyRegistration = z.input<typeof newPasskeyBody>;

export function toNewPasskey({ id, name, response }: z.infer<typeof newPasskeyBody>) {
  return { id, name, ...response };
}

const passkeyQuestion = z
  .object({ challenge: z.string(), rp_id: z.string(), ids: z.array(z.string()) })
  .meta({ id: "PasskeyQuestion", description: "Challenge for one of these passkeys, valid for five minutes" });
export type SignInPasskeyChallengeMessage = z.output<typeof passkeyQuestion>;

export const passkeyChallengeAnswer = passkeyQuestion.extend({
  user: z.object({ id: z.string(), name: z.string() }),
  algorithms: z.array(z.number().int()),
});
export type PasskeyChallengeMessage = z.output<typeof passkeyChallengeAnswer>;

export const secondFactorsAnswer = z.object({
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string(), created_at: z.string(), last_used_at: z.string().nullable() }),
  ),
  authenticator: z.boolean().meta({ description: "Whether the user also has an authenticator app" }),
  recovery_codes_left: z.int().meta({ description: "Number of unused recovery codes" }),
});
export type SecondFactorsMessage = z.output<typeof secondFactorsAnswer>;

/** Codes for users who lose their second factor. */
export const recoveryCodesAnswer = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodesMessage = z.output<typeof recoveryCodesAnswer>;

/** Secret of a new authenticator app. */
export const authenticatorSetupAnswer = z.object({ secret: z.string(), uri: z.string() });
export type AuthenticatorSetupMessage = z.output<typeof authenticatorSetupAnswer>;

/** Whether a second factor was proved. */
export const secondFactorProofAnswer = z.object({ proved: z.boolean() });
export type SecondFactorProofMessage = z.output<typeof secondFactorProofAnswer>;

/** Sign-in data, and the part that may be in the query. */
export const loginBody = credentialsBody.extend({
  ...languageQuery.shape,
  code: z.string().max(40).optional().meta({ description: "Code of the second factor, if the user has one" }),
  passkey: passkeyAssertionSchema.optional(),
});
export type LoginRequest = z.input<typeof loginBody>;
export const credentialsQuery = loginBody.omit({ passkey: true }).partial();

export const signInResultAnswer = z
  .object({
    connected: z.boolean(),
    user: z
      .object({ full_name: z.string(), role: z.enum(["customer", "operator", "agent", "manager", "administrator"]) })
      .optional(),
    second_factor: z
      .enum(["required", "wrong"])
      .optional()
      .meta({ description: "Set if the password is right and the code of the second factor is missing or wrong" }),
    passkey: passkeyQuestion.optional(),
  })
  .meta({ id: "Connection" });
export type SignInResultMessage = z.output<typeof signInResultAnswer>;

const inputText = z
  .string("must be text")
  .nullish()
  .transform((text) => text ?? "");

export const signUpBody = z
  .object({
    username: inputText.meta({ type: "string", description: "User name. Without it, the email address" }),
    email: inputText.meta({ type: "string" }),
    password: inputText.meta({ type: "string" }),
    name: inputText.meta({ type: "string" }),
    surname: inputText.meta({ type: "string" }),
    phone_number_prefix: inputText.meta({ type: "string" }),
    phone_number: inputText.meta({ type: "string" }),
    document_id: inputText.meta({ type: "string" }),
  })
  .meta({ id: "SignUp" });
export type SignUpRequest = z.input<typeof signUpBody>;

/** Converts a registration, in the user's language. */
export function toSignUpForm(body: z.infer<typeof signUpBody>, customerLanguage: string): SignUpForm {
  const { username, email, password, name, surname } = body;
  return {
    ...{ username, email, password, name, surname },
    phonePrefix: body.phone_number_prefix,
    phone: body.phone_number,
    documentId: body.document_id,
    language: customerLanguage,
  };
}

const optionalName = z
  .string("must be text")
  .refine((text) => text.length <= MAX_NAME_LENGTH, createRefineOptions("too_long", MAX_NAME_LENGTH))
  .nullish();

/** Identifies a user by user name or email. */
export const userIdentifierBody = z
  .object({ username: optionalName, email: optionalName })
  .refine((body) => getSignInName(body) !== "", { message: "must be given, or email", path: ["username"] })
  .meta({ id: "UserName" });
export type UserIdentifierRequest = z.input<typeof userIdentifierBody>;

interface SignInNames {
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
}

export function getSignInName(body: SignInNames): string {
  return body.username?.trim() || body.email?.trim() || "";
}

export const setPasswordBody = z
  .object({
    password: z.string("must be text"),
    password_forgotten_hash: requiredText(MAX_LINK_LENGTH).meta({
      description: "Value of `id` in the mailed link",
    }),
  })
  .meta({ id: "NewPassword" });

export const emailVerificationBody = z
  .object({ verification: requiredText(MAX_LINK_LENGTH).meta({ description: "Value of `id` in the mailed link" }) })
  .meta({ id: "Verification" });

export const booleanAnswer = z.boolean();

export const ownRentalsAnswer = z.object({
  data: z.array(
    z
      .object({
        id: z.number(),
        free_access_id: z.string(),
        status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
        date_from: z.string(),
        time_from: z.string(),
        date_to: z.string(),
        time_to: z.string(),
        item_description: z.string(),
        pickup_place: z.string(),
        return_place: z.string(),
        total_cost: decimalAmountSchema,
      })
      .meta({ id: "Rental" }),
  ),
});
export type OwnRentalsMessage = z.output<typeof ownRentalsAnswer>;

interface Rental {
  readonly id: number;
  readonly freeAccessId: string;
  readonly status: z.infer<typeof ownRentalsAnswer>["data"][number]["status"];
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly pickupPlaceId: number | null;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly totalCents: number;
  readonly items: readonly { readonly categoryCode: string; readonly description: string }[];
}

/** Converts a customer's rentals, in the user's language if translated. */
export function toOwnRentalsMessage(
  rentals: readonly Rental[],
  { categories, places, settings }: Catalogue,
  customerLanguage: string | undefined,
): z.infer<typeof ownRentalsAnswer> {
  const language = customerLanguage ?? settings.defaultLanguage;
  const translated = ({ categoryCode, description }: Rental["items"][number]) =>
    categories.get(categoryCode)?.names[language] ?? description;
  const placeName = (id: number | null, name: string) => places.get(id ?? 0)?.names[language] ?? name;
  return {
    data: rentals.map((rental) => ({
      id: rental.id,
      free_access_id: rental.freeAccessId,
      status: rental.status,
      date_from: rental.dateFrom,
      time_from: rental.timeFrom,
      date_to: rental.dateTo,
      time_to: rental.timeTo,
      item_description: rental.items.map(translated).join(", "),
      pickup_place: placeName(rental.pickupPlaceId, rental.pickupPlace),
      return_place: placeName(rental.returnPlaceId, rental.returnPlace),
      total_cost: toAmount(rental.totalCents, settings.currencyDecimals),
    })),
  };
}

interface Transfer {
  readonly booking: Omit<Rental, "items" | "pickupPlaceId" | "returnPlaceId">;
  readonly transferVehicleId: number;
  readonly vehicleName: string;
  readonly originPointId: number;
  readonly destinationPointId: number;
}

/** Converts a customer's transfers to the format of rentals, with the points of the outward trip as places. */
export function toOwnTransfersMessage(
  transfers: readonly Transfer[],
  catalogue: Catalogue,
  customerLanguage: string | undefined,
): z.infer<typeof ownRentalsAnswer> {
  const { points, vehicles } = catalogue.transfers;
  const language = customerLanguage ?? catalogue.settings.defaultLanguage;
  const pointName = (id: number, name: string) => points.get(id)?.names[language] ?? name;
  const asRentals = transfers.map(({ booking, transferVehicleId, vehicleName, originPointId, destinationPointId }) => ({
    ...booking,
    pickupPlaceId: null,
    pickupPlace: pointName(originPointId, booking.pickupPlace),
    returnPlaceId: null,
    returnPlace: pointName(destinationPointId, booking.returnPlace),
    items: [{ categoryCode: "", description: vehicles.get(transferVehicleId)?.names[language] ?? vehicleName }],
  }));
  return toOwnRentalsMessage(asRentals, catalogue, language);
}

export const accessFailureAnswer = z
  .object({
    error: z.string(),
    code: createFailureCodeSchema(ACCESS_FAILURE_CODES),
    detail: z.array(z.string()).optional(),
    problems: z
      .array(z.object({ field: z.string(), code: problemCode }))
      .optional()
      .meta({ description: "Codes of the refused fields, for programs" }),
  })
  .meta({ id: "Failure" });
export type AccessFailureMessage = z.output<typeof accessFailureAnswer>;
