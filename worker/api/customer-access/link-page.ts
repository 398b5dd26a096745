import type { Context } from "hono";
import { html } from "hono/html";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import {
  CUSTOMER_PAGE_CSS,
  createNonce,
  formatContentSecurityPolicy,
  type Html,
  renderHtmlPage,
} from "#worker/api/own-page.ts";
import { getPageTexts } from "./page-texts.ts";

interface LinkPage {
  readonly language: PlatformLanguage;
  readonly title: string;
  readonly settings: Pick<Settings, "accountName" | "engineRequiresApiKey" | "engineCustomerAccess">;
  /** Controls of the page. Their result is shown below. */
  readonly controls: Html;
  readonly script: string;
}

/**
 * Answers with a page that a customer opens from a mail. The link's secret stays in the visitor's browser: the script
 * removes it from the address bar, and other sites don't get it as a referrer.
 */
export async function renderMailedLinkPage(
  c: Context<AppEnvironment>,
  { language, title, settings, controls, script }: LinkPage,
): Promise<Response> {
  const nonce = createNonce();
  c.header("Referrer-Policy", "no-referrer");
  c.header("Content-Security-Policy", formatContentSecurityPolicy(nonce, { hasScript: true, isConnected: true }));
  const { accountName: company, engineRequiresApiKey, engineCustomerAccess } = settings;
  const canSignIn = engineCustomerAccess && !engineRequiresApiKey;
  const body = html`<p class="from">${company}</p>
<h1>${title}</h1>
${controls}
<p role="status" tabindex="-1"></p>
${canSignIn ? html`<p><a href="/?lang=${language}&rb=account">${getPageTexts(language).signIn}</a></p>` : ""}`;
  const head = html`<meta name="robots" content="noindex">`;
  return c.html(renderHtmlPage({ language, title: `${title} · ${company}`, head, style: STYLE, body, script }, nonce));
}

const STYLE = `${CUSTOMER_PAGE_CSS}
#rules { margin: 0; color: var(--soft); font-size: .95rem; }
form { display: grid; gap: .5rem; }
[hidden] { display: none; }
`;

/**
 * Start of a mailed link's script, which sets `link`. The history's entry keeps the link for a reload, without showing
 * it in the address bar.
 */
export const READ_MAILED_LINK_SCRIPT = `
  const query = new URLSearchParams(location.search);
  const link = query.get("id") || history.state || "none";
  query.delete("id");
  history.replaceState(link, "", location.pathname + (query.size > 0 ? "?" + query : ""));`;
