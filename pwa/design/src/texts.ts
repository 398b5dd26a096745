import type { Language } from "#shared/i18n.ts";

/** States of a component that the page shows. */
export const STATES = ["normal", "chosen", "open", "disabled", "busy", "error", "changed", "empty", "long"] as const;
export type State = (typeof STATES)[number];

type Text = State | "title" | "lead" | "alone" | "all" | "light" | "dark" | "theme" | "language" | "colours" | "sizes";

/** Texts of the page itself. Components use those of the office. */
const TEXTS: Readonly<Record<Language, Readonly<Record<Text, string>>>> = {
  en: {
    ...{ title: "Design system", lead: "Every shared component in every state.", alone: "Open alone", all: "All" },
    ...{ light: "Light", dark: "Dark", theme: "Theme", language: "Language", colours: "Colours", sizes: "Text sizes" },
    ...{ normal: "Normal", chosen: "Selected", open: "Open", disabled: "Disabled", busy: "Busy", error: "Error" },
    ...{ changed: "Changed by others", empty: "Empty", long: "Long text" },
  },
  es: {
    ...{ title: "Sistema de diseño", lead: "Cada componente compartido en cada estado.", alone: "Abrir solo" },
    ...{ all: "Todos", light: "Claro", dark: "Oscuro", theme: "Tema", language: "Idioma", colours: "Colores" },
    ...{ sizes: "Tamaños de texto", normal: "Normal", chosen: "Seleccionado", open: "Abierto" },
    ...{ disabled: "Desactivado", busy: "En curso", error: "Error", changed: "Cambiado por otros" },
    ...{ empty: "Vacío", long: "Texto largo" },
  },
  ca: {
    ...{ title: "Sistema de disseny", lead: "Cada component compartit en cada estat.", alone: "Obre'l sol" },
    ...{ all: "Tots", light: "Clar", dark: "Fosc", theme: "Tema", language: "Idioma", colours: "Colors" },
    ...{ sizes: "Mides de text", normal: "Normal", chosen: "Seleccionat", open: "Obert", disabled: "Desactivat" },
    ...{ busy: "En curs", error: "Error", changed: "Canviat per altres", empty: "Buit", long: "Text llarg" },
  },
  de: {
    ...{ title: "Designsystem", lead: "Jede gemeinsame Komponente in jedem Zustand.", alone: "Allein öffnen" },
    ...{ all: "Alle", light: "Hell", dark: "Dunkel", theme: "Design", language: "Sprache", colours: "Farben" },
    ...{ sizes: "Schriftgrößen", normal: "Normal", chosen: "Ausgewählt", open: "Geöffnet" },
    ...{ disabled: "Deaktiviert", busy: "In Arbeit", error: "Fehler", changed: "Von anderen geändert" },
    ...{ empty: "Leer", long: "Langer Text" },
  },
};

/** Returns a text of the page in its language. */
export function translateText(text: Text): string {
  const language = document.documentElement.lang as Language;
  return (TEXTS[language] ?? TEXTS.en)[text];
}
