import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Texts of a page that replaces a failed response for people. */
interface FailurePageTexts {
  readonly notFoundTitle: string;
  readonly notFound: string;
  readonly unavailableTitle: string;
  readonly unavailable: string;
  readonly retry: string;
}

/** Texts of pages for unknown and unavailable addresses, of a company's site and of the router in front of cells. */
export const failurePageTexts: Readonly<Record<PlatformLanguage, FailurePageTexts>> = {
  en: {
    notFoundTitle: "Page not found",
    notFound: "The address may be wrong, or the page was removed.",
    unavailableTitle: "Temporarily unavailable",
    unavailable: "This page isn't available at the moment. Please try again in a few minutes.",
    retry: "Try again",
  },
  es: {
    notFoundTitle: "Página no encontrada",
    notFound: "La dirección puede ser incorrecta, o la página ya no existe.",
    unavailableTitle: "No disponible por ahora",
    unavailable: "Esta página no está disponible en este momento. Vuelva a intentarlo dentro de unos minutos.",
    retry: "Reintentar",
  },
  ca: {
    notFoundTitle: "Pàgina no trobada",
    notFound: "L'adreça pot ser incorrecta, o la pàgina ja no existeix.",
    unavailableTitle: "Ara no està disponible",
    unavailable: "Aquesta pàgina no està disponible en aquest moment. Torneu-ho a provar d'aquí a uns minuts.",
    retry: "Torna-ho a provar",
  },
  de: {
    notFoundTitle: "Seite nicht gefunden",
    notFound: "Die Adresse ist vielleicht falsch, oder es gibt die Seite nicht mehr.",
    unavailableTitle: "Vorübergehend nicht verfügbar",
    unavailable: "Diese Seite ist im Moment nicht verfügbar. Bitte versuchen Sie es in einigen Minuten erneut.",
    retry: "Erneut versuchen",
  },
  fr: {
    notFoundTitle: "Page introuvable",
    notFound: "L'adresse est peut-être incorrecte, ou la page n'existe plus.",
    unavailableTitle: "Momentanément indisponible",
    unavailable: "Cette page n'est pas disponible pour le moment. Réessayez dans quelques minutes.",
    retry: "Réessayer",
  },
  it: {
    notFoundTitle: "Pagina non trovata",
    notFound: "L'indirizzo potrebbe essere errato, o la pagina non esiste più.",
    unavailableTitle: "Temporaneamente non disponibile",
    unavailable: "Questa pagina non è disponibile al momento. Riprovi tra qualche minuto.",
    retry: "Riprova",
  },
  pt: {
    notFoundTitle: "Página não encontrada",
    notFound: "O endereço pode estar incorreto, ou a página já não existe.",
    unavailableTitle: "Temporariamente indisponível",
    unavailable: "Esta página não está disponível de momento. Tente novamente dentro de alguns minutos.",
    retry: "Tentar novamente",
  },
  nl: {
    notFoundTitle: "Pagina niet gevonden",
    notFound: "Het adres is misschien onjuist, of de pagina bestaat niet meer.",
    unavailableTitle: "Tijdelijk niet beschikbaar",
    unavailable: "Deze pagina is op dit moment niet beschikbaar. Probeer het over een paar minuten opnieuw.",
    retry: "Opnieuw proberen",
  },
};
