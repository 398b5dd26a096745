import { type Request, Response } from "miniflare";
import { type Server, sesServer, statisticsServer } from "./authority-servers.ts";
import { redsysServer } from "./redsys-server.ts";

/** Serves everything that the platform fetches, by host. */
export function createPartnerServers(stateDir: string): Server {
  const servers: Readonly<Record<string, Server>> = {
    "sis-t.redsys.es": redsysServer(stateDir),
    "hospedajes.pre-ses.mir.es": sesServer(stateDir),
    "hospedajes.ses.mir.es": sesServer(stateDir),
    "servicios.ine.es": statisticsServer,
  };
  return async (request: Request) => {
    const server = servers[new URL(request.url).hostname];
    return server ? server(request) : new Response(null, { status: 404 });
  };
}
