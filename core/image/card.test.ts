import { describe, expect, it } from 'vitest'
import { type CardOptions, cardMeta, createImages, type ImagesOptions } from './index.js'
import type { ImageRequest } from './service.js'

const secret = 'a-secret-that-signs-cards-of-a-test'
const card: CardOptions = { src: '/media/cat.jpg', title: 'A cat', focus: { x: 0.3, y: 0.7 } }

/** Creates the images of a site whose service returns the request as its image. */
const create = (options: Partial<ImagesOptions> = {}, cardStyle: string | undefined = 'plain') => {
  const requests: ImageRequest[] = []
  const images = createImages({
    sources: ['/media/'],
    secret,
    log: () => {},
    ...options,
    service: () => ({
      ...(cardStyle && { cardStyle }),
      describe: () => Promise.reject(new Error('none')),
      getImage: (image) => {
        requests.push(image)
        return { status: 200, etag: '"1"', type: 'image/jpeg', body: null, length: undefined, vary: null }
      },
    }),
  })
  const get = async (address: string) =>
    (await images.handler(new Request(new URL(address, 'http://site.test')))) as Response
  return { images, get, requests }
}

describe('the address of a card', () => {
  it('the service gets all that the card shows', async () => {
    const { images, get, requests } = create()
    const tags = ['/articles/a cat/']
    const address = images.card({ ...card, title: ' A\n cat\u0085', layout: 'side', language: 'en', tags })
    const response = await get(address)
    expect(address).toMatch(/^\/_image\/L21lZGlhL2NhdC5qcGc\?card=[\w-]+\.[\w-]{43}$/)
    expect([response.status, response.headers.get('cache-tag')]).toEqual([200, '/media/cat.jpg, /articles/a%20cat'])
    const text = { title: 'A cat', layout: 'side', language: 'en' }
    const focus = { x: 0.3, y: 0.7 }
    const { source, width, ratio } = requests[0] ?? {}
    expect({ source, width, ratio }).toEqual({ source: '/media/cat.jpg', width: 1200, ratio: '40:21' })
    expect(requests[0]).toMatchObject({ focus, card: text })
  })

  it('the address changes with the content, the look, and the version of the photograph', () => {
    const versions = { name: 'v1' }
    const { images } = create({ version: () => versions.name })
    const address = images.card(card)
    versions.name = 'v2'
    const others = [
      images.card(card),
      images.card({ ...card, title: 'A dog' }),
      images.card({ ...card, focus: 'top' }),
      images.card({ ...card, layout: 'center' }),
      create({}, 'colorful').images.card(card),
      create().images.card(card),
    ]
    expect(new Set([address, ...others]).size).toBe(7)
    expect(address.endsWith('&v=v1')).toBe(true)
  })

  it('the address with an old version leads to the new one, and the new one is immutable', async () => {
    const versions = { name: 'v1' }
    const { images, get } = create({ version: () => versions.name })
    const address = images.card(card)
    versions.name = 'v2'
    const response = await get(address)
    expect([response.status, response.headers.get('location')]).toEqual([307, images.card(card)])
    expect((await get(images.card(card))).headers.get('cache-control')).toContain('immutable')
  })

  it('the longest titles of every script fit into an address', () => {
    const { images } = create()
    for (const letter of ['W', 'अ', '語', '🚤']) {
      expect(images.card({ ...card, title: letter.repeat(2_000) }).length).toBeLessThan(1_900)
    }
  })

  it('a source under no prefix is its own card', () => {
    const src = 'https://cdn.example.com/cat.jpg'
    expect(create().images.card({ ...card, src })).toBe(src)
  })
})

describe('a forged card', () => {
  const { images, get, requests } = create()
  const [path = '', token = ''] = images.card(card).split('?card=')
  const [text = '', signature = ''] = token.split('.')
  const data = JSON.parse(Buffer.from(text, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = encode({ ...data, text: { ...data.text, title: 'Buy now' } })
  it.each([
    ['another title', `${path}?card=${forged}.${signature}`],
    ['no signature', `${path}?card=${forged}`],
    ['an empty card', `${path}?card=`],
    ['the signature of another card', `${path}?card=${text}.${images.card({ ...card, title: 'A dog' }).split('.')[1]}`],
    ['another photograph', `/_image/${Buffer.from('/media/dog.jpg').toString('base64url')}?card=${token}`],
    ['the secret of another site', create({ secret: 'x'.repeat(32) }).images.card(card)],
    ['more after the signature', `${path}?card=${token}.${signature}`],
    ['two cards', `${path}?card=${forged}.${signature}&card=${token}`],
  ])('%s is 403', async (_, address) => {
    const response = await get(address)
    expect([response.status, await response.json()]).toEqual([403, { error: 'Card not signed' }])
    expect(requests).toEqual([])
  })

  it.each(['&width=640', '&x=1', `&card=${token}`])('%s after a signed card is 400', async (query) => {
    expect((await get(`${path}?card=${token}${query}`)).status).toBe(400)
  })

  it('a site without a secret has no cards', async () => {
    expect((await create({ secret: undefined }).get(`${path}?card=${token}`)).status).toBe(400)
    const message = 'secret: expected 32 characters or more, which sign the cards, got none'
    expect(() => create({ secret: undefined }).images.card(card)).toThrow(message)
  })

  it('a card of the old secret is valid during a rotation', async () => {
    const rotated = create({ secret: ['n'.repeat(32), secret] })
    expect((await rotated.get(`${path}?card=${token}`)).status).toBe(200)
    expect(rotated.images.card(card)).not.toBe(images.card(card))
  })
})

it.each([
  [{ secret: 'short' }, 'secret: expected 32 characters or more, got fewer'],
  [{}, 'service: expected one that draws cards, such as sharpService(), since there is a secret, got'],
])('%o is rejected when the site starts', (options, message) => {
  expect(() => create(options, '')).toThrow(message)
})

it.each([
  [{ title: 5 }, 'title: expected a string, got 5'],
  [{ layout: 'top' }, "layout: expected 'bottom', 'center' or 'side', got 'top'"],
  [{ tags: [''] }, "tags: expected non-empty strings, such as 'document'"],
  [{ text: '' }, 'text: expected one of the options src, title,'],
  [{ src: undefined }, "src: expected a path or URL such as '/media/cat.jpg', got undefined"],
])('a card with %o is rejected', (options, message) => {
  expect(() => create().images.card({ ...card, ...options } as never)).toThrow(message)
})

it('cardMeta has absolute URLs, size and alternative text', () => {
  const address = create().images.card(card)
  const meta = cardMeta(address, { origin: 'https://www.example.com', alt: 'A cat, running' })
  expect(Object.fromEntries(meta.map(({ property, content }) => [property, content]))).toEqual({
    'og:image': `https://www.example.com${address}`,
    'og:image:type': 'image/jpeg',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'A cat, running',
    'twitter:card': 'summary_large_image',
    'twitter:image': `https://www.example.com${address}`,
    'twitter:image:alt': 'A cat, running',
  })
  const other = cardMeta('https://cdn.example.com/cat.jpg', { origin: 'https://www.example.com', alt: '' })
  expect(other.map(({ property }) => property)).not.toContain('og:image:width')
})
