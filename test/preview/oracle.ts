import { expect } from 'vitest'
import { createTokens } from '../../core/image/sign.js'
import type { Preview } from '../../core/preview/index.js'
import { secondsFromNow } from '../../core/preview/session.js'

// Requests with cookies and tokens of all kinds. Only those with a valid cookie get a draft, and they always do.

export const secret = 'the-secret-of-the-site-long-enough'
export const urlSecret = 'of the CMS'
export const pages = ['/', '/articles/boats', '/articles/boats?page=2', '/de/neu', '/not-published-yet']
export const publishedText = 'for everyone'
export const draftText = 'a draft, for editors only'

/** The rules for nginx of the guide. */
export const nginxRules = {
  http: 'map $http_cookie $is_preview { default 0; "~sitewright-preview" 1; }',
  location: 'proxy_cache_bypass $is_preview; proxy_no_cache $is_preview;',
}

export interface Site {
  /** Addresses of the site: its own, and those of the caches in front of it. */
  urls: readonly string[]
  preview: Preview
  /** Purges some or all pages. */
  purge(): Promise<unknown>
  /** Cookies without which a valid preview cookie has no effect: that of Next.js. */
  beside?: string
}

const hour = 3600
const names = ['sitewright-preview', 'sitewright-preview-frame']

/** Sends random requests, several at once. Returns how many got a draft. */
export async function visit(site: Site, count: number, pick: <Item>(items: readonly Item[]) => Item): Promise<number> {
  const tokens = (kind: string, of = secret) =>
    createTokens<{ until: number; source: string; page?: string }>(kind, [of])
  const valid = (by = hour) => tokens('preview cookie').create({ until: secondsFromNow() + by, source: 'cms' })
  const cut = (text: string) => text.slice(0, Math.floor((text.length * pick([1, 5, 9])) / 10))
  const invalid = [
    () => 'made-up',
    () => '',
    () => valid(-1),
    () => valid(-1000 * hour),
    () => cut(valid()),
    () => `${valid()}x`,
    () => `${valid()}.${valid()}`,
    () => valid().replace('.', ''),
    () => encodeURIComponent(JSON.stringify({ until: 9e9, source: 'cms' })),
    () => tokens('preview cookie', 'the-secret-of-another-site-as-long').create({ until: 9e9, source: 'cms' }),
    () => `${valid().split('.')[0]}.${valid(2 * hour).split('.')[1]}`,
    () => `"${valid()}"`,
  ]
  const ofLink = () => tokens('preview link').create({ until: 9e9, source: 'cms', page: '/' })
  const other = ['session=1', '_ga=GA1.1', 'theme=dark', 'xsitewright-preview=made-up', 'preview=true']

  const request = async () => {
    const kind = pick(['none', 'invalid', 'invalid', 'doubled', 'valid', 'valid', 'both', 'both'] as const)
    const isValid = kind === 'valid' || kind === 'both'
    const values = {
      none: [],
      invalid: [pick([...invalid, ofLink])()],
      doubled: [pick(invalid)(), pick(invalid)()],
      valid: [valid()],
      both: pick([true, false]) ? [pick(invalid)(), valid()] : [valid(), pick(invalid)()],
    }[kind]
    const cookies = values.map((value) => `${pick(names)}=${value}`)
    if (site.beside) cookies.push(site.beside)
    if (pick([true, false])) cookies.splice(pick([0, 1, 2]), 0, pick(other))
    const method = pick(['GET', 'GET', 'GET', 'HEAD'])
    const [url, page] = [pick(site.urls), pick(pages)]
    const response = await fetch(url + page, {
      method,
      headers: cookies.length > 0 ? { Cookie: cookies.join('; ') } : {},
    })
    const body = await response.text()
    const about = {
      page,
      method,
      cookies,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    }
    const cacheControl = response.headers.get('cache-control') ?? ''
    const expected = isValid
      ? { robots: 'noindex', status: 200 }
      : { robots: null, status: page === pages.at(-1) ? 404 : 200 }
    const isRight =
      response.status === expected.status &&
      response.headers.get('x-robots-tag') === expected.robots &&
      (isValid || !response.headers.get('cache-status')?.includes('bypass')) &&
      (!isValid || /^private.*no-store/.test(cacheControl)) &&
      !body.includes(isValid ? publishedText : draftText) &&
      (method === 'HEAD' || !response.ok || body.includes(isValid ? draftText : publishedText))
    if (!isRight) expect(about, isValid ? 'a draft' : 'published').toBeUndefined()
    return isValid
  }

  /** Opens a link or an address of the CMS, right or wrong. */
  const open = async () => {
    const isRight = pick([true, false])
    const wrong = [
      ...invalid,
      () => valid(),
      () => tokens('preview link').create({ until: secondsFromNow() - 1, source: 'link', page: '/' }),
      () => cut(site.preview.link('/').split('#')[1] as string),
    ]
    const token = isRight ? site.preview.link(pick(pages)).split('#')[1] : pick(wrong)()
    const address = `${pick(site.urls)}/api/preview`
    const response = pick([true, false])
      ? await fetch(`${address}/link`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ token: token ?? '' }),
        })
      : await fetch(
          `${address}?${new URLSearchParams({ secret: isRight ? urlSecret : pick(['', 'x', urlSecret.slice(1)]), path: '/' })}`,
          {
            redirect: 'manual',
          },
        )
    const about = { isRight, token, status: response.status, cookies: response.headers.getSetCookie() }
    const cookies = about.cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
    const isOpened = site.preview.isOn({ headers: new Headers({ Cookie: cookies }) }) !== undefined
    if (isOpened !== isRight) expect(about).toBeUndefined()
    return false
  }

  let drafts = 0
  const work = async () => {
    while (count-- > 0) {
      const roll = pick(Array.from({ length: 100 }, (_, index) => index))
      if (roll === 0) await site.purge()
      else drafts += Number(await (roll < 8 ? open() : request()))
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return drafts
}
