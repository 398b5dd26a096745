import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordProblem } from "#domain/access/passwords.ts";
import type { SignUpField, SignUpProblem } from "#domain/access/sign-up.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface ProblemTexts {
  readonly taken: string;
  readonly tooManyAttempts: string;
  readonly missing: string;
  readonly invalid: string;
  readonly tooLong: (maxLength: number) => string;
  readonly fields: Readonly<Record<SignUpField, string>>;
  readonly passwords: Readonly<Record<PasswordProblem, string>>;
}

const TEXTS: Readonly<Record<PlatformLanguage, ProblemTexts>> = {
  es: {
    taken: "Ya hay una cuenta con este nombre de usuario o este correo electrónico.",
    tooManyAttempts: "Demasiados intentos; inténtelo de nuevo más tarde.",
    missing: "es obligatorio.",
    invalid: "no es válido.",
    tooLong: (maxLength) => `puede tener ${maxLength} caracteres como máximo.`,
    fields: {
      username: "Nombre de usuario",
      email: "Correo electrónico",
      name: "Nombre",
      surname: "Apellidos",
      phonePrefix: "Prefijo telefónico",
      phone: "Teléfono",
      documentId: "Documento de identidad",
    },
    passwords: {
      passwordMissing: "La contraseña es obligatoria.",
      passwordTooShort: `La contraseña debe tener ${MIN_PASSWORD_LENGTH} caracteres como mínimo.`,
      passwordTooLong: `La contraseña puede tener ${MAX_PASSWORD_LENGTH} caracteres como máximo.`,
      passwordBreached: "Esta contraseña aparece en filtraciones conocidas; elija otra.",
    },
  },
  ca: {
    taken: "Ja hi ha un compte amb aquest nom d'usuari o aquest correu electrònic.",
    tooManyAttempts: "Massa intents; torneu-ho a provar més tard.",
    missing: "és obligatori.",
    invalid: "no és vàlid.",
    tooLong: (maxLength) => `pot tenir ${maxLength} caràcters com a màxim.`,
    fields: {
      username: "Nom d'usuari",
      email: "Correu electrònic",
      name: "Nom",
      surname: "Cognoms",
      phonePrefix: "Prefix telefònic",
      phone: "Telèfon",
      documentId: "Document d'identitat",
    },
    passwords: {
      passwordMissing: "La contrasenya és obligatòria.",
      passwordTooShort: `La contrasenya ha de tenir ${MIN_PASSWORD_LENGTH} caràcters com a mínim.`,
      passwordTooLong: `La contrasenya pot tenir ${MAX_PASSWORD_LENGTH} caràcters com a màxim.`,
      passwordBreached: "Aquesta contrasenya apareix en filtracions conegudes; trieu-ne una altra.",
    },
  },
  en: {
    taken: "There is an account with this user name or this e-mail already.",
    tooManyAttempts: "Too many attempts; please try again later.",
    missing: "is required.",
    invalid: "is not valid.",
    tooLong: (maxLength) => `may have at most ${maxLength} characters.`,
    fields: {
      username: "User name",
      email: "E-mail",
      name: "Name",
      surname: "Surname",
      phonePrefix: "Phone prefix",
      phone: "Phone",
      documentId: "Identity document",
    },
    passwords: {
      passwordMissing: "The password is required.",
      passwordTooShort: `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`,
      passwordTooLong: `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`,
      passwordBreached: "This password is known from data breaches; please choose another.",
    },
  },
  de: {
    taken: "Es gibt schon ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse.",
    tooManyAttempts: "Zu viele Versuche; bitte versuchen Sie es später noch einmal.",
    missing: "wird benötigt.",
    invalid: "ist nicht gültig.",
    tooLong: (maxLength) => `darf höchstens ${maxLength} Zeichen haben.`,
    fields: {
      username: "Benutzername",
      email: "E-Mail-Adresse",
      name: "Name",
      surname: "Nachname",
      phonePrefix: "Telefonvorwahl",
      phone: "Telefon",
      documentId: "Ausweisnummer",
    },
    passwords: {
      passwordMissing: "Das Passwort wird benötigt.",
      passwordTooShort: `Das Passwort muss mindestens ${MIN_PASSWORD_LENGTH} Zeichen haben.`,
      passwordTooLong: `Das Passwort darf höchstens ${MAX_PASSWORD_LENGTH} Zeichen haben.`,
      passwordBreached: "Dieses Passwort ist aus Datenlecks bekannt; bitte wählen Sie ein anderes.",
    },
  },
};

/** Returns the error text of a registration or password. */
export function translateSignUpProblem(problem: SignUpProblem, language: PlatformLanguage): string {
  const texts = TEXTS[language];
  if (typeof problem === "string") return texts.passwords[problem];
  const what = problem.kind === "tooLong" ? texts.tooLong(problem.longest) : texts[problem.kind];
  return `${texts.fields[problem.field]}: ${what}`;
}

export function getUserExistsText(language: PlatformLanguage): string {
  return TEXTS[language].taken;
}

export function getTooManyAttemptsText(language: PlatformLanguage): string {
  return TEXTS[language].tooManyAttempts;
}
