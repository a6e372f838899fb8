import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClient, toRepresentationTag } from './image-response.js'

const read = (ifNoneMatch: string, accept = '*/*') =>
  readClient(new Request('http://site.test/', { headers: { 'If-None-Match': ifNoneMatch, Accept: accept } }), () => {})

describe('toRepresentationTag', () => {
  it.each([
    ['"1"', 'image/avif', '"avif:1"'],
    ['W/"1"', 'image/webp', 'W/"webp:1"'],
    [' "a,b:c/+=" ', 'IMAGE/SVG+XML; charset=utf-8', '"svg+xml:a,b:c/+="'],
    ['""', 'image/x-icon', '"x-icon:"'],
    // None, unquoted as OpenStack Swift has it, half of one, two lines, characters that do not belong there.
    [null, 'image/avif', undefined],
    ['', 'image/avif', undefined],
    ['5f3', 'image/avif', undefined],
    ['"1', 'image/avif', undefined],
    ['w/"1"', 'image/avif', undefined],
    ['"1", "2"', 'image/avif', undefined],
    ['"a b"', 'image/avif', undefined],
    ['"ä"', 'image/avif', undefined],
    ['"1"', 'text/html', undefined],
    ['"1"', null, undefined],
  ])('%s of %s is %s', (etag, type, expected) => {
    expect(toRepresentationTag(etag, type)).toBe(expected)
  })
})

describe('readClient', () => {
  it.each([
    ['"avif:1"', 'image/avif,*/*', '"1"'],
    ['W/"avif:W/1"', 'image/avif', 'W/"W/1"'],
    ['"jpeg:1", W/"png:2" ,"jpeg:1"', '*/*', '"1", W/"2"'],
    ['"avif:1", "webp:1", "jpeg:1"', 'image/avif,image/webp', '"1"'],
    ['*', '*/*', '*'],
    // The client no longer accepts the format, because it is missing or has the weight 0.
    ['"avif:1"', 'image/webp,*/*', null],
    ['"webp:1"', 'image/webp;q=0,*/*', null],
    ['"avif:1", "webp:2"', 'image/webp', '"2"'],
    // Tags of an earlier version, or of another server.
    ['"1"', '*/*', null],
    ['1, "', '*/*', null],
    ['"avif', 'image/avif', null],
    ['"a"avif:1"', 'image/avif', null],
    ['', '*/*', null],
  ])('%s with Accept: %s asks the service for %s', (ifNoneMatch, accept, expected) => {
    expect(read(ifNoneMatch, accept).etags.join(', ') || null).toBe(expected)
  })

  it('the known representation is that whose tag the service repeats, or the only one that was requested', () => {
    const representations = read('"jpeg:1", "png:2"')
    expect(['"1"', 'W/"2"', '"3"', null].map((etag) => representations.confirmed(etag))).toEqual([
      '"jpeg:1"',
      '"png:2"',
      undefined,
      '"jpeg:1"',
    ])
    expect([representations.has('W/"png:2"'), representations.has('"png:1"'), read('*').has('"png:1"')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('readClient reads the tags of toRepresentationTag in any list', () => {
    const opaque = fc.stringMatching(/^[\x21\x23-\x7e]{0,20}$/)
    const tag = fc.tuple(fc.constantFrom('', 'W/'), opaque).map(([weak, text]) => `${weak}"${text}"`)
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 5 }), (tags) => {
        const written = tags.map((tag) => toRepresentationTag(tag, 'image/jpeg') as string)
        expect(read(written.join(', ')).etags).toEqual([...new Set(tags)])
      }),
    )
  })

  it('readClient takes linear time', () => {
    for (const piece of [',', '"', '"a:', ',"a', ', "a:1', 'W/', '"a:1",']) read(piece.repeat(200_000))
  }, 10_000)
})
