import { type Request, Response } from "miniflare";
import { answerAsStatisticsOffice, createSesServer, type PartnerServer } from "./authority-servers.ts";
import { createRedsysServer } from "./redsys-server.ts";

/** Serves everything that the platform fetches, by host. */
export function createPartnerServers(stateDir: string): PartnerServer {
  const servers: Readonly<Record<string, PartnerServer>> = {
    "sis-t.redsys.es": createRedsysServer(stateDir),
    "hospedajes.pre-ses.mir.es": createSesServer(stateDir),
    "hospedajes.ses.mir.es": createSesServer(stateDir),
    "servicios.ine.es": answerAsStatisticsOffice,
  };
  return async (request: Request) => {
    const server = servers[new URL(request.url).hostname];
    return server ? server(request) : new Response(null, { status: 404 });
  };
}
