import type { PlatformLanguage, Translations } from "#domain/catalogue/languages.ts";

// Texts for visitors about a promotion code without effect. Other languages fall back to the English reason.
type PromotionTexts = Readonly<Record<Exclude<PlatformLanguage, "en">, string>>;

/** Returns the text for an unknown code. */
export function getUnknownPromotionText(code: string): Translations {
  return {
    es: `El código promocional ${code} no existe.`,
    ca: `El codi promocional ${code} no existeix.`,
    de: `Den Aktionscode ${code} gibt es nicht.`,
    fr: `Le code promotionnel ${code} n'existe pas.`,
    it: `Il codice promozionale ${code} non esiste.`,
    pt: `O código promocional ${code} não existe.`,
    nl: `Actiecode ${code} bestaat niet.`,
  } satisfies PromotionTexts;
}

/** Returns the text for a code that has ended, hasn't started, or needs a longer rental. */
export function getPromotionOtherDatesText(code: string): Translations {
  return {
    es: `El código promocional ${code} no es válido para estas fechas.`,
    ca: `El codi promocional ${code} no és vàlid per a aquestes dates.`,
    de: `Der Aktionscode ${code} gilt nicht für diesen Zeitraum.`,
    fr: `Le code promotionnel ${code} n'est pas valable à ces dates.`,
    it: `Il codice promozionale ${code} non è valido per queste date.`,
    pt: `O código promocional ${code} não é válido para estas datas.`,
    nl: `Actiecode ${code} is niet geldig op deze data.`,
  } satisfies PromotionTexts;
}

/** Returns the text for a code of another sales channel. */
export function getPromotionOtherChannelText(code: string): Translations {
  return {
    es: `El código promocional ${code} no es válido aquí.`,
    ca: `El codi promocional ${code} no és vàlid aquí.`,
    de: `Der Aktionscode ${code} gilt hier nicht.`,
    fr: `Le code promotionnel ${code} n'est pas valable ici.`,
    it: `Il codice promozionale ${code} non è valido qui.`,
    pt: `O código promocional ${code} não é válido aqui.`,
    nl: `Actiecode ${code} is hier niet geldig.`,
  } satisfies PromotionTexts;
}

/** Returns the text for a code of another product, with the product's name in the language. */
export function getPromotionOtherProductText(code: string, nameIn: (language: string) => string): Translations {
  return {
    es: `El código promocional ${code} solo es válido para ${nameIn("es")}.`,
    ca: `El codi promocional ${code} només és vàlid per a ${nameIn("ca")}.`,
    de: `Der Aktionscode ${code} gilt nur für ${nameIn("de")}.`,
    fr: `Le code promotionnel ${code} n'est valable que pour ${nameIn("fr")}.`,
    it: `Il codice promozionale ${code} è valido solo per ${nameIn("it")}.`,
    pt: `O código promocional ${code} só é válido para ${nameIn("pt")}.`,
    nl: `Actiecode ${code} is alleen geldig voor ${nameIn("nl")}.`,
  } satisfies PromotionTexts;
}
