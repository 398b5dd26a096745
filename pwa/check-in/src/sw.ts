/// <reference lib="webworker" />
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  getCacheKeyForURL,
  precacheAndRoute,
} from "workbox-precaching";

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: { readonly url: string; readonly revision: string | null }[];
};

// The app's own files only: data is the page's business, which knows what has arrived and what has not.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

const page = createHandlerBoundToURL("index.html");

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode !== "navigate" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(page({ request, event, url: new URL(request.url) }));
});

/** What few phones need is kept when it is first used: the reader of codes, of a megabyte. */
const WHEN_USED = "when-used";

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOwn = origin === self.location.origin && pathname.startsWith("/checkin/assets/");
  if (isOwn && event.request.method === "GET" && !getCacheKeyForURL(event.request.url)) {
    event.respondWith(getCachedOrFetch(event.request, pathname));
  }
});

async function getCachedOrFetch(request: Request, pathname: string): Promise<Response> {
  const cache = await caches.open(WHEN_USED);
  const cachedResponse = await cache.match(request);
  if (cachedResponse) return cachedResponse;
  const answer = await fetch(request);
  const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") ?? true;
  if (!answer.ok || isPage) return answer;
  for (const old of await cache.keys()) {
    if (withoutHash(new URL(old.url).pathname) === withoutHash(pathname)) await cache.delete(old);
  }
  await cache.put(request, answer.clone());
  return answer;
}

/** The name of a file whatever its content. */
const withoutHash = (pathname: string) => pathname.replace(/-[\w-]{8}(?=\.\w+$)/, "");

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
