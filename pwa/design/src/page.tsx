import { applyThemeToPage, type Theme } from "#office/theme.ts";
import { LANGUAGES } from "#shared/i18n.ts";
import type { Specimen } from "./specimen.ts";
import { ACTIONS } from "./specimens/actions.tsx";
import { FRAME } from "./specimens/frame.tsx";
import { INPUTS } from "./specimens/inputs.tsx";
import { LISTS } from "./specimens/lists.tsx";
import { NOTICES_AND_ERRORS } from "./specimens/notices.tsx";
import { OVERLAYS } from "./specimens/overlays.tsx";
import { STATES, type State, translateText } from "./texts.ts";

const SPECIMENS = [...FRAME, ...ACTIONS, ...INPUTS, ...LISTS, ...NOTICES_AND_ERRORS, ...OVERLAYS];

const COLOURS = ["ground", "card", "raised", "ink", "soft", "line", "hair", "link", "signal", "asphalt"] as const;
const PAIRS = ["done", "refused", "waiting", "moving"] as const;
const SIZES = ["small", "body", "large", "title", "huge"] as const;

const address = (changes: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `?${query}`;
};

/** Shows all components, or only the one that the URL's query names, with its overlay open. */
export function ComponentGallery({
  specimenName,
  state,
}: {
  readonly specimenName: string | null;
  readonly state: string | null;
}) {
  const specimens = SPECIMENS.filter(({ name }) => specimenName === null || name === specimenName);
  return (
    <>
      <header class="design-head" id="top">
        <div>
          <h1>{translateText("title")}</h1>
          <p class="soft">{translateText("lead")}</p>
        </div>
        <nav class="chips" aria-label={translateText("language")}>
          {LANGUAGES.map((language) => (
            <a
              key={language}
              class="button small"
              href={address({ lang: language })}
              aria-current={document.documentElement.lang === language ? "true" : undefined}
            >
              {language}
            </a>
          ))}
        </nav>
        <fieldset class="chips">
          <legend class="unseen">{translateText("theme")}</legend>
          {(["light", "dark"] as const satisfies readonly Theme[]).map((theme) => (
            <button key={theme} type="button" class="small" onClick={() => applyThemeToPage(theme)}>
              {translateText(theme)}
            </button>
          ))}
        </fieldset>
      </header>
      {specimenName === null && <Tokens />}
      {specimens.map((specimen) => (
        <Component key={specimen.name} of={specimen} only={specimenName === null ? undefined : state} />
      ))}
    </>
  );
}

function Tokens() {
  return (
    <section class="panel" aria-labelledby="tokens">
      <h2 id="tokens">
        {translateText("colours")} · {translateText("sizes")}
      </h2>
      <div class="swatches">
        {COLOURS.map((name) => (
          <span key={name}>
            <i style={{ background: `var(--${name})` }} /> {name}
          </span>
        ))}
        {PAIRS.map((name) => (
          <span key={name} style={{ background: `var(--${name}-ground)`, color: `var(--${name})` }}>
            {name}
          </span>
        ))}
      </div>
      {SIZES.map((name) => (
        <p key={name} style={{ fontSize: `var(--size-${name})` }}>
          {name} · {translateText("title")} 0123456789
        </p>
      ))}
    </section>
  );
}

interface ComponentProps {
  readonly of: Specimen;
  /** Name of the only state to show. All states are shown if it isn't set. */
  readonly only: string | null | undefined;
}

function Component({ of: { name, isOverlay, states }, only }: ComponentProps) {
  const listed = STATES.filter((state) => states[state] && (!only || state === only));
  return (
    <section class="panel" data-component={name} aria-label={name}>
      <h2>{name}</h2>
      {listed.map((state) => (
        <figure key={state} data-state-of={state}>
          <figcaption>{translateText(state)}</figcaption>
          {isOverlay && only === undefined ? (
            <a
              href={address({ show: name, state })}
              aria-label={`${translateText("alone")}: ${name}, ${translateText(state)}`}
            >
              {translateText("alone")}
            </a>
          ) : (
            <Shown view={states[state]} />
          )}
        </figure>
      ))}
    </section>
  );
}

// Each state is a component of its own, because some use hooks.
function Shown({ view: View }: { readonly view: Specimen["states"][State] }) {
  return View ? <div class="shown">{View()}</div> : null;
}
