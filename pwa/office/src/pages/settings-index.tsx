import { useState } from "preact/hooks";
import { findSettingsPage, SETTINGS_PAGE_GROUPS } from "../settings-menu.ts";
import { t } from "../texts.ts";

/** All pages of the settings in groups, each with what it is for. */
export default function SettingsIndex() {
  const [text, setText] = useState("");
  const letters = text.trim().toLowerCase();
  const groups = SETTINGS_PAGE_GROUPS.map(([title, names]) => ({
    title,
    places: names
      .flatMap((name) => findSettingsPage(name) ?? [])
      .filter((place) => `${place.text} ${place.about}`.toLowerCase().includes(letters)),
  })).filter(({ places }) => places.length > 0);
  return (
    <main>
      <div class="head">
        <h1>{t("settingsPage")}</h1>
        <label class="search">
          {t("findSetting")}
          <input
            type="search"
            name="find_setting"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </div>
      {groups.length === 0 && <p role="status">{t("nothingFound")}</p>}
      {groups.map(({ title, places }) => (
        <section key={title} aria-labelledby={title}>
          <h2 id={title}>{t(title)}</h2>
          <ul class="settings">
            {places.map((place) => (
              <li key={place.name}>
                <a href={place.href}>{place.text}</a>
                {place.about && <p>{place.about}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
