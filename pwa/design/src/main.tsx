import "#shared/tokens.css";
import "#office/style.css";
import "#office/desk.css";
import "#office/lists.css";
import "#office/board.css";
import "#office/guided.css";
import "./style.css";
import { render } from "preact";
import { type Account, setAccount } from "#office/account.ts";
import { setSetupGuideActive, setupState } from "#office/setup-state.ts";
import { chooseLanguage, loadTexts } from "#office/texts.ts";
import { applyThemeToPage, THEMES } from "#office/theme.ts";
import { answerRequestsWithSamples } from "./answers.ts";
import { ComponentGallery } from "./page.tsx";
import { translateText } from "./texts.ts";

const query = new URLSearchParams(location.search);
const language = chooseLanguage([query.get("lang"), ...navigator.languages.map((name) => name.slice(0, 2))]);

const COMPANY = {
  ...{ account_name: "Acme", country_code: "ES", currency: "EUR", currency_decimals: 2, timezone: "Europe/Madrid" },
  rental_locations: [
    { code: "PMI", name: "Palma" },
    { code: "IBZ", name: "Eivissa" },
  ],
  categories: [{ code: "ECON", name: "Economy" }],
  user: { full_name: "Ana Ruiz Mora", role: "administrator" },
} as unknown as Partial<Account>;

answerRequestsWithSamples();
await loadTexts(language);
document.documentElement.lang = language;
document.title = translateText("title");
applyThemeToPage(THEMES.find((theme) => theme === query.get("theme")) ?? "auto");
setAccount(COMPANY);
setSetupGuideActive(true);
setupState.value = { obstacles: [], steps: [{ name: "branches", done: false }] } as unknown as typeof setupState.value;
const place = document.getElementById("app");
if (place) render(<ComponentGallery specimenName={query.get("show")} state={query.get("state")} />, place);
