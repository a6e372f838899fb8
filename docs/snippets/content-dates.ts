import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'

const content = createContentTags({ sources: [] })
const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  content,
})

interface Event {
  title: string
  endsAt: string // '2027-03-01T21:00:00Z'
}

/** The upcoming events. An event leaves the list when it ends, without a purge. */
export const events = cache.wrap(async () => {
  const answer = await content.fetch(`${process.env.CMS_URL}/events`)
  const all: Event[] = await answer.json()
  const upcoming = all.filter(({ endsAt }) => Date.parse(endsAt) > Date.now())
  for (const { endsAt } of upcoming) content.until(endsAt)
  const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=86400' }
  return Response.json(
    upcoming.map(({ title }) => title),
    { headers },
  )
})
