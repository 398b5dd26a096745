import type { Context } from "hono";
import { html, raw } from "hono/html";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { getPageTexts } from "./page-texts.ts";

/**
 * Page for password links of companies without a website. The link's secret stays in the visitor's browser: the page
 * removes it from the address bar, and other sites don't get it as a referrer.
 */
export async function changePasswordPage(c: Context<AppEnvironment>): Promise<Response> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  const wishes = (c.req.header("Accept-Language") ?? "")
    .split(",")
    .map((languageTag) => languageTag.trim().slice(0, 2).toLowerCase());
  const language = pickPlatformLanguage(c.req.query("lang"), ...wishes, settings.defaultLanguage);
  const texts = getPageTexts(language);
  const nonce = crypto.randomUUID();
  c.header("Referrer-Policy", "no-referrer");
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return c.html(html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title} · ${settings.accountName}</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <p>${settings.accountName}</p>
          <h1>${texts.title}</h1>
          <form data-language="${language}" data-done="${texts.done}" data-dead="${texts.dead}" data-failed="${texts.failed}">
            <label for="password">${texts.label}</label>
            <input id="password" type="password" autocomplete="new-password" required aria-describedby="rules" />
            <p id="rules">${texts.rules}</p>
            <button>${texts.save}</button>
          </form>
          <p role="status" tabindex="-1"></p>
        </main>
        <script nonce="${nonce}">
          ${raw(SCRIPT)}
        </script>
      </body>
    </html>`);
}

const SCRIPT = `
  const link = new URLSearchParams(location.search).get("id") || "none";
  history.replaceState(null, "", location.pathname);
  const form = document.querySelector("form");
  const status = document.querySelector("[role=status]");
  const { language, done, dead, failed } = form.dataset;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = JSON.stringify({ password: form.elements.password.value, password_forgotten_hash: link });
    const headers = { "Content-Type": "application/json" };
    try {
      const response = await fetch("/api/v1/web-customer/change-password?lang=" + language, { method: "POST", headers, body });
      const answer = await response.json();
      form.hidden = response.ok;
      status.textContent = answer === true ? done : answer === false ? dead : answer.error || failed;
      // The form goes, and the button that was pressed with it.
      if (response.ok) status.focus();
    } catch {
      status.textContent = failed;
    }
  });
`;

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
  main { max-width: 24rem; margin: 3rem auto; padding: 0 1rem; }
  form { display: grid; gap: .5rem; }
  form[hidden] { display: none; }
  input, button { font: inherit; padding: .6rem .75rem; border-radius: 6px; border: 1px solid #8a8f94; }
  button { background: #0b6b57; color: #fff; border-color: #0b6b57; cursor: pointer; }
  #rules { margin: 0; font-size: .9rem; }
`;
