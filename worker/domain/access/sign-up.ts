import {
  cleanPastedText,
  isDocumentId,
  isPhonePrefix,
  isShortPhone,
  normalizeDocumentId,
  normalizeEmail,
  normalizeOrCleanEmail,
  normalizePhone,
  shortenPhone,
} from "#domain/identity.ts";
import { isPrintableText, isVisibleTextWithoutLinks, normalizeName } from "#domain/plain-text.ts";
import type { ProblemCode } from "#domain/problems.ts";
import { findPasswordProblems, type PasswordProblem } from "./passwords.ts";

/** Registration data of a customer. Omitted fields are empty. */
export interface SignUpForm {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly surname: string;
  readonly phonePrefix: string;
  readonly phone: string;
  readonly documentId: string;
  readonly language: string;
}

export type SignUpField = "username" | "email" | "name" | "surname" | "phonePrefix" | "phone" | "documentId";

/** Codes of invalid fields, as at every other entry. */
type InvalidSignUpCode = Extract<ProblemCode, "invalid" | "plain" | "email" | "person_name" | "telephone" | "document">;

/** Problem of a registration. */
export type SignUpProblem =
  | PasswordProblem
  | { readonly field: SignUpField; readonly kind: "missing" }
  | { readonly field: SignUpField; readonly kind: "invalid"; readonly code: InvalidSignUpCode }
  | { readonly field: SignUpField; readonly kind: "tooLong"; readonly longest: number };

const MAX_FIELD_LENGTHS: Readonly<Record<SignUpField, number>> = {
  username: 254,
  email: 254,
  name: 80,
  surname: 80,
  phonePrefix: 5,
  phone: 15,
  documentId: 50,
};

const FORMS: Readonly<Partial<Record<SignUpField, (text: string) => boolean>>> = {
  username: (text) => /^[^\s<>"]{3,}$/.test(text),
  email: (text) => normalizeEmail(text) === text,
  phonePrefix: isPhonePrefix,
  phone: (text) => normalizePhone(text) === text,
  documentId: isDocumentId,
};

const CODES: Readonly<Record<SignUpField, InvalidSignUpCode>> = {
  username: "invalid",
  email: "email",
  name: "person_name",
  surname: "person_name",
  phonePrefix: "telephone",
  phone: "telephone",
  documentId: "document",
};

const REQUIRED: readonly SignUpField[] = ["name", "email", "username"];
const FIELDS: readonly SignUpField[] = ["username", "email", "name", "surname", "phonePrefix", "phone", "documentId"];

/** Trims the input. Without a user name, uses the email. */
export function normalizeSignUpForm(signUpForm: SignUpForm): SignUpForm {
  const email = normalizeOrCleanEmail(signUpForm.email);
  return {
    ...signUpForm,
    email,
    username: normalizeOrCleanEmail(signUpForm.username) || email,
    name: normalizeName(signUpForm.name).trim(),
    surname: normalizeName(signUpForm.surname).trim(),
    phonePrefix: cleanPastedText(signUpForm.phonePrefix),
    phone: shortenPhone(cleanPastedText(signUpForm.phone)),
    documentId: normalizeDocumentId(signUpForm.documentId),
  };
}

/** Returns all problems of a registration: first by field, then the password's. */
export function findSignUpProblems(signUp: SignUpForm): readonly SignUpProblem[] {
  return [
    ...FIELDS.flatMap((field) => findFieldProblem(signUp, field) ?? []),
    ...findPasswordProblems(signUp.password),
  ];
}

const PASSWORD_CODES: Readonly<Record<PasswordProblem, ProblemCode>> = {
  passwordMissing: "missing",
  passwordTooShort: "too_short",
  passwordTooLong: "too_long",
  passwordBreached: "password_breached",
};

/** Returns the code of a registration's problem, as every other entry refuses the value. */
export function getSignUpProblemCode(problem: SignUpProblem): ProblemCode {
  if (typeof problem === "string") return PASSWORD_CODES[problem];
  if (problem.kind === "invalid") return problem.code;
  return problem.kind === "missing" ? "missing" : "too_long";
}

function findFieldProblem(signUp: SignUpForm, field: SignUpField): SignUpProblem | undefined {
  const text = signUp[field];
  // If both user name and email are missing, only the email is reported.
  if (field === "username" && text === "" && signUp.email === "") return undefined;
  if (text === "") return REQUIRED.includes(field) ? { field, kind: "missing" } : undefined;
  if (isTooLong(field, text)) return { field, kind: "tooLong", longest: MAX_FIELD_LENGTHS[field] };
  return hasValidForm(signUp, field)
    ? undefined
    : { field, kind: "invalid", code: isPrintableText(text) ? CODES[field] : "plain" };
}

function hasValidForm(signUp: SignUpForm, field: SignUpField): boolean {
  const text = signUp[field];
  const hasForm = isVisibleTextWithoutLinks(text) && (FORMS[field]?.(text) ?? true);
  return hasForm && !(field === "username" && isForeignEmail(signUp));
}

function isTooLong(field: SignUpField, text: string): boolean {
  return field === "phone" ? !isShortPhone(text) : [...text].length > MAX_FIELD_LENGTHS[field];
}

// Users sign in with either, so a user name in email format must be the user's email.
function isForeignEmail({ username, email }: SignUpForm): boolean {
  return username.includes("@") && username.toLowerCase() !== email.toLowerCase();
}
