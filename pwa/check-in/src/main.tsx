import { render } from "preact";
import { App } from "./app.tsx";
import "#shared/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/screens.css";
import { checkStorage } from "./offline/storage.ts";
import { registerWorker } from "./offline/update.ts";
import { start } from "./state/account.ts";
import { watchIdle } from "./state/lock.ts";
import { database, session, wake } from "./state/phone.ts";
import { applyTheme, chooseLanguage, language } from "./state/preferences.ts";
import { minute, room } from "./ui/banners.tsx";

applyTheme();
await Promise.all([chooseLanguage(language.peek()), wake()]);
await watchIdle();
const root = document.querySelector("#app");
if (root) render(<App />, root);
if (session.peek()) void start();
void registerWorker();
void checkStorage(database).then((found) => {
  room.value = found;
});
setInterval(() => {
  minute.value = Date.now();
}, 60_000);
