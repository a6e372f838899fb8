import { expect } from 'vitest'

/**
 * Visits a page that prints the cookie `user` and says that it is for all: with the cookie each reads a page of their own, which no cache
 * may keep, and without it the one of all. A POST purges it meanwhile.
 *
 * @param url Of the page.
 */
export async function greetVisitors(url: string): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const [cookie, name] of [
      ['user=Ann', 'Ann'],
      ['', 'stranger'],
      ['user=Bob; _ga=1', 'Bob'],
      ['_ga=2', 'stranger'],
      ['user=Ann', 'Ann'],
      ['', 'stranger'],
    ] as const) {
      const response = await fetch(url, { headers: cookie ? { cookie } : {} })
      expect(await response.text()).toBe(`Hello, ${name}`)
      const cacheControl = response.headers.get('cache-control') ?? ''
      if (name === 'stranger') expect(cacheControl).toBe('public, s-maxage=3600')
      else expect([cacheControl, response.headers.get('cdn-cache-control')]).toEqual(['private', null])
    }
    expect((await fetch(url, { headers: { cookie: '_fbp=3' } })).headers.get('cache-status')).toContain('hit')
    await fetch(`${url}?purge=1`, { method: 'POST' })
  }
}
