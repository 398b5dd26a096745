import type { WidgetLanguage } from "../texts.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pt } from "./pt.ts";

/** Texts of all languages, for the build and tests. Visitors load those of one language. */
export const textsByLanguage: Readonly<Record<WidgetLanguage, Texts>> = { es, ca, en, de, fr, it, pt, nl };
