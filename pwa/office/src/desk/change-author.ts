import { t, tOr } from "../texts.ts";

/** Formats the author of a change: payment methods and agencies with their names. */
export function formatChangeAuthor(author: string): string {
  const [, kind = author, name = ""] = /^([a-z]+):(.*)$/.exec(author) ?? [];
  const authorKind = tOr(`who.${kind}`, kind);
  // A customer's number adds nothing to their name.
  return name === "" || kind === "customer"
    ? authorKind
    : t("whoNamed", { who: authorKind, name: tOr(`option.${name}`, name) });
}
