import { html, raw } from "hono/html";
import { type DevelopmentMail, listDevelopmentMails } from "#worker/store/operations/mailbox.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Shows the mails sent by the accounts, newest first. In development only. */
export async function renderMailboxPage(accounts: readonly Tenant[]): Promise<Response> {
  const boxes = await Promise.all(
    accounts.map(async ({ name, db }) => (await listDevelopmentMails(db)).map((mail) => ({ ...mail, account: name }))),
  );
  const mails = boxes.flat().sort((a, b) => b.sentAt - a.sentAt);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Mailbox</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>Mailbox</h1>
          <p>What the accounts on this machine have sent. This page exists in development only. <a href="/">All addresses</a></p>
          ${mails.length === 0 ? html`<p>Nothing yet.</p>` : mails.map(mailCard)}
        </main>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
    },
  });
}

function mailCard(mail: DevelopmentMail & { readonly account: string }) {
  return html`<article>
    <h2>${mail.subject}</h2>
    <p>
      ${mail.account} to <strong>${mail.recipient}</strong>,
      <time datetime="${new Date(mail.sentAt).toISOString()}">${new Date(mail.sentAt).toISOString()}</time>
    </p>
    <pre>${mail.text.split(/(https?:\/\/\S+)/).map((part) => (/^https?:/.test(part) ? html`<a href="${part}">${part}</a>` : part))}</pre>
    <details>
      <summary>As HTML</summary>
      <iframe sandbox title="The mail as HTML" srcdoc="${mail.html}"></iframe>
    </details>
  </article>`;
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; background: light-dark(#fff, #14171a);
    color: light-dark(#1b1f23, #eceae4); overflow-wrap: anywhere; }
  a { color: light-dark(#0b6b57, #58cfb0); }
  article { border: 1px solid light-dark(#e2dfd6, #313940); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
  h2 { margin: 0; font-size: 1.1rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  iframe { width: 100%; height: 16rem; border: 0; background: #fff; }
`;
