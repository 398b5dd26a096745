import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, renderMailHtml, renderMailLink } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

/** Kind of security notice to a user. The mail contains only our own texts and no user input. */
export type SecurityNotice = "new_device" | "password_changed" | "second_factor_changed";

interface NoticeTexts {
  readonly subjects: Readonly<Record<SecurityNotice, string>>;
  readonly texts: Readonly<Record<SecurityNotice, (at: string) => string>>;
  readonly advice: string;
  /** Text of the link to the company's page with its contact data. */
  readonly contact: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, NoticeTexts>> = {
  es: {
    subjects: {
      new_device: "nuevo inicio de sesión",
      password_changed: "contraseña cambiada",
      second_factor_changed: "verificación en dos pasos cambiada",
    },
    texts: {
      new_device: (at) => `Se ha iniciado sesión en su cuenta desde una ubicación nueva (${at}).`,
      password_changed: (at) => `Se ha cambiado la contraseña de su cuenta (${at}).`,
      second_factor_changed: (at) => `Se ha cambiado la verificación en dos pasos de su cuenta (${at}).`,
    },
    advice: "Si no ha sido usted, pida una contraseña nueva y avísenos.",
    contact: "Contacto",
  },
  ca: {
    subjects: {
      new_device: "nou inici de sessió",
      password_changed: "contrasenya canviada",
      second_factor_changed: "verificació en dos passos canviada",
    },
    texts: {
      new_device: (at) => `S'ha iniciat una sessió al vostre compte des d'un lloc nou (${at}).`,
      password_changed: (at) => `S'ha canviat la contrasenya del vostre compte (${at}).`,
      second_factor_changed: (at) => `S'ha canviat la verificació en dos passos del vostre compte (${at}).`,
    },
    advice: "Si no heu estat vós, demaneu una contrasenya nova i aviseu-nos.",
    contact: "Contacte",
  },
  en: {
    subjects: {
      new_device: "new sign-in",
      password_changed: "password changed",
      second_factor_changed: "two-factor authentication changed",
    },
    texts: {
      new_device: (at) => `New sign-in to your account from a new location (${at}).`,
      password_changed: (at) => `The password of your account was changed (${at}).`,
      second_factor_changed: (at) => `Two-factor authentication was changed on your account (${at}).`,
    },
    advice: "If this wasn't you, reset your password and contact us.",
    contact: "Contact",
  },
  de: {
    subjects: {
      new_device: "neue Anmeldung",
      password_changed: "Passwort geändert",
      second_factor_changed: "Zwei-Faktor-Authentifizierung geändert",
    },
    texts: {
      new_device: (at) => `Neue Anmeldung in Ihrem Konto von einem neuen Ort aus (${at}).`,
      password_changed: (at) => `Das Passwort Ihres Kontos wurde geändert (${at}).`,
      second_factor_changed: (at) => `Die Zwei-Faktor-Authentifizierung Ihres Kontos wurde geändert (${at}).`,
    },
    advice: "Waren Sie das nicht, fordern Sie bitte ein neues Passwort an und informieren Sie uns.",
    contact: "Kontakt",
  },
  fr: {
    subjects: {
      new_device: "nouvelle connexion",
      password_changed: "mot de passe modifié",
      second_factor_changed: "double authentification modifiée",
    },
    texts: {
      new_device: (at) => `Connexion à votre compte depuis un nouvel endroit (${at}).`,
      password_changed: (at) => `Le mot de passe de votre compte a été modifié (${at}).`,
      second_factor_changed: (at) => `La double authentification de votre compte a été modifiée (${at}).`,
    },
    advice: "Si ce n'était pas vous, demandez un nouveau mot de passe et contactez-nous.",
    contact: "Nous contacter",
  },
  it: {
    subjects: {
      new_device: "nuovo accesso",
      password_changed: "password modificata",
      second_factor_changed: "verifica in due passaggi modificata",
    },
    texts: {
      new_device: (at) => `Accesso al Suo account da un nuovo luogo (${at}).`,
      password_changed: (at) => `La password del Suo account è stata modificata (${at}).`,
      second_factor_changed: (at) => `La verifica in due passaggi del Suo account è stata modificata (${at}).`,
    },
    advice: "Se non è stato Lei, richieda una nuova password e ci contatti.",
    contact: "Contatti",
  },
  pt: {
    subjects: {
      new_device: "novo início de sessão",
      password_changed: "palavra-passe alterada",
      second_factor_changed: "verificação em dois passos alterada",
    },
    texts: {
      new_device: (at) => `Foi iniciada sessão na sua conta a partir de um novo local (${at}).`,
      password_changed: (at) => `A palavra-passe da sua conta foi alterada (${at}).`,
      second_factor_changed: (at) => `A verificação em dois passos da sua conta foi alterada (${at}).`,
    },
    advice: "Se não foi iniciativa sua, peça uma nova palavra-passe e contacte-nos.",
    contact: "Contactos",
  },
  nl: {
    subjects: {
      new_device: "nieuwe aanmelding",
      password_changed: "wachtwoord gewijzigd",
      second_factor_changed: "tweestapsverificatie gewijzigd",
    },
    texts: {
      new_device: (at) => `Er is vanaf een nieuwe locatie ingelogd op uw account (${at}).`,
      password_changed: (at) => `Het wachtwoord van uw account is gewijzigd (${at}).`,
      second_factor_changed: (at) => `De tweestapsverificatie van uw account is gewijzigd (${at}).`,
    },
    advice: "Was u dit niet, vraag dan een nieuw wachtwoord aan en neem contact met ons op.",
    contact: "Contactgegevens",
  },
};

interface NoticeMail extends MailBrand {
  /** Formatted time in the account's time zone. */
  readonly at: string;
  /** Page with the company's contact data. */
  readonly page: string;
}

/** Writes the mail about a change to a user's account. */
export function writeSecurityNoticeMail(
  notice: SecurityNotice,
  { at, page, ...brand }: NoticeMail,
  language: PlatformLanguage,
): WrittenMail {
  const { subjects, texts, advice, contact } = TEXTS[language];
  const lines = [texts[notice](at), advice];
  const paragraphs = [...lines.map(escapeHtml), renderMailLink({ label: contact, url: page })];
  return {
    subject: `${brand.company}${getColonWithSpacing(language)} ${subjects[notice]}`,
    text: [...lines, `${contact}${getColonWithSpacing(language)} ${page}`].join("\n\n"),
    html: renderMailHtml(language, paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n"), brand),
  };
}
