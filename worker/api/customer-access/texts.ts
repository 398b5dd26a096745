import { LONGEST_PASSWORD, type PasswordProblem, SHORTEST_PASSWORD } from "#domain/access/passwords.ts";
import type { SignUpField, SignUpProblem } from "#domain/access/sign-up.ts";
import type { SpokenLanguage } from "#domain/catalogue/languages.ts";

interface Words {
  readonly taken: string;
  readonly tooManyAttempts: string;
  readonly missing: string;
  readonly invalid: string;
  readonly tooLong: (longest: number) => string;
  readonly fields: Readonly<Record<SignUpField, string>>;
  readonly passwords: Readonly<Record<PasswordProblem, string>>;
}

const WORDS: Readonly<Record<SpokenLanguage, Words>> = {
  es: {
    taken: "Ya hay una cuenta con este nombre de usuario o este correo electrónico.",
    tooManyAttempts: "Demasiados intentos; inténtelo de nuevo más tarde.",
    missing: "es obligatorio.",
    invalid: "no es válido.",
    tooLong: (longest) => `puede tener ${longest} caracteres como máximo.`,
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
      passwordTooShort: `La contraseña debe tener ${SHORTEST_PASSWORD} caracteres como mínimo.`,
      passwordTooLong: `La contraseña puede tener ${LONGEST_PASSWORD} caracteres como máximo.`,
      passwordBreached: "Esta contraseña aparece en filtraciones conocidas; elija otra.",
    },
  },
  ca: {
    taken: "Ja hi ha un compte amb aquest nom d'usuari o aquest correu electrònic.",
    tooManyAttempts: "Massa intents; torneu-ho a provar més tard.",
    missing: "és obligatori.",
    invalid: "no és vàlid.",
    tooLong: (longest) => `pot tenir ${longest} caràcters com a màxim.`,
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
      passwordTooShort: `La contrasenya ha de tenir ${SHORTEST_PASSWORD} caràcters com a mínim.`,
      passwordTooLong: `La contrasenya pot tenir ${LONGEST_PASSWORD} caràcters com a màxim.`,
      passwordBreached: "Aquesta contrasenya apareix en filtracions conegudes; trieu-ne una altra.",
    },
  },
  en: {
    taken: "There is an account with this user name or this e-mail already.",
    tooManyAttempts: "Too many attempts; please try again later.",
    missing: "is required.",
    invalid: "is not valid.",
    tooLong: (longest) => `may have at most ${longest} characters.`,
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
      passwordTooShort: `The password must have at least ${SHORTEST_PASSWORD} characters.`,
      passwordTooLong: `The password may have at most ${LONGEST_PASSWORD} characters.`,
      passwordBreached: "This password is known from data breaches; please choose another.",
    },
  },
  de: {
    taken: "Es gibt schon ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse.",
    tooManyAttempts: "Zu viele Versuche; bitte versuchen Sie es später noch einmal.",
    missing: "wird benötigt.",
    invalid: "ist nicht gültig.",
    tooLong: (longest) => `darf höchstens ${longest} Zeichen haben.`,
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
      passwordTooShort: `Das Passwort muss mindestens ${SHORTEST_PASSWORD} Zeichen haben.`,
      passwordTooLong: `Das Passwort darf höchstens ${LONGEST_PASSWORD} Zeichen haben.`,
      passwordBreached: "Dieses Passwort ist aus Datenlecks bekannt; bitte wählen Sie ein anderes.",
    },
  },
};

/** What is wrong with a registration or a password, as a sentence for the person who typed it. */
export function sayProblem(problem: SignUpProblem, language: SpokenLanguage): string {
  const words = WORDS[language];
  if (typeof problem === "string") return words.passwords[problem];
  const what = problem.kind === "tooLong" ? words.tooLong(problem.longest) : words[problem.kind];
  return `${words.fields[problem.field]}: ${what}`;
}

export function nameTaken(language: SpokenLanguage): string {
  return WORDS[language].taken;
}

export function sayTooMany(language: SpokenLanguage): string {
  return WORDS[language].tooManyAttempts;
}
