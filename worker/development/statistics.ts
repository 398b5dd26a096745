// All towns of the Balearic Islands, and the demo's towns of other provinces. Enough to test against.
const BALEARIC =
  "07001 Alaró|07002 Alaior|07003 Alcúdia|07004 Algaida|07005 Andratx|07006 Artà|07007 Banyalbufar|07008 Binissalem|07009 Búger|07010 Bunyola|07011 Calvià|07012 Campanet|07013 Campos|07014 Capdepera|07015 Ciutadella de Menorca|07016 Consell|07017 Costitx|07018 Deyá|07019 Escorca|07020 Esporles|07021 Estellencs|07022 Felanitx|07023 Ferreries|07024 Formentera|07025 Fornalutx|07026 Eivissa|07027 Inca|07028 Lloret de Vistalegre|07029 Lloseta|07030 Llubí|07031 Llucmajor|07032 Maó|07033 Manacor|07034 Mancor de la Vall|07035 Maria de la Salut|07036 Marratxí|07037 Mercadal, Es|07038 Montuïri|07039 Muro|07040 Palma|07041 Petra|07042 Pollença|07043 Porreres|07044 Pobla, Sa|07045 Puigpunyent|07046 Sant Antoni de Portmany|07047 Sencelles|07048 Sant Josep de sa Talaia|07049 Sant Joan|07050 Sant Joan de Labritja|07051 Sant Llorenç des Cardassar|07052 Sant Lluís|07053 Santa Eugènia|07054 Santa Eulària des Riu|07055 Santa Margalida|07056 Santa María del Camí|07057 Santanyí|07058 Selva|07059 Salines, Ses|07060 Sineu|07061 Sóller|07062 Son Servera|07063 Valldemossa|07064 Castell, Es|07065 Vilafranca de Bonany|07901 Ariany|07902 Migjorn Gran, Es";
const OTHERS =
  "08019 Barcelona|17079 Girona|28079 Madrid|35016 Palmas de Gran Canaria, Las|41091 Sevilla|46250 València|48020 Bilbao|20069 Donostia/San Sebastián";
const PAGE = 40;

/** Simulates the statistical office's list of municipalities, in pages. */
export function simulateMunicipalityListResponse(request: Request): Response {
  const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
  const all = `${BALEARIC}|${OTHERS}`.split("|").map((line) => ({ Codigo: line.slice(0, 5), Nombre: line.slice(6) }));
  return Response.json(all.slice((page - 1) * PAGE, page * PAGE));
}
