import { expect, it } from 'vitest'
import { type ExpressRequest, parsedBody } from './request.js'

const request = (body: unknown, type: string) =>
  ({ readableDidRead: true, headers: { 'content-type': type }, body }) as unknown as ExpressRequest
const serialize = (body: unknown, type: string) => new Response(parsedBody(request(body, type))).text()
const form = 'application/x-www-form-urlencoded'

it.each([
  ['a field', { a: '1' }, 'a=1'],
  ['a repeated field', { a: ['1', '2'], b: '3' }, 'a=1&a=2&b=3'],
  ['characters to escape', { 'a b': '=&' }, 'a+b=%3D%26'],
  [
    'fields in brackets',
    { a: { b: '1', c: ['2', { d: '3' }] }, '': '4' },
    'a%5Bb%5D=1&a%5Bc%5D=2&a%5Bc%5D%5Bd%5D=3&=4',
  ],
  ['fields named as methods', { a: { toString: 'x', valueOf: 'y' } }, 'a%5BtoString%5D=x&a%5BvalueOf%5D=y'],
  ['no fields', {}, ''],
])('serializes a form with %s', async (_, body, expected) => {
  expect(await serialize(body, `${form}; charset=utf-8`)).toBe(expected)
})

it.each([
  ['JSON', { tags: ['a'] }, 'application/json', '{"tags":["a"]}'],
  ['JSON with a parameter like a form', null, 'application/json; x=urlencoded', 'null'],
  ['text', 'raw', 'text/plain', 'raw'],
  ['bytes', new TextEncoder().encode('raw'), form, 'raw'],
  ['nothing', undefined, 'text/plain', ''],
])('passes %s on', async (_, body, type, expected) => {
  expect(await serialize(body, type)).toBe(expected)
})

// 100 kB, which is the limit of Express' parser.
const deep = '['.repeat(50_000) + ']'.repeat(50_000)

it('JSON that cannot be serialized fails only when the body is read', async () => {
  const body = new Response(parsedBody(request(JSON.parse(deep), 'application/json')))
  await expect(body.text()).rejects.toThrow(RangeError)
})
