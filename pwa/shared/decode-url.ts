/** Decodes a URL component. Returns invalid escapes unchanged. */
export function decodeUrlComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
