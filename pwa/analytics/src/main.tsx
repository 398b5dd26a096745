import "#shared/tokens.css";
import "./style.css";
import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SignIn } from "#shared/sign-in.tsx";
import { type Filter, isSignedIn, readSettings, type Settings, SignedOut, signIn, signOut } from "./api.ts";
import { MonthChart } from "./chart.tsx";
import { type Chosen, readChosen, withinBranches, writeChosen, YEARS } from "./choices.ts";
import { createFormats, dayIn, MONTHS } from "./figures.ts";
import { downloadCsv, FigureTable } from "./table.tsx";
import { chooseLanguage, getTexts, LANGUAGES } from "./texts.ts";
import { readView, VIEWS, type View } from "./views.ts";

const ERROR_TEXT_KEYS = { session_over: undefined, not_theirs: "notStaff", factor_missing: "factorMissing" } as const;

function App() {
  const [settings, setSettings] = useState<Settings>();
  // Until the company's time zone is known, use the browser's year.
  const pendingQuery = useRef<string | undefined>(location.search);
  const [chosen, setChosen] = useState(() => readChosen(location.search, new Date().getFullYear()));
  useEffect(() => history.replaceState(null, "", writeChosen(chosen)), [chosen]);
  const [isOpen, setOpen] = useState(isSignedIn());
  const [initialQuery, setSaid] = useState<"notStaff" | "factorMissing">();
  const [isFailed, setFailed] = useState(false);
  const language = chooseLanguage([
    chosen.language,
    settings?.user.language,
    ...navigator.languages.map((language) => language.slice(0, 2)),
    settings?.default_language,
  ]);
  const texts = getTexts(language);
  document.documentElement.lang = language;
  document.title = settings ? `${texts.title} · ${settings.account_name}` : texts.title;
  useEffect(() => {
    if (!isOpen || settings || isFailed) return;
    readSettings().then(
      (read) => {
        const branches = read.rental_locations.map(({ code }) => code);
        const initialQuery = pendingQuery.current;
        pendingQuery.current = undefined;
        const thisYear = Number(dayIn(read.timezone).slice(0, 4));
        setChosen((now) =>
          withinBranches(initialQuery === undefined ? now : readChosen(initialQuery, thisYear), branches),
        );
        setSettings(read);
      },
      (error: unknown) => {
        if (!(error instanceof SignedOut)) return setFailed(true);
        setSaid(ERROR_TEXT_KEYS[error.why]);
        setOpen(false);
      },
    );
  }, [isOpen, settings, isFailed]);
  if (!isOpen) {
    const signedIn = () => setOpen(true);
    return (
      <SignIn texts={texts} signIn={signIn} onSignedIn={signedIn} said={initialQuery ? texts[initialQuery] : ""} />
    );
  }
  if (isFailed) return <Failed texts={texts} onRetry={() => setFailed(false)} />;
  if (!settings) return <p class="status">{texts.loading}…</p>;
  const close = () => {
    setSettings(undefined);
    setOpen(false);
  };
  return <Report settings={settings} language={language} chosen={chosen} onChoose={setChosen} onSignedOut={close} />;
}

interface ReportProps {
  readonly settings: Settings;
  readonly language: string;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onSignedOut: () => void;
}

type Loaded = { readonly view: View } | { readonly failed: true } | undefined;

function Report({ settings, language, chosen, onChoose, onSignedOut }: ReportProps) {
  const texts = getTexts(language);
  const formats = useMemo(() => createFormats(language, settings), [language, settings]);
  const { filter, view: name } = chosen;
  const today = dayIn(settings.timezone);
  const [loaded, setLoaded] = useState<Loaded>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setLoaded(undefined);
    readView(name, filter, { texts, formats, today }).then(
      (view) => isCurrent && setLoaded({ view }),
      (error) => {
        if (!isCurrent) return;
        if (error instanceof SignedOut) onSignedOut();
        else setLoaded({ failed: true });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [name, filter, texts, formats, today, attempt]);
  const view = loaded && "view" in loaded ? loaded.view : undefined;
  return (
    <>
      <header class="top">
        <div>
          <p class="account">{settings.account_name}</p>
          <h1>{texts.title}</h1>
        </div>
        <div class="actions">
          <label>
            <span class="unseen">{texts.language}</span>
            <select
              value={language}
              onChange={({ currentTarget }) => onChoose({ ...chosen, language: currentTarget.value })}
            >
              {Object.entries(LANGUAGES).map(([code, own]) => (
                <option key={code} value={code} lang={code}>
                  {own}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            disabled={!view}
            onClick={() => view && downloadCsv(`${name}-${filter.year}`, view.tables, formats.decimalMark)}
          >
            {texts.csv}
          </button>
          <button type="button" onClick={() => print()}>
            {texts.print}
          </button>
          <button type="button" onClick={() => signOut().then(onSignedOut)}>
            {texts.signOut}
          </button>
        </div>
      </header>
      <main>
        <Choices
          settings={settings}
          texts={texts}
          filter={filter}
          onChange={(changed) => onChoose({ ...chosen, filter: changed })}
        />
        <nav class="views" aria-label={texts.title}>
          {VIEWS.map((view) => (
            <button
              type="button"
              key={view}
              aria-current={view === name ? "page" : undefined}
              onClick={() => onChoose({ ...chosen, view: view })}
            >
              {texts[view]}
            </button>
          ))}
        </nav>
        <p class="status" role="status">
          {!loaded && `${texts.loading}…`}
        </p>
        {loaded && "failed" in loaded && <Failed texts={texts} onRetry={() => setAttempt(attempt + 1)} />}
        {view && <Figures view={view} texts={texts} months={MONTHS.map((_, index) => formats.month(index))} />}
      </main>
    </>
  );
}

interface FailedProps {
  readonly texts: ReturnType<typeof getTexts>;
  readonly onRetry: () => void;
}

function Failed({ texts, onRetry }: FailedProps) {
  return (
    <div class="notice" role="alert">
      <p>{texts.failed}</p>
      <button type="button" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}

interface ChoicesProps {
  readonly settings: Settings;
  readonly texts: ReturnType<typeof getTexts>;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

function Choices({ settings, texts, filter, onChange }: ChoicesProps) {
  const thisYear = Number(dayIn(settings.timezone).slice(0, 4));
  return (
    <form class="choices" onSubmit={(event) => event.preventDefault()}>
      <label>
        {texts.year}
        <select
          value={String(filter.year)}
          onChange={({ currentTarget }) => onChange({ ...filter, year: Number(currentTarget.value) })}
        >
          {Array.from({ length: YEARS }, (_, index) => thisYear - index).map((year) => (
            <option key={year} value={String(year)}>
              {year}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.branch}
        <select
          value={filter.branch}
          onChange={({ currentTarget }) => onChange({ ...filter, branch: currentTarget.value })}
        >
          <option value="">{texts.allBranches}</option>
          {settings.rental_locations.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.customers}
        <select
          value={filter.customerType}
          onChange={({ currentTarget }) =>
            onChange({ ...filter, customerType: currentTarget.value as Filter["customerType"] })
          }
        >
          {(["all", "individual", "legal_entity"] as const).map((type) => (
            <option key={type} value={type}>
              {texts[type]}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

interface FiguresProps {
  readonly view: View;
  readonly texts: ReturnType<typeof getTexts>;
  readonly months: readonly string[];
}

function Figures({ view, texts, months }: FiguresProps) {
  const isEmpty = view.series.every(({ values }) => values.every((value) => value === 0));
  if (isEmpty) return <p class="notice">{texts.empty}</p>;
  return (
    <>
      <dl class="headlines">
        {view.headlines.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MonthChart labels={months} series={view.series} description={texts.byMonth} format={view.format} />
      {view.note && <p class="note">{view.note}</p>}
      {view.tables.map((table) => (
        <FigureTable key={table.title} {...table} />
      ))}
    </>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
