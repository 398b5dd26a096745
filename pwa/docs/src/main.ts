import "swagger-ui-dist/swagger-ui.css";
import "./style.css";
import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { exampleOf, type Language } from "./examples.ts";
import { sign } from "./sign.ts";

interface Described {
  readonly title: string;
  readonly url: string;
  readonly access: "signed" | "token" | "open";
  readonly example: string;
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

const choice = element("interface", HTMLSelectElement);
const keyInput = element("key", HTMLInputElement);
const secretInput = element("secret", HTMLInputElement);
const pathInput = element("path", HTMLInputElement);
const signatureOutput = element("signature", HTMLOutputElement);
const exampleBox = element("example", HTMLPreElement);
const LANGUAGES = ["curl", "node", "python"] as const;
let language: Language = "curl";

const interfaces = (await (await fetch("./interfaces.json")).json()) as readonly Described[];
let current = interfaces.find(({ url }) => url === location.hash.slice(1)) ?? interfaces[0];

for (const { title, url } of interfaces) choice.add(new Option(title, url));

async function showSignature(): Promise<void> {
  exampleBox.textContent = exampleOf(language, location.origin, keyInput.value, pathInput.value);
  signatureOutput.value = secretInput.value ? await sign(secretInput.value, pathInput.value) : "give the secret";
}

function show(described: Described): void {
  current = described;
  choice.value = described.url;
  document.title = `${described.title} · Interfaces`;
  element("signing", HTMLElement).hidden = described.access !== "signed";
  element("token", HTMLElement).hidden = described.access !== "token";
  pathInput.value = described.example;
  void showSignature();
  SwaggerUIBundle({
    url: described.url,
    dom_id: "#operations",
    deepLinking: false,
    docExpansion: "list",
    validatorUrl: null,
    requestInterceptor: async (request) => {
      if (request.loadSpec || current?.access !== "signed" || !secretInput.value) return request;
      const { pathname, search } = new URL(request.url, location.origin);
      const body = request.method === "POST" ? (request.body ?? "") : "";
      const signature = await sign(secretInput.value, pathname + search, body);
      return { ...request, headers: { ...request.headers, Authorization: `${keyInput.value}:${signature}` } };
    },
  });
}

choice.addEventListener("change", () => {
  const chosen = interfaces.find(({ url }) => url === choice.value);
  if (!chosen) return;
  history.replaceState(null, "", `#${chosen.url}`);
  show(chosen);
});
element("credentials", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
for (const input of [keyInput, secretInput, pathInput]) input.addEventListener("input", () => void showSignature());
for (const one of LANGUAGES) {
  element(`tab-${one}`, HTMLButtonElement).addEventListener("click", () => {
    language = one;
    for (const other of LANGUAGES)
      element(`tab-${other}`, HTMLButtonElement).setAttribute("aria-selected", String(other === one));
    exampleBox.setAttribute("aria-labelledby", `tab-${one}`);
    void showSignature();
  });
}
if (current) show(current);
