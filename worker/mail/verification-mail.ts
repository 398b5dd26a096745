import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, renderMailButton, renderMailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

interface VerificationTexts {
  readonly subject: string;
  readonly text: string;
  readonly action: string;
  readonly ignore: string;
}

// Separate from the security notices, which the front Worker doesn't send.
const TEXTS: Readonly<Record<PlatformLanguage, VerificationTexts>> = {
  es: {
    subject: "confirme su correo",
    text: "Alguien se ha registrado con esta dirección. Si ha sido usted, confírmela; el enlace caduca en 24 horas.",
    action: "Confirmar la dirección",
    ignore: "Si no ha sido usted, no haga nada.",
  },
  ca: {
    subject: "confirmeu el correu",
    text: "Algú s'ha registrat amb aquesta adreça. Si heu estat vós, confirmeu-la; l'enllaç caduca en 24 hores.",
    action: "Confirma l'adreça",
    ignore: "Si no heu estat vós, no feu res.",
  },
  en: {
    subject: "confirm your address",
    text: "Someone registered with this address. If it was you, confirm it: the link expires after 24 hours.",
    action: "Confirm the address",
    ignore: "If it wasn't you, ignore this email.",
  },
  de: {
    subject: "Adresse bestätigen",
    text: "Jemand hat sich mit dieser Adresse registriert. Waren Sie es, bestätigen Sie sie bitte; der Link gilt 24 Stunden.",
    action: "Adresse bestätigen",
    ignore: "Waren Sie das nicht, brauchen Sie nichts zu tun.",
  },
  fr: {
    subject: "confirmez votre adresse",
    text: "Une inscription a été faite avec cette adresse. Si c'était vous, confirmez-la\u00a0: le lien expire après 24 heures.",
    action: "Confirmer l'adresse",
    ignore: "Si ce n'était pas vous, ignorez cet e-mail.",
  },
  it: {
    subject: "confermi l'indirizzo",
    text: "È stata effettuata una registrazione con questo indirizzo. Se è stato Lei, lo confermi: il link scade dopo 24 ore.",
    action: "Conferma l'indirizzo",
    ignore: "Se non è stato Lei, ignori questa e-mail.",
  },
  pt: {
    subject: "confirme o seu endereço",
    text: "Foi feito um registo com este endereço. Se foi iniciativa sua, confirme-o: o link expira ao fim de 24 horas.",
    action: "Confirmar o endereço",
    ignore: "Se não foi iniciativa sua, ignore este e-mail.",
  },
  nl: {
    subject: "bevestig uw adres",
    text: "Iemand heeft zich met dit adres geregistreerd. Was u dit, bevestig het dan: de link verloopt na 24 uur.",
    action: "Adres bevestigen",
    ignore: "Was u dit niet, dan hoeft u niets te doen.",
  },
};

/**
 * Writes the mail that verifies an email address. The mail omits the name, because anyone may have entered any text as
 * name.
 */
export function writeVerificationMail(
  { link, ...brand }: MailBrand & { readonly link: string },
  language: PlatformLanguage,
): WrittenMail {
  const { subject, text, action, ignore } = TEXTS[language];
  const linkLine = `${action}${getColonWithSpacing(language)}\n${link}`;
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`;
  const body = [paragraph(text), renderMailButton(action, link, brand.color), paragraph(ignore)];
  return {
    subject: `${brand.company}${getColonWithSpacing(language)} ${subject}`,
    text: [text, linkLine, ignore].join("\n\n"),
    html: renderMailHtml(language, body.join("\n"), brand),
  };
}
