import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordProblem } from "#domain/access/passwords.ts";
import type { SignUpField, SignUpProblem } from "#domain/access/sign-up.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";

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
    taken: "An account with this user name or email already exists.",
    tooManyAttempts: "Too many attempts; please try again later.",
    missing: "is required.",
    invalid: "is not valid.",
    tooLong: (maxLength) => `may have at most ${maxLength} characters.`,
    fields: {
      username: "User name",
      email: "Email",
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
      name: "Vorname",
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
  fr: {
    taken: "Un compte existe déjà avec ce nom d'utilisateur ou cet e-mail.",
    tooManyAttempts: "Trop de tentatives\u00a0; veuillez réessayer plus tard.",
    missing: "champ obligatoire.",
    invalid: "valeur non valable.",
    tooLong: (maxLength) => `${maxLength} caractères au maximum.`,
    fields: {
      username: "Nom d'utilisateur",
      email: "Adresse e-mail",
      name: "Prénom",
      surname: "Nom de famille",
      phonePrefix: "Indicatif téléphonique",
      phone: "Téléphone",
      documentId: "Pièce d'identité",
    },
    passwords: {
      passwordMissing: "Le mot de passe est obligatoire.",
      passwordTooShort: `Le mot de passe doit comporter au moins ${MIN_PASSWORD_LENGTH} caractères.`,
      passwordTooLong: `Le mot de passe peut comporter au maximum ${MAX_PASSWORD_LENGTH} caractères.`,
      passwordBreached: "Ce mot de passe figure dans des fuites de données\u00a0; veuillez en choisir un autre.",
    },
  },
  it: {
    taken: "Esiste già un account con questo nome utente o questa e-mail.",
    tooManyAttempts: "Troppi tentativi; riprovi più tardi.",
    missing: "campo obbligatorio.",
    invalid: "valore non valido.",
    tooLong: (maxLength) => `al massimo ${maxLength} caratteri.`,
    fields: {
      username: "Nome utente",
      email: "Indirizzo e-mail",
      name: "Nome",
      surname: "Cognome",
      phonePrefix: "Prefisso telefonico",
      phone: "Telefono",
      documentId: "Documento d'identità",
    },
    passwords: {
      passwordMissing: "La password è obbligatoria.",
      passwordTooShort: `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`,
      passwordTooLong: `La password può avere al massimo ${MAX_PASSWORD_LENGTH} caratteri.`,
      passwordBreached: "Questa password compare in violazioni di dati note; ne scelga un'altra.",
    },
  },
  pt: {
    taken: "Já existe uma conta com este nome de utilizador ou este e-mail.",
    tooManyAttempts: "Demasiadas tentativas; tente de novo mais tarde.",
    missing: "campo obrigatório.",
    invalid: "valor inválido.",
    tooLong: (maxLength) => `no máximo ${maxLength} caracteres.`,
    fields: {
      username: "Nome de utilizador",
      email: "Endereço de e-mail",
      name: "Nome próprio",
      surname: "Apelido",
      phonePrefix: "Indicativo telefónico",
      phone: "Telefone",
      documentId: "Documento de identificação",
    },
    passwords: {
      passwordMissing: "A palavra-passe é obrigatória.",
      passwordTooShort: `A palavra-passe tem de ter pelo menos ${MIN_PASSWORD_LENGTH} caracteres.`,
      passwordTooLong: `A palavra-passe pode ter no máximo ${MAX_PASSWORD_LENGTH} caracteres.`,
      passwordBreached: "Esta palavra-passe consta de fugas de dados conhecidas; escolha outra.",
    },
  },
  nl: {
    taken: "Er bestaat al een account met deze gebruikersnaam of dit e-mailadres.",
    tooManyAttempts: "Te veel pogingen; probeer het later opnieuw.",
    missing: "is verplicht.",
    invalid: "is niet geldig.",
    tooLong: (maxLength) => `mag maximaal ${maxLength} tekens bevatten.`,
    fields: {
      username: "Gebruikersnaam",
      email: "E-mailadres",
      name: "Voornaam",
      surname: "Achternaam",
      phonePrefix: "Landnummer",
      phone: "Telefoon",
      documentId: "Identiteitsbewijs",
    },
    passwords: {
      passwordMissing: "Het wachtwoord is verplicht.",
      passwordTooShort: `Het wachtwoord moet ten minste ${MIN_PASSWORD_LENGTH} tekens bevatten.`,
      passwordTooLong: `Het wachtwoord mag maximaal ${MAX_PASSWORD_LENGTH} tekens bevatten.`,
      passwordBreached: "Dit wachtwoord is bekend uit datalekken; kies een ander wachtwoord.",
    },
  },
};

/** Returns the error text of a registration or password. */
export function translateSignUpProblem(problem: SignUpProblem, language: PlatformLanguage): string {
  const texts = TEXTS[language];
  if (typeof problem === "string") return texts.passwords[problem];
  const problemText = problem.kind === "tooLong" ? texts.tooLong(problem.longest) : texts[problem.kind];
  return `${texts.fields[problem.field]}${getColonWithSpacing(language)} ${problemText}`;
}

export function getUserExistsText(language: PlatformLanguage): string {
  return TEXTS[language].taken;
}

export function getTooManyAttemptsText(language: PlatformLanguage): string {
  return TEXTS[language].tooManyAttempts;
}
