import { createResponseCache, memoryStore } from 'sitewright/cache'

export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  bypass: (request) =>
    /(?:^|; )(?:preview|session)=/.test(request.headers.get('cookie') ?? ''),
})
