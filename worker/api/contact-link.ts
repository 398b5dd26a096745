import { html } from "hono/html";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Html } from "./own-page.ts";

/** Label of the link to the company's telephone numbers, addresses and opening hours. */
export const CONTACT_LINK_TEXTS: Readonly<Record<PlatformLanguage, string>> = {
  en: "Contact us",
  es: "Contactar con nosotros",
  ca: "Contacta amb nosaltres",
  de: "Kontakt aufnehmen",
  fr: "Nous contacter",
  it: "Contatti e orari",
  pt: "Ver os nossos contactos",
  nl: "Contact opnemen",
};

/** Returns the link to the contact details on the company's page. For pages without another next step. */
export const renderContactLink = (language: PlatformLanguage): Html =>
  html`<a class="button quiet" href="/?lang=${language}#contact">${CONTACT_LINK_TEXTS[language]}</a>`;
