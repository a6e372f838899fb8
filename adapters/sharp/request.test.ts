import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSigner } from '../../core/image/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { ImageFailure } from './failure.js'
import { resolveOptions } from './options.js'
import { createRequestParser } from './request.js'
import { signingKey } from './testing/service.js'

const sign = createSigner(signingKey)
const parse = createRequestParser(resolveOptions({ keys: [signingKey], sources: { '/media/': await folderWith() } }))

test.each([
  ['/blur:5/L21lZGlhL2NhdC5qcGc', "Invalid URL: unknown option 'blur:5'"],
  ['/w:5/!!!', 'Invalid URL: the source is not URL-safe base64 of a path or URL'],
  ['/w:5/plain//other/cat.jpg', 'Unknown source'],
])('%s is 404: %s', (path, message) => {
  expect(() => parse(`/${sign(path)}${path}`)).toThrow(expect.objectContaining({ status: 404, message }))
})

test('a path that was valid is parsed once, and any other signature is still 403', () => {
  const path = '/w:5/L21lZGlhL2NhdC5qcGc'
  const signed = `/${sign(path)}${path}`
  const parsed = parse(signed)
  expect(parsed).toMatchObject({ source: '/media/cat.jpg', options: { width: 5 } })
  expect(parse(signed)).toBe(parsed)
  for (const otherPath of [`/${sign(`${path}/`)}${path}`, `/x${path}`, `/${sign(path)}${path}0`]) {
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => parse(otherPath)).toThrow(expect.objectContaining({ status: 403 }))
    }
  }
})

test('any signed path is parsed, or fails with 404', () => {
  const segment = fc.oneof(
    fc.constantFrom('rs', 'fill', ':', '/', '@', '.', '%', '%2e', 'plain', 'w:1', 'ext:', '..', '\\', '0'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = `/${segments.join('')}`
      try {
        expect(parse(`/${sign(path)}${path}`).options.width).toBeGreaterThanOrEqual(0)
      } catch (error) {
        expect(error).toBeInstanceOf(ImageFailure)
        expect((error as ImageFailure).status).toBe(404)
      }
    }),
    { numRuns: 500 },
  )
})
