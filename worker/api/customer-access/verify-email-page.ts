import type { Context } from "hono";
import { html } from "hono/html";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { choosePageLanguage } from "#worker/api/visitor.ts";
import { READ_MAILED_LINK_SCRIPT, renderMailedLinkPage } from "./link-page.ts";

type VerificationTexts = readonly [title: string, button: string, done: string, dead: string, failed: string];

const TEXTS: Readonly<Record<PlatformLanguage, VerificationTexts>> = {
  es: [
    "Confirmar la dirección",
    "Confirmar dirección",
    "Gracias: la dirección está confirmada.",
    "Este enlace ya no sirve.",
    "No se ha podido confirmar la dirección. Inténtelo de nuevo.",
  ],
  ca: [
    "Confirmació de l'adreça",
    "Confirma l'adreça",
    "Gràcies: l'adreça està confirmada.",
    "Aquest enllaç ja no serveix.",
    "No s'ha pogut confirmar l'adreça. Torneu-ho a provar.",
  ],
  en: [
    "Confirm the address",
    "Confirm address",
    "Thank you: the address is confirmed.",
    "This link is no longer valid.",
    "Couldn't confirm the address. Please try again.",
  ],
  de: [
    "Adresse bestätigen",
    "Adresse bestätigen",
    "Danke: Die Adresse ist bestätigt.",
    "Dieser Link gilt nicht mehr.",
    "Die Adresse wurde nicht bestätigt. Bitte versuchen Sie es noch einmal.",
  ],
  fr: [
    "Confirmer l'adresse",
    "Confirmer l'adresse",
    "Merci\u00a0: l'adresse est confirmée.",
    "Ce lien n'est plus valable.",
    "L'adresse n'a pas été confirmée. Veuillez réessayer.",
  ],
  it: [
    "Conferma dell'indirizzo",
    "Conferma l'indirizzo",
    "Grazie: l'indirizzo è confermato.",
    "Questo link non è più valido.",
    "L'indirizzo non è stato confermato. Riprovi.",
  ],
  pt: [
    "Confirmar o endereço",
    "Confirmar o endereço",
    "Obrigado: o endereço está confirmado.",
    "Este link já não é válido.",
    "Não foi possível confirmar o endereço. Tente de novo.",
  ],
  nl: [
    "Adres bevestigen",
    "Adres bevestigen",
    "Bedankt: het adres is bevestigd.",
    "Deze link is niet meer geldig.",
    "Het adres is niet bevestigd. Probeer het opnieuw.",
  ],
};

/** Page of an email verification link. Needs a click, because mail scanners follow links too. */
export async function renderVerifyEmailPage(c: Context<AppEnvironment>): Promise<Response> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  const language = choosePageLanguage(c, settings.defaultLanguage);
  const [title, button, done, dead, failed] = TEXTS[language];
  const controls = html`<button data-done="${done}" data-dead="${dead}" data-failed="${failed}">${button}</button>`;
  return renderMailedLinkPage(c, { language, title, settings, controls, script: SCRIPT });
}

const SCRIPT = `${READ_MAILED_LINK_SCRIPT}
  const button = document.querySelector("button");
  button.addEventListener("click", async () => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ verification: link });
    const response = await fetch("/api/v1/web-customer/verify-email", { method: "POST", headers, body }).catch(() => undefined);
    const { done, dead, failed } = button.dataset;
    const status = document.querySelector("[role=status]");
    if (!response || !response.ok) {
      status.textContent = failed;
      return;
    }
    status.textContent = (await response.json()) === true ? done : dead;
    // Hiding the button removes the focus, so the focus moves to the status.
    button.hidden = true;
    status.focus();
  });
`;
