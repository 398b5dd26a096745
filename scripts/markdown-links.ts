import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns links of Markdown pages to files or headings that don't exist. Links to websites aren't followed. */
export function findBrokenLinks(root: string, pages: readonly string[]): readonly string[] {
  return pages.flatMap((page) => {
    const links = listLinks(readFileSync(join(root, page), "utf8"));
    return links.filter((link) => !hasTarget(root, page, link)).map((link) => `${page}: ${link}`);
  });
}

/** Returns the ids of a page's headings as on GitHub. */
export function listHeadingIds(markdown: string): readonly string[] {
  const idCounts = new Map<string, number>();
  const headings = markdown.replace(/^```.*?^```/gms, "").match(/^#+ .+$/gm) ?? [];
  return headings.map((heading) => {
    const plain = heading
      .replace(/^#+ /, "")
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase();
    const id = plain.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
    const repetitions = idCounts.get(id) ?? 0;
    idCounts.set(id, repetitions + 1);
    return repetitions === 0 ? id : `${id}-${repetitions}`;
  });
}

function listLinks(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g), ...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return links.map(([, link = ""]) => link).filter((link) => !/^[a-z][a-z\d+.-]*:|^\/\//i.test(link));
}

function hasTarget(root: string, page: string, link: string): boolean {
  const [path = "", heading] = decodeURIComponent(link).split("#");
  const file = path === "" ? join(root, page) : join(root, path.startsWith("/") ? "" : dirname(page), path);
  if (!existsSync(file)) return false;
  if (!heading || !file.endsWith(".md")) return true;
  return listHeadingIds(readFileSync(file, "utf8")).includes(heading);
}
