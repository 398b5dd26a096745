import { afterEach } from "vitest";
import { listOpenPages } from "./browser.ts";

// Adds to the error of a failed browser test what its pages showed, because the error names only what it waited for.

const MAX_CHARACTERS = 1500;

afterEach(async ({ task }) => {
  const [error] = task.result?.errors ?? [];
  if (task.result?.state !== "fail" || !error) return;
  const texts = await Promise.all(listOpenPages().map(readPage));
  const pageTexts = texts.map((text) => `\nPage at the failure: ${text}`).join("");
  error.message += pageTexts;
  error.stack = `${error.stack ?? ""}${pageTexts}`;
});

// The dialog, or what the page shows beside its menu. A closed page has no text.
const SHOWN = "(document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body).innerText";

async function readPage(page: ReturnType<typeof listOpenPages>[number]): Promise<string> {
  const text = await page.evaluate<string>(SHOWN).catch(() => "");
  return `${page.url()}\n${text.slice(0, MAX_CHARACTERS)}`;
}
