import type { Context } from "hono";
import { html } from "hono/html";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createNonce, formatPagePolicy, type Html, PAGE_COLORS, writePage } from "#worker/api/own-page.ts";
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
export async function renderLinkPage(
  c: Context<AppEnvironment>,
  { language, title, settings, controls, script }: LinkPage,
): Promise<Response> {
  const nonce = createNonce();
  c.header("Referrer-Policy", "no-referrer");
  c.header("Content-Security-Policy", formatPagePolicy(nonce, { hasScript: true, isConnected: true }));
  const { accountName: company, engineRequiresApiKey, engineCustomerAccess } = settings;
  const canSignIn = engineCustomerAccess && !engineRequiresApiKey;
  const body = html`<p class="from">${company}</p>
<h1>${title}</h1>
${controls}
<p role="status" tabindex="-1"></p>
${canSignIn ? html`<p><a href="/?lang=${language}&rb=account">${getPageTexts(language).signIn}</a></p>` : ""}`;
  const head = html`<meta name="robots" content="noindex">`;
  return c.html(writePage({ language, title: `${title} · ${company}`, head, style: STYLE, body, script }, nonce));
}

const STYLE = `
${PAGE_COLORS}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem; background: var(--ground); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: min(2rem, 6vw); overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: .25rem 0 1rem; font-size: 1.4rem; line-height: 1.25; }
a { color: var(--accent); }
.from, #rules { margin: 0; color: var(--soft); font-size: .95rem; }
form { display: grid; gap: .5rem; }
[hidden] { display: none; }
input { padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--ground); color: var(--ink); font: inherit; }
button { width: 100%; margin-top: .5rem; padding: .85rem 1.25rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on); font: inherit;
  font-weight: 600; cursor: pointer; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;
