import { t, tOr } from "../texts.ts";

/** Who did something, as people read it: a gateway with its method, an agency with its name. */
export function whoText(who: string): string {
  const [, kind = who, name = ""] = /^([a-z]+):(.*)$/.exec(who) ?? [];
  const named = tOr(`who.${kind}`, kind);
  // The number of a customer says nothing beside their name.
  return name === "" || kind === "customer" ? named : t("whoNamed", { who: named, name: tOr(`option.${name}`, name) });
}
