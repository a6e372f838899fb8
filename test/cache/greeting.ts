import { expect } from 'vitest'

/**
 * Visits a page that prints the cookie `user` but is marked as public. With the cookie, each visitor reads a page of
 * his own, which no cache may store; without the cookie, the shared page. The page is purged in between.
 *
 * @param send Sends a request for the page.
 * @param purge Default: a POST to the page.
 */
export async function greetVisitors(
  send: (init: RequestInit) => Promise<Response | undefined>,
  purge: () => Promise<unknown> = () => send({ method: 'POST' }),
): Promise<void> {
  const visit = async (cookie: string) => {
    const response = await send({ headers: cookie ? { cookie } : {} })
    const { headers } = response as Response
    return { body: await response?.text(), headers }
  }
  for (let round = 0; round < 2; round++) {
    for (const [cookie, name] of [
      ['user=Ann', 'Ann'],
      ['', 'stranger'],
      ['user=Bob; _ga=1', 'Bob'],
      ['_ga=2', 'stranger'],
      ['user=Ann', 'Ann'],
      ['', 'stranger'],
    ] as const) {
      const { body, headers } = await visit(cookie)
      expect(body).toBe(`Hello, ${name}`)
      const cacheControl = headers.get('cache-control') ?? ''
      if (name === 'stranger') expect(cacheControl).toBe('public, s-maxage=3600')
      else expect([cacheControl, headers.get('cdn-cache-control')]).toEqual(['private', null])
    }
    expect((await visit('_fbp=3')).headers.get('cache-status')).toContain('hit')
    await purge()
  }
}
