// The service worker: keeps one page for when the server cannot be reached; everything else always comes from the
// server.
// @ts-nocheck

const KEPT = 'cutcard-offline-3';
const FILES = [
  'offline.html',
  'page/shared/base.css',
  'page/icon.svg',
  'page/offline.js',
  'page/shared/words.js',
  'page/words/en.json',
];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((n) => n !== KEPT).map((n) => caches.delete(n))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const kept = FILES.some((file) => request.url === new URL(file, self.registration.scope).href);
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(() => caches.match(new URL('offline.html', self.registration.scope).href)));
  else if (kept) event.respondWith(fetch(request).catch(() => caches.match(request)));
  // Cache the messages of the reader's language, so that the offline page is in that language too.
  else if (/\/page\/words\/[\w-]+\.json$/.test(request.url))
    event.respondWith(
      fetch(request).then(
        (answer) => {
          const copy = answer.clone();
          event.waitUntil(caches.open(KEPT).then((place) => place.put(request, copy)));
          return answer;
        },
        () => caches.match(request),
      ),
    );
});
