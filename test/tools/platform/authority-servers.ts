import { join } from "node:path";
import { Response as Answered, type Request as Asked } from "miniflare";
import { answerSes } from "#worker/development/ses/stand-in.ts";
import { answerMunicipalities } from "#worker/development/statistics.ts";
import { answerSubmission } from "#worker/development/tax-agency/stand-in.ts";
import { folderBucket } from "./folder-bucket.ts";

/** Asks somebody's server. */
export type Server = (request: Asked) => Promise<Answered>;

/** What the authorities of a platform keep, beside its state: a kill of the platform is none of theirs. */
export const authoritiesBucket = (stateDir: string) => folderBucket(join(stateDir, "authorities"));

const UNREACHED = 5;
const LOST = 3;
const UNREADABLE = 4;

/**
 * The tax agency's server, as a killed platform meets it: the stand-in of development with its judgement, of which each
 * fifth request reaches nobody, and each third answer is lost on its way back.
 */
export function taxAgencyServer(stateDir: string): Server {
  const files = authoritiesBucket(stateDir);
  return oneByOne(flaky((request) => answerSubmission(files, request, Date.now())));
}

/** The ministry's server, the same; each fourth lot that it is told it finds unreadable, and keeps nothing of it. */
export function sesServer(stateDir: string): Server {
  const files = authoritiesBucket(stateDir);
  let lots = 0;
  const answer = async (request: Request) => {
    const body = await request.text();
    if (body.includes("tipoOperacion>A<")) lots += 1;
    const isSpoiled = body.includes("tipoOperacion>A<") && lots % UNREADABLE === 0;
    const { url, method, headers } = request;
    return answerSes(files, new Request(url, { method, headers, body: isSpoiled ? "<" : body }));
  };
  return oneByOne(flaky(answer));
}

/** The statistical office's, which always answers. */
export const statisticsServer: Server = oneByOne(async (request) => answerMunicipalities(request));

function flaky(answer: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  let requestCount = 0;
  return async (request) => {
    requestCount += 1;
    if (requestCount % UNREACHED === 0) return new Response("Bad gateway", { status: 502 });
    const isLost = requestCount % LOST === 0;
    const answered = await answer(request);
    return isLost ? new Response("Gateway timeout", { status: 504 }) : answered;
  };
}

// What it keeps is read and written whole: the next one begins when the one before has ended.
function oneByOne(answer: (request: Request) => Promise<Response>): Server {
  let before: Promise<unknown> = Promise.resolve();
  return (requestCount) => {
    const mine = before.then(async () => {
      const body = requestCount.method === "GET" ? null : await requestCount.text();
      const answered = await answer(
        new Request(requestCount.url, { method: requestCount.method, headers: [...requestCount.headers], body }),
      );
      const headers = { "Content-Type": answered.headers.get("Content-Type") ?? "text/plain" };
      return new Answered(await answered.text(), { status: answered.status, headers });
    });
    before = mine.catch(() => undefined);
    return mine;
  };
}
