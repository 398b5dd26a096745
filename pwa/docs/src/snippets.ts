import type { CallRequest } from "./call.ts";
import { buildChainedSnippet } from "./chained-snippet.ts";
import type { Language } from "./languages.ts";

/**
 * Creates a call to copy and run. It reads credentials from the environment (`RENTAL_KEY`, `RENTAL_SECRET`,
 * `RENTAL_TOKEN`) and never contains a secret.
 */
export function createSnippet(language: Language, origin: string, callRequest: CallRequest): string {
  const write = WRITERS[language];
  const firsts = callRequest.first.map((item) => ({ ...item, text: write(origin, item.request) }));
  return buildChainedSnippet(language, firsts, write(origin, callRequest));
}

const WRITERS: Readonly<Record<Language, (origin: string, callRequest: CallRequest) => string>> = {
  curl,
  node,
  python,
  php,
};

type Part = string | undefined;
const when = (is: boolean, part: string): Part => (is ? part : undefined);
const presentParts = (parts: readonly Part[]) => parts.filter((part) => part !== undefined);
const lines = (...parts: readonly Part[]) => presentParts(parts).join("\n");
const indented = (parts: readonly string[], spaces: number) =>
  parts.map((part) => " ".repeat(spaces) + part).join("\n");

/** Collects the data of a call that every language needs. */
function toSnippetFacts({ body, credential, file, needsKey, method, headers }: CallRequest) {
  return {
    isSigned: credential === "signature",
    hasToken: credential === "token",
    hasText: body !== undefined,
    text: body ?? "",
    isFile: file !== undefined,
    file: file ?? "",
    needsKey,
    isGet: method === "GET",
    isJson: headers.some(([name, value]) => name === "Content-Type" && value === "application/json"),
  };
}

function curl(origin: string, callRequest: CallRequest): string {
  const { isSigned, hasToken, hasText, text, isFile, file, ...is } = toSnippetFacts(callRequest);
  const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = presentParts([
    when(isSigned, '-H "Authorization: $RENTAL_KEY:$signature"'),
    when(hasToken, '-H "Authorization: $RENTAL_TOKEN"'),
    when(is.needsKey, `-H "Idempotency-Key: \\"$(openssl rand -hex 16)\\""`),
    ...callRequest.headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    when(hasText, '--data-binary "$body"'),
    when(isFile, `-o ${file}`),
  ]);
  const signed = hasText ? "$path$body" : "$path";
  const method = is.isGet ? "" : `-X ${callRequest.method} `;
  return lines(
    `path=${shell(callRequest.path)}`,
    when(hasText, `body=${shell(text)}`),
    when(isSigned, `signature=$(printf '%s' "${signed}" | openssl dgst -sha1 -hmac "$RENTAL_SECRET" | sed 's/.* //')`),
    [`curl ${method}"${origin}$path"`, ...parts].join(" \\\n  "),
  );
}

function node(origin: string, callRequest: CallRequest): string {
  const { isSigned, hasToken, hasText, text, isFile, file, ...is } = toSnippetFacts(callRequest);
  const headers = presentParts([
    when(isSigned, 'Authorization: process.env.RENTAL_KEY + ":" + signature,'),
    when(hasToken, "Authorization: process.env.RENTAL_TOKEN,"),
    when(is.needsKey, '"Idempotency-Key": JSON.stringify(crypto.randomUUID()),'),
    ...callRequest.headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]);
  const body = is.isJson ? `JSON.stringify(${text})` : JSON.stringify(text);
  const signed = hasText ? "path + body" : "path";
  return lines(
    when(isSigned, 'import { createHmac } from "node:crypto";'),
    when(isFile, 'import { writeFile } from "node:fs/promises";'),
    when(isSigned || isFile, ""),
    `const path = ${JSON.stringify(callRequest.path)};`,
    when(hasText, `const body = ${body};`),
    when(isSigned, `const signature = createHmac("sha1", process.env.RENTAL_SECRET).update(${signed}).digest("hex");`),
    `const response = await fetch("${origin}" + path, {`,
    when(!is.isGet, `  method: "${callRequest.method}",`),
    when(headers.length > 0, `  headers: {\n${indented(headers, 4)}\n  },`),
    when(hasText, "  body,"),
    '  redirect: "manual",',
    "});",
    when(!isFile, "console.log(response.status, await response.text());"),
    when(isFile, `await writeFile("${file}", Buffer.from(await response.arrayBuffer()));`),
    when(isFile, "console.log(response.status);"),
  );
}

function python(origin: string, callRequest: CallRequest): string {
  const { isSigned, hasToken, hasText, text, isFile, file, ...is } = toSnippetFacts(callRequest);
  const modules = presentParts([
    when(isSigned, "hashlib, hmac"),
    when(isSigned || hasToken, "os"),
    when(is.needsKey, "uuid"),
  ]);
  const headers = presentParts([
    when(isSigned, '"Authorization": os.environ["RENTAL_KEY"] + ":" + signature,'),
    when(hasToken, '"Authorization": os.environ["RENTAL_TOKEN"],'),
    when(is.needsKey, '"Idempotency-Key": f\'"{uuid.uuid4()}"\','),
    ...callRequest.headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]);
  const signed = hasText ? "(path + body).encode()" : "path.encode()";
  return lines(
    when(modules.length > 0, `import ${modules.join(", ")}`),
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    `path = ${JSON.stringify(callRequest.path)}`,
    when(hasText, `body = r'''${text}'''`),
    when(isSigned, `signature = hmac.new(os.environ["RENTAL_SECRET"].encode(), ${signed}, hashlib.sha1).hexdigest()`),
    `request = Request("${origin}" + path${hasText ? ", body.encode()" : ""}, method="${callRequest.method}", headers={`,
    when(headers.length > 0, indented(headers, 4)),
    "})",
    "try:\n    response = urlopen(request)\nexcept HTTPError as error:\n    response = error",
    when(!isFile, "print(response.status, response.read().decode())"),
    when(isFile, `open("${file}", "wb").write(response.read())\nprint(response.status)`),
  );
}

function php(origin: string, callRequest: CallRequest): string {
  const { isSigned, hasToken, hasText, text, isFile, file, ...is } = toSnippetFacts(callRequest);
  const quoted = (value: string) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const headers = presentParts([
    when(isSigned, "'Authorization: ' . getenv('RENTAL_KEY') . ':' . $signature,"),
    when(hasToken, "'Authorization: ' . getenv('RENTAL_TOKEN'),"),
    when(is.needsKey, "'Idempotency-Key: \"' . bin2hex(random_bytes(16)) . '\"',"),
    ...callRequest.headers.map(([name, value]) => `${quoted(`${name}: ${value}`)},`),
  ]);
  const signed = hasText ? "$path . $body" : "$path";
  return lines(
    "<?php",
    `$path = ${quoted(callRequest.path)};`,
    when(hasText, `$body = ${quoted(text)};`),
    when(isSigned, `$signature = hash_hmac('sha1', ${signed}, getenv('RENTAL_SECRET'));`),
    `$curl = curl_init('${origin}' . $path);`,
    "curl_setopt_array($curl, [",
    when(!is.isGet, `    CURLOPT_CUSTOMREQUEST => '${callRequest.method}',`),
    when(headers.length > 0, `    CURLOPT_HTTPHEADER => [\n${indented(headers, 8)}\n    ],`),
    when(hasText, "    CURLOPT_POSTFIELDS => $body,"),
    "    CURLOPT_RETURNTRANSFER => true,",
    "]);",
    "$answer = curl_exec($curl);",
    when(isFile, `file_put_contents('${file}', $answer);`),
    when(isFile, "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), PHP_EOL;"),
    when(!isFile, "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;"),
  );
}
