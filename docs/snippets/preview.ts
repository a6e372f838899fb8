import { createResponseCache, memoryStore, withCookies } from 'sitewright/cache'

export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  bypass: withCookies('session', 'preview'),
})
