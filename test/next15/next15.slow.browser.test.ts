import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testNextSite } from '../next-site/suite.js'

const { readUrl } = testNextSite({
  folder: join(import.meta.dirname, 'built'),
  cacheComponents: false,
  // Pages in two languages, whose middleware.ts is createLanguageProxy.
  added: join(import.meta.dirname, 'languages'),
})

describe('in two languages', () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9' }
  const visit = (path: string, headers: Record<string, string>) =>
    fetch(readUrl() + path, { headers, redirect: 'manual' })

  it.each<[string, Record<string, string>, string, string]>([
    ['/', {}, 'en', 'home'],
    ['/', { ...german, cookie: 'sitewright-language=en' }, 'en', 'home'],
    ['/de', {}, 'de', 'home'],
    ['/about', german, 'en', 'about'],
    ['/de/ueber-uns', {}, 'de', 'about'],
    ['/articles/house-cat', {}, 'en', 'articles/house-cat'],
    ['/de/beitraege/gr%C3%B6%C3%9Fe', {}, 'de', 'articles/größe'],
  ])('%s %o is a page in %s: %s', async (path, headers, language, heading) => {
    const response = await visit(path, headers)
    const html = await response.text()
    expect([response.status, html.match(/<html[^>]*>/)?.[0]]).toEqual([200, `<html lang="${language}" dir="ltr">`])
    expect(html).toContain(`<h1>${heading}</h1>`)
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['/', german, 307, '/de'],
    ['/?set-language=de', {}, 307, '/de'],
    ['/de/about?a=1', {}, 308, '/de/ueber-uns?a=1'],
    ['/en/about', german, 308, '/about'],
    ['/de/articles/house-cat', {}, 307, '/de/beitraege/gr%C3%B6%C3%9Fe'],
  ])('%s %o answers %i to %s', async (path, headers, status, target) => {
    const response = await visit(path, headers)
    const location = new URL(response.headers.get('location') ?? '', readUrl())
    expect([response.status, location.href]).toEqual([status, readUrl() + target])
    if (path === '/') expect(response.headers.get('vary')).toContain('Accept-Language, Cookie')
    const choice = path.includes('set-language') ? [expect.stringMatching(/^sitewright-language=de; Path=\/;/)] : []
    expect(response.headers.getSetCookie()).toEqual(choice)
  })

  it('a page has its alternates, and an unknown path is not found', async () => {
    const html = await (await visit('/de/ueber-uns', {})).text()
    const links = [...html.matchAll(/<link rel="(?:canonical|alternate)"[^>]*>/g)].map(([link]) => link)
    expect(links).toEqual([
      '<link rel="canonical" href="https://www.example.com/de/ueber-uns"/>',
      '<link rel="alternate" hrefLang="en" href="https://www.example.com/about"/>',
      '<link rel="alternate" hrefLang="de" href="https://www.example.com/de/ueber-uns"/>',
      '<link rel="alternate" hrefLang="x-default" href="https://www.example.com/about"/>',
    ])
    for (const path of ['/nowhere', '/de/nowhere', '/fr/about']) expect((await visit(path, {})).status).toBe(404)
  })
})
