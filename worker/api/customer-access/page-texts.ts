import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface PageTexts {
  readonly title: string;
  readonly label: string;
  readonly rules: string;
  readonly save: string;
  readonly done: string;
  readonly dead: string;
  readonly failed: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, PageTexts>> = {
  es: {
    title: "Nueva contraseña",
    label: "Contraseña nueva",
    rules: "Mínimo 8 caracteres, los que quiera; una frase es lo mejor",
    save: "Guardar",
    done: "La contraseña se ha cambiado. Ya puede iniciar sesión.",
    dead: "Este enlace ya no sirve. Pida uno nuevo.",
    failed: "No se ha podido guardar. Inténtelo de nuevo.",
  },
  ca: {
    title: "Contrasenya nova",
    label: "Contrasenya nova",
    rules: "Mínim 8 caràcters, els que vulgueu; una frase és el millor",
    save: "Desa",
    done: "La contrasenya s'ha canviat. Ja podeu iniciar la sessió.",
    dead: "Aquest enllaç ja no serveix. Demaneu-ne un de nou.",
    failed: "No s'ha pogut desar. Torneu-ho a provar.",
  },
  en: {
    title: "New password",
    label: "New password",
    rules: "At least 8 characters, whichever you like; a phrase is best",
    save: "Save",
    done: "Your password has been changed. You can sign in now.",
    dead: "This link is not good any more. Please ask for a new one.",
    failed: "It could not be saved. Please try again.",
  },
  de: {
    title: "Neues Passwort",
    label: "Neues Passwort",
    rules: "Mindestens 8 Zeichen, beliebige; am besten ein ganzer Satz",
    save: "Speichern",
    done: "Ihr Passwort ist geändert. Sie können sich jetzt anmelden.",
    dead: "Dieser Link gilt nicht mehr. Bitte fordern Sie einen neuen an.",
    failed: "Das konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.",
  },
};

/** Returns the texts of the new-password page. */
export function getPageTexts(language: PlatformLanguage): PageTexts {
  return TEXTS[language];
}
