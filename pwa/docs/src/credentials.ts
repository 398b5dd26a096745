import { createElement } from "./elements.ts";
import { signIn } from "./send-request.ts";
import { type DemoCredentials, readCredentials, saveStoredCredentials } from "./stored-credentials.ts";

/** Sets up the credentials dialog, with key and secret or a sign-in, and its button. */
export function setUpCredentialsDialog(button: HTMLButtonElement, demo: Promise<DemoCredentials | undefined>): void {
  let known: DemoCredentials | undefined;
  void demo.then((loadedDemo) => {
    known = loadedDemo;
  });
  const dialog = createElement("dialog", { className: "who" });
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

function contents(dialog: HTMLDialogElement, demo: DemoCredentials | undefined): readonly HTMLElement[] {
  const close = createElement("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  return [
    createElement("h2", {}, "Credentials"),
    createElement("p", {}, "They stay in this tab until you close it, and are sent to this company alone."),
    keyForm(),
    tokenForm(),
    ...(demo ? [demoView(demo)] : []),
    close,
  ];
}

function labelled(text: string, input: HTMLInputElement): HTMLLabelElement {
  return createElement("label", {}, text, input);
}

function keyForm(): HTMLElement {
  const credentials = readCredentials();
  const key = createElement("input", { name: "key", autocomplete: "off", spellcheck: false, value: credentials.key });
  const secret = createElement("input", {
    name: "secret",
    type: "password",
    autocomplete: "off",
    value: credentials.secret,
  });
  const statusLine = createElement("p", { role: "status" });
  const form = createElement(
    "form",
    {},
    createElement("h3", {}, "A partner's key"),
    labelled("API key", key),
    labelled("Secret", secret),
    createElement("button", { type: "submit" }, "Keep"),
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
  const user = createElement("input", {
    name: "username",
    autocomplete: "username",
    required: true,
    spellcheck: false,
  });
  const password = createElement("input", { type: "password", autocomplete: "current-password", required: true });
  const code = createElement("input", { inputMode: "numeric", autocomplete: "one-time-code" });
  const statusLine = createElement("p", { role: "status" }, readCredentials().token ? "Signed in." : "");
  const out = createElement("button", { type: "button" }, "Forget the token");
  out.addEventListener("click", () => {
    saveStoredCredentials({ token: "" });
    statusLine.textContent = "Forgotten.";
  });
  const form = createElement(
    "form",
    {},
    createElement("h3", {}, "Sign in"),
    labelled("User name", user),
    labelled("Password", password),
    labelled("Code of the second factor (where asked for)", code),
    createElement("button", { type: "submit" }, "Sign in"),
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
function demoView({ partnerKeys, users }: DemoCredentials): HTMLElement {
  const [staff] = users;
  const lines = [
    ...partnerKeys.map(({ apiKey, secret, use }) => `export RENTAL_KEY=${apiKey} RENTAL_SECRET=${secret}  # ${use}`),
    `export RENTAL_TOKEN=$(curl -s -D - -o /dev/null -X POST ${location.origin}/api/v1/login -H 'Content-Type: application/json' \\`,
    `  -d '{"username":"${staff?.username}","password":"${staff?.password}"}' | sed -n 's/^[Aa]uthorization: //p' | tr -d '\\r')`,
  ];
  return createElement(
    "section",
    {},
    createElement("h3", {}, "The demo's, for a terminal"),
    createElement("p", {}, "What you try in the page uses them already, where you gave none of your own."),
    createElement("pre", { tabIndex: 0 }, lines.join("\n")),
  );
}
