import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { escapeHtml } from "./escape-html.ts";
import { mailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

interface ResetMail {
  readonly company: string;
  readonly person: string;
  readonly link: string;
  readonly minutes: number;
}

interface ResetMailTexts {
  readonly subject: string;
  readonly greeting: string;
  readonly request: string;
  readonly action: string;
  readonly validity: string;
  readonly ignore: string;
}

type Writer = (mail: ResetMail) => ResetMailTexts;

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
    action: "Triar una contrasenya nova",
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
    greeting: person ? `Guten Tag, ${person},` : "Guten Tag,",
    request: `jemand hat für Ihr Konto bei ${company} ein neues Passwort angefordert.`,
    action: "Neues Passwort wählen",
    validity: `Der Link gilt einmal und läuft nach ${minutes} Minuten ab.`,
    ignore: "Waren Sie das nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.",
  }),
} as const satisfies Record<PlatformLanguage, Writer>;

/** Writes the mail with the link for a new password. */
export function writeResetMail(mail: ResetMail, language: PlatformLanguage): WrittenMail {
  const texts: ResetMailTexts = WRITERS[language](mail);
  return { subject: texts.subject, text: toText(texts, mail.link), html: toHtml(texts, mail.link, language) };
}

function toText(texts: ResetMailTexts, link: string): string {
  return [texts.greeting, texts.request, `${texts.action}:\n${link}`, texts.validity, texts.ignore].join("\n\n");
}

function toHtml(texts: ResetMailTexts, link: string, language: PlatformLanguage): string {
  const [greeting, request, action, validity, ignore] = [
    texts.greeting,
    texts.request,
    texts.action,
    texts.validity,
    texts.ignore,
  ].map(escapeHtml);
  return mailHtml(
    language,
    `<p>${greeting}</p>
<p>${request}</p>
<p><a href="${escapeHtml(link)}">${action}</a></p>
<p>${validity}</p>
<p>${ignore}</p>`,
  );
}
