import type { AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Official list of the statistical office, read in pages. A request for the full list sometimes returns nothing. */
const ADDRESS = "https://servicios.ine.es/wstempus/js/ES/VALORES_VARIABLE/19";
const MAX_PAGES = 40;

/**
 * Fetches the Spanish municipalities by province, with keys such as `municipalities:07`. Throws if the statistical
 * office doesn't answer.
 */
export async function fetchMunicipalities(tenant: Tenant): Promise<Readonly<Record<string, AuthorityCodeEntries>>> {
  const statisticsClient = tenant.reach("statistics");
  if (!statisticsClient) return {};
  const byCode = new Map<string, string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await statisticsClient(
      new Request(`${ADDRESS}?page=${page}`, { headers: { Accept: "application/json" } }),
    );
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const text = await answer.text();
    const municipalities = toMunicipalities(text.trim() === "" ? [] : JSON.parse(text));
    const before = byCode.size;
    for (const [code, name] of municipalities) byCode.set(code, name);
    if (byCode.size === before) break;
  }
  const provinces = Map.groupBy(byCode, ([code]) => `municipalities:${code.slice(0, 2)}`);
  return Object.fromEntries(provinces);
}

// Other entries, such as islands and former municipalities, have codes of a different length.
function toMunicipalities(answer: unknown): AuthorityCodeEntries {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((item: unknown) => {
    const { Codigo: code, Nombre: name } = Object(item) as Record<string, unknown>;
    return typeof code === "string" && /^\d{5}$/.test(code) && typeof name === "string" ? [[code, name] as const] : [];
  });
}
