import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Returns the HTML of a mail. `body` is HTML already. */
export function mailHtml(language: PlatformLanguage, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<body style="font-family: sans-serif; line-height: 1.5; color: #1b1f23">
${body}
</body>
</html>
`;
}
