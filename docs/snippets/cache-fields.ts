import { createResponseCache, memoryStore } from 'sitewright/cache'

export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  // A page for each language of the site. The handler gets 'de' or 'en', and nothing longer.
  fields: {
    'Accept-Language': (sent) => (sent?.startsWith('de') ? 'de' : 'en'),
  },
  // A page for each value of these.
  cookies: ['theme', 'ab'],
})
