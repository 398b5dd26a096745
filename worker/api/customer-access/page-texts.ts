import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface PageTexts {
  readonly title: string;
  readonly label: string;
  readonly rules: string;
  readonly save: string;
  readonly done: string;
  /** Label of the link to the sign-in form, the same as in the widget. */
  readonly signIn: string;
  readonly dead: string;
  readonly failed: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, PageTexts>> = {
  es: {
    title: "Nueva contraseña",
    label: "Contraseña nueva",
    rules: "Al menos 8 caracteres. Lo mejor es una frase.",
    save: "Guardar contraseña",
    done: "La contraseña se ha cambiado. Ya puede iniciar sesión.",
    signIn: "Iniciar sesión",
    dead: "Este enlace ya no sirve. Pida uno nuevo.",
    failed: "No se ha podido guardar la contraseña. Inténtelo de nuevo.",
  },
  ca: {
    title: "Contrasenya nova",
    label: "Contrasenya nova",
    rules: "Almenys 8 caràcters. El millor és una frase.",
    save: "Desa la contrasenya",
    done: "La contrasenya s'ha canviat. Ja podeu iniciar la sessió.",
    signIn: "Inicia la sessió",
    dead: "Aquest enllaç ja no serveix. Demaneu-ne un de nou.",
    failed: "No s'ha pogut desar la contrasenya. Torneu-ho a provar.",
  },
  en: {
    title: "New password",
    label: "New password",
    rules: "At least 8 characters. A phrase works best.",
    save: "Save password",
    done: "Your password has been changed. You can sign in now.",
    signIn: "Sign in",
    dead: "This link is no longer valid. Please ask for a new one.",
    failed: "Couldn't save the password. Please try again.",
  },
  de: {
    title: "Neues Passwort",
    label: "Neues Passwort",
    rules: "Mindestens 8 Zeichen. Am besten ein ganzer Satz.",
    save: "Passwort speichern",
    done: "Ihr Passwort ist geändert. Sie können sich jetzt anmelden.",
    signIn: "Anmelden",
    dead: "Dieser Link gilt nicht mehr. Bitte fordern Sie einen neuen an.",
    failed: "Das Passwort konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.",
  },
  fr: {
    title: "Nouveau mot de passe",
    label: "Nouveau mot de passe",
    rules: "Au moins 8 caractères. Une phrase est idéale.",
    save: "Enregistrer le mot de passe",
    done: "Votre mot de passe a été modifié. Vous pouvez maintenant vous connecter.",
    signIn: "Se connecter",
    dead: "Ce lien n'est plus valable. Veuillez en demander un nouveau.",
    failed: "Le mot de passe n'a pas été enregistré. Veuillez réessayer.",
  },
  it: {
    title: "Nuova password",
    label: "Nuova password",
    rules: "Almeno 8 caratteri. L'ideale è una frase.",
    save: "Salva la password",
    done: "La password è stata modificata. Ora può accedere.",
    signIn: "Accedi",
    dead: "Questo link non è più valido. Ne richieda uno nuovo.",
    failed: "La password non è stata salvata. Riprovi.",
  },
  pt: {
    title: "Nova palavra-passe",
    label: "Nova palavra-passe",
    rules: "Pelo menos 8 caracteres. O ideal é uma frase.",
    save: "Guardar palavra-passe",
    done: "A palavra-passe foi alterada. Já pode iniciar sessão.",
    signIn: "Iniciar sessão",
    dead: "Este link já não é válido. Peça um novo.",
    failed: "Não foi possível guardar a palavra-passe. Tente de novo.",
  },
  nl: {
    title: "Nieuw wachtwoord",
    label: "Nieuw wachtwoord",
    rules: "Ten minste 8 tekens. Een zin is het beste.",
    save: "Wachtwoord opslaan",
    done: "Uw wachtwoord is gewijzigd. U kunt nu inloggen.",
    signIn: "Inloggen",
    dead: "Deze link is niet meer geldig. Vraag een nieuwe aan.",
    failed: "Het wachtwoord is niet opgeslagen. Probeer het opnieuw.",
  },
};

/** Returns the texts of the page for a new password in a language. */
export function getPageTexts(language: PlatformLanguage): PageTexts {
  return TEXTS[language];
}
