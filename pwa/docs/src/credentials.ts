import { make } from "./elements.ts";
import { type Demo, readCredentials, saveStoredCredentials } from "./memory.ts";
import { signIn } from "./send-request.ts";

/** Sets up the credentials dialog, with key and secret or a sign-in, and its button. */
export function startCredentials(button: HTMLButtonElement, demo: Promise<Demo | undefined>): void {
  let known: Demo | undefined;
  void demo.then((loadedDemo) => {
    known = loadedDemo;
  });
  const dialog = make("dialog", { className: "who" });
  dialog.setAttribute("aria-label", "Credentials");
  document.body.append(dialog);
  button.hidden = false;
  button.addEventListener("click", () => {
    dialog.replaceChildren(...contents(dialog, known));
    dialog.showModal();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

function contents(dialog: HTMLDialogElement, demo: Demo | undefined): readonly HTMLElement[] {
  const close = make("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  return [
    make("h2", {}, "Credentials"),
    make("p", {}, "They stay in this tab until you close it, and are sent to this company alone."),
    keyForm(),
    tokenForm(),
    ...(demo ? [demoView(demo)] : []),
    close,
  ];
}

function labelled(text: string, input: HTMLInputElement): HTMLLabelElement {
  return make("label", {}, text, input);
}

function keyForm(): HTMLElement {
  const credentials = readCredentials();
  const key = make("input", { name: "key", autocomplete: "off", spellcheck: false, value: credentials.key });
  const secret = make("input", { name: "secret", type: "password", autocomplete: "off", value: credentials.secret });
  const statusLine = make("p", { role: "status" });
  const form = make(
    "form",
    {},
    make("h3", {}, "A partner's key"),
    labelled("API key", key),
    labelled("Secret", secret),
    make("button", { type: "submit" }, "Keep"),
    statusLine,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    saveStoredCredentials({ key: key.value.trim(), secret: secret.value });
    statusLine.textContent = key.value && secret.value ? "Kept: what you try is signed with it." : "Forgotten.";
  });
  return form;
}

function tokenForm(): HTMLElement {
  const user = make("input", { name: "username", autocomplete: "username", required: true, spellcheck: false });
  const password = make("input", { type: "password", autocomplete: "current-password", required: true });
  const code = make("input", { inputMode: "numeric", autocomplete: "one-time-code" });
  const statusLine = make("p", { role: "status" }, readCredentials().token ? "Signed in." : "");
  const out = make("button", { type: "button" }, "Forget the token");
  out.addEventListener("click", () => {
    saveStoredCredentials({ token: "" });
    statusLine.textContent = "Forgotten.";
  });
  const form = make(
    "form",
    {},
    make("h3", {}, "Sign in"),
    labelled("User name", user),
    labelled("Password", password),
    labelled("Code of the second factor (where asked for)", code),
    make("button", { type: "submit" }, "Sign in"),
    out,
    statusLine,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(user.value, password.value, code.value).then(
      (token) => {
        if (token) saveStoredCredentials({ token });
        statusLine.textContent = token ? "Signed in." : "Not signed in: name, password or code are not right.";
      },
      () => {
        statusLine.textContent = "No answer came. Is the network there?";
      },
    );
  });
  return form;
}

// Shows the environment variables that snippets read, to paste into a terminal.
function demoView({ partnerKeys, users }: Demo): HTMLElement {
  const [staff] = users;
  const lines = [
    ...partnerKeys.map(({ apiKey, secret, use }) => `export RENTAL_KEY=${apiKey} RENTAL_SECRET=${secret}  # ${use}`),
    `export RENTAL_TOKEN=$(curl -s -D - -o /dev/null -X POST ${location.origin}/api/v1/login -H 'Content-Type: application/json' \\`,
    `  -d '{"username":"${staff?.username}","password":"${staff?.password}"}' | sed -n 's/^[Aa]uthorization: //p' | tr -d '\\r')`,
  ];
  return make(
    "section",
    {},
    make("h3", {}, "The demo's, for a terminal"),
    make("p", {}, "What you try in the page uses them already, where you gave none of your own."),
    make("pre", { tabIndex: 0 }, lines.join("\n")),
  );
}
