import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { canonicalName, createSourceMatcher } from './sources.js'

const matches = createSourceMatcher(['/media/', 'https://cdn.example.com/photos/', 'https://images.example.com'])

describe('createSourceMatcher', () => {
  it.each([
    '/media/cat.jpg',
    '/media/a/b/c.jpg',
    '/media/größe 2.jpg',
    '/media/100%25.jpg',
    '/media/cat.jpg?v=2',
    '/media/..jpg',
    'https://cdn.example.com/photos/cat.jpg',
    'https://CDN.example.com/photos/cat.jpg',
    'HTTPS://cdn.example.com:443/photos/cat.jpg',
    'https://cdn.example.com/photos/cat.jpg?x=/../y',
    'https://images.example.com/any/where.png',
    'https://images.example.com/',
  ])('allows %s', (source) => {
    expect(matches(source)).toBe(true)
  })

  it.each([
    '',
    '/',
    'media/cat.jpg',
    '/mediaeval/cat.jpg',
    '/secret/cat.jpg',
    '/MEDIA/cat.jpg',
    // path traversal, in every spelling
    '/media/../secret',
    '/media/..',
    '/media/./../secret',
    '/media/%2e%2e/secret',
    '/media/%2E./secret',
    '/media/.%2e/secret',
    '/media/%252e%252e/secret',
    '/media/%25252e%25252e%25252fsecret',
    '/media/%2%35%32e%2%35%32e/secret',
    '/media/..%2fsecret',
    '/media/%2e%2e%2fsecret',
    '/media/..%5csecret',
    '/media\\..\\secret',
    '/media/..\\secret',
    '/media/%c0%ae%c0%ae/secret',
    '/media/.\t./secret',
    '/media/.. /secret',
    '/media/..;/secret',
    '/media/%2e%2e;a=b/secret',
    '/media/cat.jpg#1',
    'https://cdn.example.com/photos/cat.jpg#1',
    '/media/%2e%2e%20#',
    '/media/%00/../secret',
    '/media/a%00.jpg',
    '/secret/../media/cat.jpg',
    // another host
    '//evil.test/media/cat.jpg',
    '/\\evil.test/media/cat.jpg',
    'https://cdn.example.com@evil.test/photos/cat.jpg',
    'https://cdn.example.com:443@evil.test/photos/',
    'https://user:pass@cdn.example.com/photos/cat.jpg',
    'https://@cdn.example.com/photos/cat.jpg',
    'https://cdn.example.com.evil.test/photos/cat.jpg',
    'https://cdn.example.com%2eevil.test/photos/',
    'https://cdn.example.com\\@evil.test/photos/',
    'https://evil.test\\@cdn.example.com/photos/',
    'https://evil.test#@cdn.example.com/photos/',
    'https://evil.test?@cdn.example.com/photos/',
    'https:cdn.example.com/photos/cat.jpg',
    'https:/cdn.example.com/photos/cat.jpg',
    'https:///cdn.example.com/photos/cat.jpg',
    'https:\\\\cdn.example.com/photos/cat.jpg',
    ' https://cdn.example.com/photos/cat.jpg',
    'ht\ttps://cdn.example.com/photos/cat.jpg',
    'https://cdn.exam\tple.com/photos/cat.jpg',
    'https://ｃdn.example.com/photos/cat.jpg',
    'https://cdn。example.com/photos/cat.jpg',
    'https://cdn.example.com:8443/photos/cat.jpg',
    'http://cdn.example.com/photos/cat.jpg',
    'https://cdn.example.com/photosets/cat.jpg',
    'https://cdn.example.com/photos/../secret',
    'https://cdn.example.com/photos/%2e%2e/secret',
    'ftp://cdn.example.com/photos/cat.jpg',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'local:///etc/passwd',
  ])('rejects %j', (source) => {
    expect(matches(source)).toBe(false)
  })

  it('treats prefixes without a trailing slash as folders', () => {
    const matchesMedia = createSourceMatcher(['/media'])
    expect([matchesMedia('/media/cat.jpg'), matchesMedia('/media-secret/cat.jpg')]).toEqual([true, false])
  })

  it('accepts the schemes of imgproxy, and compares their hosts', () => {
    const matchesStored = createSourceMatcher(['s3://photos/', 'local:///shared/'])
    expect(matchesStored('s3://photos/cat.jpg')).toBe(true)
    expect(matchesStored('s3://secrets/cat.jpg')).toBe(false)
    expect(matchesStored('local:///shared/cat.jpg')).toBe(true)
    expect(matchesStored('local:///etc/passwd')).toBe(false)
  })

  describe('a wildcard', () => {
    const matchesCdn = createSourceMatcher(['https://*.cdn.example.com/photos/', 'http://*.local.test:8080'])

    it.each([
      'https://a.cdn.example.com/photos/cat.jpg',
      'https://a.b.cdn.example.com/photos/cat.jpg',
      'https://A.CDN.example.com:443/photos/cat.jpg',
      'http://x.local.test:8080/cat.jpg',
    ])('a wildcard stands for one or more labels: %s', (source) => {
      expect(matchesCdn(source)).toBe(true)
    })

    it.each([
      'https://cdn.example.com/photos/cat.jpg',
      'https://.cdn.example.com/photos/cat.jpg',
      'https://a..cdn.example.com/photos/cat.jpg',
      'https://evilcdn.example.com/photos/cat.jpg',
      'https://a.cdn.example.com.evil.test/photos/cat.jpg',
      'https://evil.test/.cdn.example.com/photos/cat.jpg',
      'https://evil.test#.cdn.example.com/photos/cat.jpg',
      'https://evil.test@a.cdn.example.com/photos/cat.jpg',
      'https://*.cdn.example.com/photos/cat.jpg',
      'http://a.cdn.example.com/photos/cat.jpg',
      'https://a.cdn.example.com:8443/photos/cat.jpg',
      'https://a.cdn.example.com/other/cat.jpg',
      'http://x.local.test/cat.jpg',
    ])('a wildcard does not match %s', (source) => {
      expect(matchesCdn(source)).toBe(false)
    })

    it.each([
      ['https://*/'],
      ['https://*.com/'],
      ['https://*.localhost/'],
      ['https://*.co.uk/'],
      ['https://*.com.au/photos/'],
      ['https://*.0.0.1/'],
      ['https://a.*.example.com/'],
      ['https://*cdn.example.com/'],
      ['https://*.*.example.com/'],
      ['*.cdn.example.com/'],
      ['s3://*.example.com/'],
    ])('a wildcard that would match hosts of strangers is rejected: %s', (prefix) => {
      expect(() => createSourceMatcher([prefix])).toThrow(/^sources: /)
    })
  })

  it("matches everything with 'any'", () => {
    expect(createSourceMatcher('any')('https://anywhere.test/x')).toBe(true)
  })

  it.each([
    [[]],
    [['media/']],
    [['*']],
    [['/media/../x']],
    [['https://u@cdn.example.com/']],
    [['/media/?a']],
    [undefined],
  ])('throws on the prefixes %j', (sources) => {
    expect(() => createSourceMatcher(sources as string[])).toThrow(/^sources: /)
  })
})

describe('no spelling bypasses a prefix', () => {
  // Fragments of path traversal and host confusion attacks.
  const hostile = fc.constantFrom(
    ...[
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%252e',
      '%2f',
      '%5c',
      '%255c',
      '@',
      ':',
      '?',
      '#',
      '//',
      '\t',
      '\n',
      ' ',
    ],
    ...[
      '%00',
      '%09',
      ';',
      '%c0%ae',
      '．',
      '／',
      '＠',
      'evil.test',
      'media',
      'photos',
      'cdn.example.com',
      'secret',
      'https:',
    ],
  )
  const sources = fc
    .tuple(
      fc.constantFrom(
        '',
        '/media/',
        '/media',
        'https://cdn.example.com/photos/',
        'https://cdn.example.com',
        'https://',
      ),
      fc.array(hostile, { maxLength: 8 }),
    )
    .map(([start, pieces]) => start + pieces.join(''))

  it('no spelling bypasses a prefix as the WHATWG URL parser reads it, decoded any number of times', () => {
    fc.assert(
      fc.property(sources, (source) => {
        if (!matches(source)) return
        for (let reading = source, depth = 0; depth < 4; depth++) {
          const url = new URL(reading, 'http://site.test')
          const location = url.origin === 'http://site.test' ? url.pathname : url.origin + url.pathname
          expect(location).toMatch(
            /^(?:\/media(?:\/|$)|https:\/\/cdn\.example\.com\/photos(?:\/|$)|https:\/\/images\.)/,
          )
          // A careless server decodes only the part before the query.
          const withoutQuery = reading.split(/[?#]/)[0] as string
          reading = withoutQuery.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
          if (/[?#]/.test(reading)) break
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('no spelling bypasses a prefix as a parser of the generic syntax reads it (RFC 3986, appendix B)', () => {
    fc.assert(
      fc.property(sources, (source) => {
        if (!matches(source)) return
        const [, , scheme, , authority, path = ''] =
          /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?/.exec(source) ?? []
        if (scheme) expect(authority?.toLowerCase()).toMatch(/^(?:cdn|images)\.example\.com(?::443)?$/)
        else expect(authority).toBeUndefined()
        expect(path.split('/')).not.toContain('..')
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('escapes of escapes', () => {
  it('escapes of more than 20 levels match nothing, and take no more work than those of 20', () => {
    const countCalls = (levels: number, isMatch: boolean) => {
      const spies = [vi.spyOn(String.prototype, 'replace'), vi.spyOn(globalThis, 'decodeURIComponent')]
      expect(matches(`/media/%${'25'.repeat(levels)}2ex/secret`)).toBe(isMatch)
      expect(matches(`/media/%${'25'.repeat(levels)}2e./secret`)).toBe(false)
      const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
      for (const spy of spies) spy.mockRestore()
      return calls
    }
    countCalls(2, true)
    expect(countCalls(2_000, false)).toBeLessThanOrEqual(countCalls(18, true))
  })

  it('every mixture of nested escapes is read as by repeated decoding', () => {
    const decodeOnce = (text: string) =>
      text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    const decodeAgain = (text: string): string => (decodeOnce(text) === text ? text : decodeAgain(decodeOnce(text)))
    const part = fc.constantFrom('%', '2', '5', 'e', '3', '.', 'x', '25', '%25', '%2e', '%32', '%35')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const segment = `%25${parts.join('')}`
        let decoded: string | undefined
        try {
          decoded = decodeAgain(decodeURIComponent(segment))
        } catch {
          // malformed
        }
        expect(matches(`/media/${segment}/x`)).toBe(decoded !== undefined && !/^\.{1,2}$|[/\\\p{Cc}]/u.test(decoded))
      }),
      { numRuns: 500 },
    )
  })
})

it('a source that a URL parser would change is not canonical', () => {
  const piece = fc.constantFrom(
    '/',
    '.',
    '..',
    '-',
    '--',
    'a',
    'b-c',
    'xn',
    '0x1f',
    '127',
    ':',
    '@',
    '%41',
    ';x',
    '~',
    '?',
    '#',
    '\\',
    ' ',
    'ä',
  )
  const start = fc.constantFrom('', '/', 'http://', 'https://', 'HTTP://', 'https:/', 'ftp://', 'local://')
  let canonical = 0
  fc.assert(
    fc.property(start, fc.array(piece, { maxLength: 8 }), (prefix, pieces) => {
      const source = prefix + pieces.join('')
      if (!canonicalName.test(source)) return
      canonical++
      expect(new URL(source, 'https://site.test').href).toBe(
        source.startsWith('/') ? `https://site.test${source}` : source,
      )
    }),
    { numRuns: 20_000 },
  )
  expect(canonical).toBeGreaterThan(100)
})
