import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, renderMailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

type Reason = "gone" | "failing";

interface WebhookMailTexts {
  readonly subject: string;
  readonly reasons: Readonly<Record<Reason, (id: number) => string>>;
  readonly advice: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, WebhookMailTexts>> = {
  es: {
    subject: "webhook desactivado",
    reasons: {
      gone: (id) => `El webhook ${id} ha respondido que ya no existe (410) y se ha desactivado.`,
      failing: (id) => `El webhook ${id} falla desde hace 5 días y se ha desactivado.`,
    },
    advice: "Cuando vuelva a funcionar, actívelo en el programa de gestión y reenvíe los eventos desde ese día.",
  },
  ca: {
    subject: "webhook desactivat",
    reasons: {
      gone: (id) => `El webhook ${id} ha respost que ja no existeix (410) i s'ha desactivat.`,
      failing: (id) => `El webhook ${id} falla des de fa 5 dies i s'ha desactivat.`,
    },
    advice: "Quan torni a funcionar, activeu-lo al programa de gestió i reenvieu els esdeveniments des d'aquell dia.",
  },
  en: {
    subject: "webhook disabled",
    reasons: {
      gone: (id) => `Webhook ${id} responded 410 (gone) and was disabled.`,
      failing: (id) => `Webhook ${id} failed for 5 days and was disabled.`,
    },
    advice: "When it works again, enable it in the office and resend events from that day. No events are lost.",
  },
  de: {
    subject: "Webhook deaktiviert",
    reasons: {
      gone: (id) => `Webhook ${id} hat geantwortet, dass es ihn nicht mehr gibt (410), und wurde deaktiviert.`,
      failing: (id) => `Webhook ${id} schlägt seit 5 Tagen fehl und wurde deaktiviert.`,
    },
    advice:
      "Wenn er wieder funktioniert, aktivieren Sie ihn im Büro-Programm und senden Sie die Ereignisse ab diesem Tag erneut.",
  },
  fr: {
    subject: "webhook désactivé",
    reasons: {
      gone: (id) => `Le webhook ${id} a répondu qu'il n'existe plus (410) et a été désactivé.`,
      failing: (id) => `Le webhook ${id} échoue depuis 5 jours et a été désactivé.`,
    },
    advice:
      "Quand il fonctionnera de nouveau, activez-le dans le back-office et renvoyez les événements depuis ce jour.",
  },
  it: {
    subject: "webhook disattivato",
    reasons: {
      gone: (id) => `Il webhook ${id} ha risposto che non esiste più (410) ed è stato disattivato.`,
      failing: (id) => `Il webhook ${id} non funziona da 5 giorni ed è stato disattivato.`,
    },
    advice: "Quando funzionerà di nuovo, lo attivi nel back office e reinvii gli eventi da quel giorno.",
  },
  pt: {
    subject: "webhook desativado",
    reasons: {
      gone: (id) => `O webhook ${id} respondeu que já não existe (410) e foi desativado.`,
      failing: (id) => `O webhook ${id} falha há 5 dias e foi desativado.`,
    },
    advice: "Quando voltar a funcionar, ative-o no backoffice e reenvie os eventos desde esse dia.",
  },
  nl: {
    subject: "webhook uitgeschakeld",
    reasons: {
      gone: (id) => `Webhook ${id} heeft geantwoord niet meer te bestaan (410) en is uitgeschakeld.`,
      failing: (id) => `Webhook ${id} werkt al 5 dagen niet en is uitgeschakeld.`,
    },
    advice: "Schakel de webhook in de backoffice in zodra deze weer werkt en verstuur de events vanaf die dag opnieuw.",
  },
};

/** Writes the mail that informs an administrator of a disabled webhook and how to fix it. */
export function writeWebhookDisabledMail(
  { id, reason, ...brand }: MailBrand & { readonly id: number; readonly reason: Reason },
  language: PlatformLanguage,
): WrittenMail {
  const { subject, reasons, advice } = TEXTS[language];
  const lines = [reasons[reason](id), advice];
  const html = renderMailHtml(language, lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n"), brand);
  return { subject: `${brand.company}${getColonWithSpacing(language)} ${subject}`, text: lines.join("\n\n"), html };
}
