import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createNonce, formatPagePolicy, type Html, writePage } from "#worker/api/own-page.ts";

interface LinkPage {
  readonly language: string;
  readonly title: string;
  readonly company: string;
  /** Controls of the page. Their result is shown below. */
  readonly controls: Html;
  readonly style: string;
  readonly script: string;
}

/**
 * Answers with a page that a customer opens from a mail. The link's secret stays in the visitor's browser: the script
 * removes it from the address bar, and other sites don't get it as a referrer.
 */
export async function linkPage(
  c: Context<AppEnvironment>,
  { language, title, company, controls, style, script }: LinkPage,
): Promise<Response> {
  const nonce = createNonce();
  c.header("Referrer-Policy", "no-referrer");
  c.header("Content-Security-Policy", formatPagePolicy(nonce, { hasScript: true, isConnected: true }));
  const body = html`<p>${company}</p>
<h1>${title}</h1>
${controls}
<p role="status" tabindex="-1"></p>`;
  return c.html(writePage({ language, title: `${title} · ${company}`, style: STYLE + style, body, script }, nonce));
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
  main { max-width: 24rem; margin: 3rem auto; padding: 0 1rem; }
`;
