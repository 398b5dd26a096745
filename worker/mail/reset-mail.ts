import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatLinkMail, type LinkMail, type LinkMailTexts } from "./format-link-mail.ts";
import type { WrittenMail } from "./written-mail.ts";

interface ResetMail extends LinkMail {
  readonly person: string;
  readonly minutes: number;
}

type Writer = (mail: ResetMail) => LinkMailTexts;

const WRITERS = {
  es: ({ company, person, minutes }) => ({
    subject: `${company}: nueva contraseña`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `Alguien ha pedido una contraseña nueva para su cuenta en ${company}.`,
    action: "Elegir una contraseña nueva",
    validity: `El enlace sirve una sola vez y caduca a los ${minutes} minutos.`,
    ignore: "Si no ha sido usted, no haga nada: su contraseña sigue siendo la misma.",
  }),
  ca: ({ company, person, minutes }) => ({
    subject: `${company}: contrasenya nova`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `Algú ha demanat una contrasenya nova per al vostre compte a ${company}.`,
    action: "Tria una contrasenya nova",
    validity: `L'enllaç serveix una sola vegada i caduca al cap de ${minutes} minuts.`,
    ignore: "Si no heu estat vós, no feu res: la vostra contrasenya continua sent la mateixa.",
  }),
  en: ({ company, person, minutes }) => ({
    subject: `${company}: new password`,
    greeting: person ? `Hello ${person},` : "Hello,",
    request: `We received a request to reset the password of your account at ${company}.`,
    action: "Choose a new password",
    validity: `The link works once and expires after ${minutes} minutes.`,
    ignore: "If it wasn't you, ignore this email: your password doesn't change.",
  }),
  de: ({ company, person, minutes }) => ({
    subject: `${company}: neues Passwort`,
    greeting: person ? `Guten Tag ${person},` : "Guten Tag,",
    request: `jemand hat für Ihr Konto bei ${company} ein neues Passwort angefordert.`,
    action: "Neues Passwort wählen",
    validity: `Der Link gilt einmal und läuft nach ${minutes} Minuten ab.`,
    ignore: "Waren Sie das nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.",
  }),
  fr: ({ company, person, minutes }) => ({
    subject: `${company}\u00a0: nouveau mot de passe`,
    greeting: person ? `Bonjour ${person},` : "Bonjour,",
    request: `Un nouveau mot de passe a été demandé pour votre compte chez ${company}.`,
    action: "Choisir un nouveau mot de passe",
    validity: `Le lien ne fonctionne qu'une fois et expire après ${minutes} minutes.`,
    ignore: "Si ce n'était pas vous, ignorez cet e-mail\u00a0: votre mot de passe reste le même.",
  }),
  it: ({ company, person, minutes }) => ({
    subject: `${company}: nuova password`,
    greeting: person ? `Buongiorno ${person},` : "Buongiorno,",
    request: `È stata richiesta una nuova password per il Suo account presso ${company}.`,
    action: "Scegli una nuova password",
    validity: `Il link funziona una sola volta e scade dopo ${minutes} minuti.`,
    ignore: "Se non è stato Lei, ignori questa e-mail: la password resta invariata.",
  }),
  pt: ({ company, person, minutes }) => ({
    subject: `${company}: nova palavra-passe`,
    greeting: person ? `Olá, ${person},` : "Olá,",
    request: `Foi pedida uma nova palavra-passe para a sua conta na ${company}.`,
    action: "Escolher uma nova palavra-passe",
    validity: `O link funciona uma única vez e expira ao fim de ${minutes} minutos.`,
    ignore: "Se não foi iniciativa sua, ignore este e-mail: a sua palavra-passe mantém-se.",
  }),
  nl: ({ company, person, minutes }) => ({
    subject: `${company}: nieuw wachtwoord`,
    greeting: person ? `Beste ${person},` : "Goedendag,",
    request: `Er is een nieuw wachtwoord aangevraagd voor uw account bij ${company}.`,
    action: "Nieuw wachtwoord kiezen",
    validity: `De link werkt één keer en verloopt na ${minutes} minuten.`,
    ignore: "Was u dit niet, dan hoeft u niets te doen: uw wachtwoord blijft hetzelfde.",
  }),
} as const satisfies Record<PlatformLanguage, Writer>;

/** Writes the mail with the link for a new password. */
export function writePasswordResetMail(mail: ResetMail, language: PlatformLanguage): WrittenMail {
  return formatLinkMail(WRITERS[language](mail), mail, language);
}
