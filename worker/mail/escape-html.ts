const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Returns a text as HTML that doesn't break a line within a date or a time range. */
export function renderTextAsHtml(text: string): string {
  return escapeHtml(text).replaceAll(
    /\b\d{2}-\d{2}-\d{4}\b|\b\d{2}:\d{2}–\d{2}:\d{2}\b/g,
    (unit) => `<span style="white-space: nowrap">${unit}</span>`,
  );
}
