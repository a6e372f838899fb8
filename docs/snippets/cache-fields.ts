import { createResponseCache, memoryStore } from 'sitewright/cache'

export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  // A page for each language of the site: the handler gets 'de' or 'en'.
  fields: {
    'Accept-Language': (sent) => (sent?.startsWith('de') ? 'de' : 'en'),
  },
  // A page for each value of these.
  cookies: ['theme', 'ab'],
})
