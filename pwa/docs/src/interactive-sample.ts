import { EXAMPLE_ID, type ExampleCall, getParameterValue, type ReaderInput, toCallRequest } from "./call.ts";
import { createElement } from "./elements.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "./languages.ts";
import { type CallResult, MissingCredentialsError, sendExampleCall } from "./send-request.ts";
import { createSnippet } from "./snippets.ts";
import { type DemoCredentials, readCredentials, readLanguage, saveLanguage } from "./stored-credentials.ts";

const pad = (part: number) => String(part).padStart(2, "0");

/** Returns the reader's current date, `yyyy-mm-dd`. */
function today(now = new Date()): string {
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

let runNumber = 0;

/** Makes a sample interactive: language choice, editable values and a button to try it. */
export function makeSampleInteractive(sampleElement: HTMLElement, demo: Promise<DemoCredentials | undefined>): void {
  const call = JSON.parse(sampleElement.dataset["call"] ?? "") as ExampleCall;
  runNumber += 1;
  const name = `sample-${runNumber}`;
  const day = today();
  const values: Record<string, string> = {};
  let body: string | undefined;
  const readInput = (): ReaderInput => {
    const { freeAccessId } = readCredentials();
    return { values, ...(freeAccessId && { freeAccessId }), ...(body !== undefined && { body }) };
  };

  const code = createElement("code");
  const panel = createElement("pre", { id: `${name}-code`, role: "tabpanel", tabIndex: 0 }, code);
  const tabs = LANGUAGES.map((language) => {
    const tab = createElement(
      "button",
      { type: "button", role: "tab", id: `${name}-${language}` },
      LANGUAGE_NAMES[language],
    );
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => saveLanguage(language));
    return tab;
  });
  const list = createElement("div", { role: "tablist" }, ...tabs);
  list.setAttribute("aria-label", "Language");
  list.addEventListener("keydown", (event) => walk(event, tabs));
  const copy = createElement("button", { type: "button", className: "copy" }, "Copy");
  copy.addEventListener("click", () => void copyText(code.textContent ?? "", copy));

  const note = hint(call);
  const show = () => {
    if (note) note.hidden = readCredentials().freeAccessId !== "";
    const language = readLanguage();
    code.textContent = createSnippet(language, location.origin, toCallRequest(call, day, readInput()));
    panel.setAttribute("aria-labelledby", `${name}-${language}`);
    tabs.forEach((tab, at) => {
      const isChosen = LANGUAGES[at] === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    });
  };
  const change = (parameter: string | undefined, value: string) => {
    if (parameter === undefined) body = value;
    else values[parameter] = value;
    show();
  };
  const tryIt = createElement("details", { className: "try" }, createElement("summary", {}, "Try it"));
  tryIt.addEventListener("toggle", () => fill(), { once: true });
  const fill = () => {
    const send = async () => sendExampleCall(call, toCallRequest(call, day, readInput()), await demo);
    tryIt.append(tryForm({ call, name, day, readInput: readInput, change, send }));
  };
  sampleElement.replaceChildren(
    createElement("div", { className: "bar" }, list, copy),
    panel,
    ...(note ? [note] : []),
    tryIt,
  );
  addEventListener("docs-kept", show);
  show();
}

// Hint to create a cart or booking first.
function hint(call: ExampleCall): HTMLElement | undefined {
  if (!JSON.stringify(call).includes(EXAMPLE_ID)) return undefined;
  const text = `The id ${EXAMPLE_ID.slice(0, 8)}… stands for a cart or a booking of yours: try the step before, and yours is put in here.`;
  return createElement("p", { className: "note" }, text);
}

function walk(event: KeyboardEvent, tabs: readonly HTMLButtonElement[]): void {
  const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (at < 0 || step === 0) return;
  event.preventDefault();
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
}

async function copyText(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => {
      button.textContent = "Copied";
    },
    () => {
      button.textContent = "Not copied";
    },
  );
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

interface Trial {
  readonly call: ExampleCall;
  readonly name: string;
  readonly day: string;
  readonly readInput: () => ReaderInput;
  readonly change: (parameter: string | undefined, value: string) => void;
  readonly send: () => Promise<CallResult>;
}

function tryForm({ call, name, day, readInput, change, send }: Trial): HTMLElement {
  const fields = call.parameters
    .filter(({ name: parameter }) => parameter.toLowerCase() !== "idempotency-key")
    .map((parameter) => {
      const label = `${parameter.name}${parameter.isRequired ? "" : " (optional)"}`;
      const input = createElement("input", {
        spellcheck: false,
        value: getParameterValue(parameter, day, readInput()) ?? "",
      });
      input.addEventListener("input", () => change(parameter.name, input.value));
      return createElement("label", {}, label, input);
    });
  const { body } = toCallRequest(call, day, readInput());
  const area = createElement("textarea", {
    rows: Math.min(18, (body ?? "").split("\n").length + 1),
    spellcheck: false,
  });
  area.value = body ?? "";
  area.addEventListener("input", () => change(undefined, area.value));
  const answer = createElement("div", { className: "answer", id: `${name}-answer` });
  answer.setAttribute("aria-live", "polite");
  const button = createElement("button", { type: "submit", className: "send" }, `Send ${call.method}`);
  const before = call.first?.length
    ? [
        createElement(
          "p",
          { className: "note" },
          "The calls before are sent, too; what they answer stands where it is named.",
        ),
      ]
    : [];
  const form = createElement(
    "form",
    {},
    ...before,
    ...fields,
    ...(call.body ? [createElement("label", {}, "Body", area)] : []),
    button,
    answer,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    send()
      .then(
        (answered) => answer.replaceChildren(...answerView(answered)),
        (error: unknown) => answer.replaceChildren(createElement("p", { className: "refused" }, getErrorText(error))),
      )
      .finally(() => {
        button.disabled = false;
      });
  });
  return form;
}

const getErrorText = (error: unknown) =>
  error instanceof MissingCredentialsError ? error.message : "No answer came. Is the network there?";

function answerView({ status, milliseconds, headers, text }: CallResult): readonly HTMLElement[] {
  const [, code] = /"code": "(\w+)"/.exec(status >= 400 ? text : "") ?? [];
  const isWell = status < 400;
  const line = createElement(
    "p",
    { className: isWell ? "done" : "refused" },
    `${status || "3xx"} · ${milliseconds} ms `,
  );
  if (code) line.append(createElement("a", { href: `/docs/errors/#${code}` }, `What ${code} means`));
  const all = headers.map(([header, value]) => `${header}: ${value}`).join("\n");
  const folded = createElement(
    "details",
    {},
    createElement("summary", {}, "Headers"),
    createElement("pre", { tabIndex: 0 }, all),
  );
  return [line, createElement("pre", { tabIndex: 0 }, text || "(no body)"), folded];
}
