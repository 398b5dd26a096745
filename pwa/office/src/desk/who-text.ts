import { t, tOr } from "../texts.ts";

/** Formats the author of a change: payment methods and agencies with their names. */
export function formatChangeAuthor(who: string): string {
  const [, kind = who, name = ""] = /^([a-z]+):(.*)$/.exec(who) ?? [];
  const named = tOr(`who.${kind}`, kind);
  // A customer's number adds nothing to their name.
  return name === "" || kind === "customer" ? named : t("whoNamed", { who: named, name: tOr(`option.${name}`, name) });
}
