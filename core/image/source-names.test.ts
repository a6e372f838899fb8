import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createImageLoader } from './loader.js'
import { createPlanner as createImagePlanner, type ImageRejection } from './plan.js'
import { sourceTag } from './source-names.js'
import type { Sources } from './sources.js'
import { encodeSource } from './url.js'

const site = (sources: Sources) => {
  const load = createImageLoader({ sources })
  const plan = createImagePlanner({ sources })
  return {
    /** The name that the loader writes; `undefined` when it leaves the source as it is. */
    written(src: string) {
      const [, encoded] = /^\/_image\/([^?]+)\?width=640$/.exec(load({ src, width: 640 })) ?? []
      return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString()
    },
    /** The error that the proxy answers a source with; `undefined` when it asks the service. */
    error(source: string, query = '?width=640') {
      const planned = plan({ method: 'GET', url: `http://site.test/_image/${encodeSource(source)}${query}` })
      return (planned as Partial<ImageRejection> | undefined)?.error
    },
  }
}

const prefixes = [
  '/media/',
  'https://cdn.example.com/photos/',
  '/versioned/?',
  'https://api.example.com/?',
  's3://bucket/',
]
const { written, error } = site(prefixes)
const invalid = { status: 400, error: 'Invalid source' }
const notAllowed = { status: 403, error: 'Source not allowed' }

describe('one source has one name', () => {
  it.each([
    // Spellings from a known attack.
    ['/media//1.jpg', '/media/1.jpg'],
    ['/media/1.jpg/', '/media/1.jpg'],
    ['/media/%31.jpg', '/media/1.jpg'],
    ['//media/1.jpg', undefined], // another host
    ['/media/./1.jpg', '/media/1.jpg'],
    ['/media/%2e/1.jpg', '/media/1.jpg'],
    ['/media/a/../1.jpg', '/media/1.jpg'],
    ['/media/a/%2E%2e/1.jpg', '/media/1.jpg'],
    ['/media\\1.jpg', '/media/1.jpg'],
    [' /media/1.jpg ', '/media/1.jpg'],
    ['/media/1.jpg?', '/media/1.jpg'],
    ['/media/größe 2.jpg', '/media/gr%C3%B6%C3%9Fe%202.jpg'],
    ['/media/gr%c3%b6%c3%9fe%202.jpg', '/media/gr%C3%B6%C3%9Fe%202.jpg'],
    // Spellings that a file system reads as one name.
    ['/media/a%28%2B%29%40%2c.jpg', '/media/a(+)@,.jpg'],
    ['/media/%31%30%30%25.jpg', '/media/100%25.jpg'],
    ['/media/[a]|^.jpg', '/media/%5Ba%5D%7C%5E.jpg'],
    ['/media/%5ba%5D%7c^.jpg', '/media/%5Ba%5D%7C%5E.jpg'],
    ['HTTPS://CDN.example.com:443/photos/./1.jpg', 'https://cdn.example.com/photos/1.jpg'],
    ['https:\\\\cdn.example.com\\photos\\1.jpg', 'https://cdn.example.com/photos/1.jpg'],
    ['https://cdn.example.com/photos/größe 2.jpg', 'https://cdn.example.com/photos/gr%C3%B6%C3%9Fe%202.jpg'],
    ['https://cdn.example.com/photos/[a]|^.jpg', 'https://cdn.example.com/photos/%5Ba%5D%7C%5E.jpg'],
    ['https://api.example.com', 'https://api.example.com/'],
    ['/versioned/1.jpg?%76=2&x=ä', '/versioned/1.jpg?v=2&x=%C3%A4'],
    ['https://api.example.com/x?y=%2f/&z=ä', 'https://api.example.com/x?y=%2f/&z=%C3%A4'],
    ['s3://bucket//größe.jpg', 's3://bucket/gr%C3%B6%C3%9Fe.jpg'],
  ])('%s', (spelling, name) => {
    expect(written(spelling)).toBe(name)
    expect(error(spelling)?.status).toBe(name === undefined ? 403 : 400)
    if (name === undefined) return
    expect(error(spelling)).toEqual(invalid)
    expect([written(name), error(name)]).toEqual([name, undefined])
  })

  it.each([
    'https://cdn.example.com/photos/a+b.jpg',
    'https://cdn.example.com/photos/a%2Bb.jpg',
    'https://cdn.example.com/photos//a.jpg',
    'https://cdn.example.com/photos/a/',
    'https://cdn.example.com/photos/gr%c3%b6%C3%9Fe.jpg',
    'https://cdn.example.com/photos/%7ea%2d.jpg',
    'https://cdn.example.com/photos/https%3A%2F%2Fexample.com%2Fa.jpg',
    'https://cdn.example.com/photos/folder%2Fa.jpg',
    'https://cdn.example.com/photos/folder%2fsub%5Ca.jpg',
    'https://cdn.example.com/photos/a%252Fb.jpg',
    'https://api.example.com/v0/b/site.appspot.com/o/images%2Fcat.jpg?alt=media&token=0f-1',
    'https://api.example.com/?X-Amz-Credential=A%2f20260101%2Feu&sig=a+b%2B%3d',
  ])(
    'the name of a source on the web is as the page spells it, because the origin may distinguish spellings: %s',
    (source) => {
      expect([written(source), error(source)]).toEqual([source, undefined])
    },
  )

  it.each([
    'https://cdn.example.com/photos/..%2fsecret.jpg',
    'https://cdn.example.com/photos/a%2F..%2F..%2Fsecret.jpg',
    'https://cdn.example.com/photos/a%252F%252e%252e%252Fsecret.jpg',
    'https://cdn.example.com/photos/a%5C..%5Csecret.jpg',
    'https://cdn.example.com/photos/%2e%2e%2fsecret.jpg',
    'https://cdn.example.com/photos%2Fa.jpg',
    '/media/a%2Fb.jpg',
    's3://bucket/a%2Fb.jpg',
  ])('an escaped slash does not lead out of a prefix, and is not part of a file name: %s', (source) => {
    expect([written(source), error(source)]).toEqual([undefined, notAllowed])
  })

  it('a query is part of the name only if the prefix ends in ?, and a fragment never is', () => {
    for (const source of ['/media/1.jpg?v=2', 'https://cdn.example.com/photos/1.jpg?n']) {
      expect([written(source), error(source)]).toEqual([undefined, invalid])
    }
    for (const source of ['/media/1.jpg#a', '/versioned/1.jpg?v=2#a', 'https://api.example.com/x#']) {
      expect([written(source), error(source)]).toEqual([undefined, notAllowed])
    }
    expect(error('/secret/1.jpg?v=2')).toEqual(notAllowed)
  })

  it("with the sources 'any', too, one source has one name", () => {
    const anySite = site('any')
    for (const name of ['a', 'a/b%20c.jpg', '/a.jpg', 'https://a.test/?b', 'local:///a.jpg', 'ftp://a.test/b']) {
      expect([anySite.written(name), anySite.error(name)]).toEqual([name, undefined])
    }
    const unreadable = ['data:,x', 'https://a@b.test/', '//a.test/b', '/a#b', 'https://a.test/#', 'http://[::1', './']
    for (const spelling of unreadable)
      expect([anySite.written(spelling), anySite.error(spelling)]).toEqual([undefined, invalid])
    for (const other of ['./a', 'a//b', '/a/', 'https://a.test/?', 'https://a.test']) {
      expect(anySite.error(other)).toEqual(invalid)
      expect(anySite.error(anySite.written(other) ?? '')).toBeUndefined()
    }
  })
})

describe('of all spellings that a URL parser reads as one resource, exactly one is accepted: the one that the loader writes', () => {
  const escapeText = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const escapeOnce = (token: string) => (token.length === 1 ? escapeText(token) : token)
  const character = fc.constantFrom(...'aZ09-._~é 🐈$(+@,;=:[]^|"<>`{}')
  const segment = fc.array(character, { minLength: 1, maxLength: 4 }).map((pieces) => `x${pieces.join('')}`)
  const change = fc.record({ kind: fc.nat(8), at: fc.nat(20) })
  const starts = ['/media', 'https://cdn.example.com/photos', 's3://bucket']
  const spelled = fc.record({
    start: fc.constantFrom(...starts),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    changes: fc.array(change, { maxLength: 6 }),
  })
  const plain = (text: string) =>
    [...text].map((char) => (/[a-z0-9._~-]/i.test(char) ? char : escapeText(char))).join('')

  /** Spells a resource in another way. */
  const spell = (start: string, segments: string[], changes: { kind: number; at: number }[]) => {
    const parts = segments.map(plain)
    const isWeb = start.startsWith('https:')
    let head = start
    let tail = ''
    // Inserted texts come last, so they stay whole.
    for (const { kind, at } of changes.toSorted((a, b) => a.kind - b.kind)) {
      const index = at % parts.length
      const part = parts[index] as string
      if (kind === 0 && !isWeb)
        parts[index] = part.replace(/%..|./g, (token, from) => (from === at % part.length ? escapeOnce(token) : token))
      if (kind === 1 && !isWeb)
        parts[index] = part.replace(/%../g, (hex) => (at % 2 ? hex.toUpperCase() : hex.toLowerCase()))
      if (kind === 6) parts.splice(index, 0, at % 2 ? '.' : '%2E')
      if (kind === 7) parts.splice(index, 0, at % 2 ? 'y/..' : 'y/.%2e')
      if (kind === 8 && !isWeb) parts.splice(index, 0, '')
      if (kind === 2 && !isWeb) tail = '/'
      if (kind === 3) head = head.replace('https://cdn.example.com/', 'HTTPS://CDN.Example.com:443/')
      if (kind === 4 && !isWeb)
        parts[index] = part.replace(/%C3%A9|%20(?!$)|%22|%3C|%3E|%60|%7B|%7D/gi, decodeURIComponent)
      if (kind === 5 && start === '/media')
        parts[index] = part.replace(/%(?:24|28|2b|40|2c|3b|3d|3a)/gi, decodeURIComponent)
    }
    return `${head}/${parts.join('/')}${tail}`
  }

  it('of equivalent spellings that are generated, exactly one is accepted', () => {
    fc.assert(
      fc.property(spelled, ({ start, segments, changes }) => {
        const name = written(spell(start, segments, []))
        const spelling = spell(start, segments, changes)
        expect(name).toBeDefined()
        expect(written(spelling)).toBe(name)
        expect(error(spelling)).toEqual(spelling === name ? undefined : invalid)
        expect(error(name ?? '')).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('of random spellings that a URL parser reads as one resource, exactly one is accepted', () => {
    const pieces = [
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2E',
      '%31',
      '1',
      '%',
      '%25',
      '\\',
      ' ',
      '%20',
      'é',
      '%C3%A9',
      '%c3%a9',
      ';',
      '+',
    ]
    const otherTexts = [
      '?',
      '?v',
      '&',
      '#',
      '%3F',
      ':443',
      'A',
      '%41',
      '@',
      '%40',
      '\u3000',
      '%00',
      '%FF',
      '=',
      '~',
      '%7e',
    ]
    const source = fc
      .tuple(
        fc.constantFrom(
          '/media/',
          '/versioned/',
          '/media',
          'https://cdn.example.com/photos/',
          'https://api.example.com',
          '',
        ),
        fc.array(fc.constantFrom(...pieces, ...otherTexts), { maxLength: 6 }),
      )
      .map(([start, pieces]) => start + pieces.join(''))
    const byReading = new Map<string, string>()
    fc.assert(
      fc.property(source, (text) => {
        const name = written(text)
        if (name !== undefined) expect([written(name), error(name)]).toEqual([name, undefined])
        if (error(text)) return
        expect(name).toBe(text)
        const { href } = new URL(text, 'http://site.test')
        expect(href).toBe(text.startsWith('/') ? `http://site.test${text}` : text)
        expect(byReading.get(href) ?? text).toBe(text)
        byReading.set(href, text)
      }),
      { numRuns: 2_000 },
    )
  })
})

it('one purge reaches all spellings of a remote source', () => {
  const tag = sourceTag('https://cdn.example.com/photos/a+b.jpg')
  for (const path of ['photos//a+b.jpg', 'photos/a+b.jpg/', 'photos/%61+b.jpg?v=2']) {
    expect(sourceTag(`https://cdn.example.com/${path}`)).toBe(tag)
  }
  expect(sourceTag('https://cdn.example.com/photos/a%2bb.jpg')).toBe('https://cdn.example.com/photos/a%2Bb.jpg')
})

describe('parameters', () => {
  it.each(['x=1', '', 'dpl=1', 'q=75', '%20', 'Width=640'])(
    'a parameter that the proxy does not know is 400: %s',
    (more) => {
      for (const query of [`?width=640&${more}`, `?${more}&width=640`]) {
        expect(error('/media/1.jpg', query)).toEqual({ status: 400, error: 'Unknown parameters' })
      }
    },
  )

  it('the parameter width has one spelling', () => {
    for (const query of ['?width=%3640', '?%77idth=640', '?width=640&&']) {
      expect(error('/media/1.jpg', query)).toEqual({ status: 400, error: 'Unknown parameters' })
    }
  })
})
