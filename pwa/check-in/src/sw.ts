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

// The service worker only caches the app's own files. The page stores data, because it knows what has been uploaded.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

const page = createHandlerBoundToURL("index.html");

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode !== "navigate" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(page({ request, event, url: new URL(request.url) }));
});

/** Rarely needed files are cached on first use, such as the code reader (1 MB). */
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

/** Returns a file name without its content hash. */
const withoutHash = (pathname: string) => pathname.replace(/-[\w-]{8}(?=\.\w+$)/, "");

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
