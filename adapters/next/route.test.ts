import { expect, it } from 'vitest'
import { nextRoute } from './routes.js'

const { GET } = nextRoute(async ({ signal }) => {
  signal.throwIfAborted()
  throw new Error('thrown on purpose')
})

it('a route throws the error of its handler, unless the client has disconnected', async () => {
  await expect(GET(new Request('http://site.test/'))).rejects.toThrow('thrown on purpose')
  const { status } = await GET(new Request('http://site.test/', { signal: AbortSignal.abort() }))
  expect(status).toBe(499)
})
