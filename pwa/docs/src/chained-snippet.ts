import type { PrerequisiteRequest } from "./call.ts";
import type { Language } from "./languages.ts";

type First = Pick<PrerequisiteRequest, "about" | "takes"> & { readonly text: string };

interface Writing {
  readonly comment: string;
  /** Matches lines, such as imports, that a combined snippet contains only once, at the top. */
  readonly head: RegExp;
  /** Line that prints the response, and its replacement if values are taken from it. */
  readonly printPattern: RegExp;
  readonly keeps: string;
  /** Assigns a member of the response to a variable. */
  readonly take: (name: string, members: readonly string[]) => string;
  /** Replacements for a placeholder within a text, and for a number. */
  readonly within: (name: string, line: string) => string;
  readonly number: (name: string) => string;
  /** Wraps a prerequisite call. `names` are the new variables it assigns. */
  readonly wrap?: (text: string, names: readonly string[]) => string;
}

const RAW = (name: string) => `''' + str(${name}) + r'''`;
const member = (quote: string) => (name: string) => (/^\d+$/.test(name) ? `[${name}]` : `[${quote}${name}${quote}]`);
const dotted = (name: string) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`);

const WRITINGS: Readonly<Record<Language, Writing>> = {
  curl: {
    comment: "#",
    head: /^(?!)/,
    printPattern: /^curl ([\s\S]*)$/m,
    keeps: "answer=$(curl -s $1)",
    take: (name, members) => `${name}=$(printf '%s' "$answer" | jq -r '${members.map(dotted).join("")}')`,
    within: (name) => `'"$${name}"'`,
    number: (name) => `'"$${name}"'`,
  },
  node: {
    comment: "//",
    head: /^import /,
    printPattern: /^console\.log.*$/m,
    keeps: "const answer = await response.json();",
    take: (name, members) => `${name} = answer${members.map(dotted).join("")};`,
    within: (name) => `" + ${name} + "`,
    number: (name) => name,
    wrap: (text, names) =>
      `${names.length > 0 ? `let ${names.join(", ")};\n` : ""}{\n${text.replace(/^(?=.)/gm, "  ")}\n}`,
  },
  python: {
    comment: "#",
    head: /^(import|from) /,
    printPattern: /^print\(.*$/m,
    keeps: "answer = json.loads(response.read())",
    take: (name, members) => `${name} = answer${members.map(member('"')).join("")}`,
    // In the Python snippet, a path is a regular string literal and a body a raw one.
    within: (name, line) => (line.startsWith("path = ") ? `" + str(${name}) + "` : RAW(name)),
    number: RAW,
    wrap: (text) => `import json\n${text}`,
  },
  php: {
    comment: "//",
    head: /^<\?php$/,
    printPattern: /^echo .*$/m,
    keeps: "$answer = json_decode($answer, true);",
    take: (name, members) => `$${name} = $answer${members.map(member("'")).join("")};`,
    within: (name) => `' . $${name} . '`,
    number: (name) => `' . $${name} . '`,
  },
};

/**
 * Combines a snippet with its prerequisite snippets. Their values replace `__name__` within texts and `"@@name@@"` for
 * numbers.
 */
export function buildChainedSnippet(language: Language, firsts: readonly First[], last: string): string {
  if (firsts.length === 0) return last;
  const { comment, head } = WRITINGS[language];
  const known = new Set<string>();
  const texts = firsts.map(({ about, takes, text }) => {
    const names = Object.keys(takes).filter((name) => !known.has(name));
    for (const name of names) known.add(name);
    return [about, firstText(WRITINGS[language], { takes, text }, names)] as const;
  });
  const blocks = [...texts, ["The call itself", last] as const].map(([about, text], index) => {
    const lines = text.split("\n").map((line) => replacePlaceholders(WRITINGS[language], line));
    const rest = lines.filter((line) => !head.test(line.trim())).join("\n");
    const importLines = lines.map((line) => line.trim()).filter((line) => head.test(line));
    return { once: importLines, text: `${comment} ${index + 1}. ${about}\n${rest.trim()}` };
  });
  const importLines = hoistImports(blocks.flatMap((block) => block.once));
  return [...(importLines ? [importLines] : []), ...blocks.map(({ text }) => text)].join("\n\n");
}

function firstText(
  { printPattern, keeps, take, wrap }: Writing,
  { takes, text }: Omit<First, "about">,
  names: string[],
) {
  const assignments = Object.entries(takes).map(([name, path]) => take(name, path.split(".")));
  const firstSnippet = [text.replace(printPattern, keeps), ...assignments].join("\n");
  return wrap ? wrap(firstSnippet, names) : firstSnippet;
}

function replacePlaceholders({ within, number }: Writing, line: string): string {
  return line
    .replace(/"@@(\w+?)@@"/g, (_, name: string) => number(name))
    .replace(/__([a-z]\w*?)__/g, (_, name: string) => within(name, line))
    .replace(/"" \+ (\w+) \+ ""/g, "$1")
    .replace(/ \+ ""/g, "");
}

// Merges Python imports such as `import a, b` and `import a` into one line.
function hoistImports(lines: readonly string[]): string {
  const modules = lines.flatMap((line) => /^import ([\w, ]+)$/.exec(line)?.[1]?.split(", ") ?? []);
  const others = lines.filter((line) => !/^import [\w, ]+$/.test(line));
  const imported = modules.length > 0 ? [`import ${[...new Set(modules)].sort().join(", ")}`] : [];
  return [...imported, ...new Set(others)].join("\n");
}
