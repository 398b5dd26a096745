import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { choosePageLanguage } from "#worker/api/visitor.ts";
import { READ_MAILED_LINK_SCRIPT, renderMailedLinkPage } from "./link-page.ts";
import { getPageTexts } from "./page-texts.ts";

/** Page for password links of companies without a website. */
export async function renderSetPasswordPage(c: Context<AppEnvironment>): Promise<Response> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  const language = choosePageLanguage(c, settings.defaultLanguage);
  const texts = getPageTexts(language);
  const controls = html`<form data-language="${language}" data-done="${texts.done}" data-dead="${texts.dead}" data-failed="${texts.failed}">
<label for="password">${texts.label}</label>
<input id="password" type="password" autocomplete="new-password" required aria-describedby="rules">
<p id="rules">${texts.rules}</p>
<button>${texts.save}</button>
</form>`;
  return renderMailedLinkPage(c, { language, title: texts.title, settings, controls, script: SCRIPT });
}

const SCRIPT = `${READ_MAILED_LINK_SCRIPT}
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
      // Hiding the form also hides its focused button, so the focus moves to the status.
      if (response.ok) status.focus();
    } catch {
      status.textContent = failed;
    }
  });
`;
