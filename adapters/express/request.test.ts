import { expect, it } from 'vitest'
import { type ExpressRequest, parsedBody } from './request.js'

const request = (body: unknown, type: string) =>
  ({ readableDidRead: true, headers: { 'content-type': type }, body }) as unknown as ExpressRequest

it.each([
  ['a field', { a: '1' }, 'a=1'],
  ['a repeated field', { a: ['1', '2'], b: '3' }, 'a=1&a=2&b=3'],
  ['characters to escape', { 'a b': '=&' }, 'a+b=%3D%26'],
])('serializes a form with %s', (_, body, expected) => {
  expect(parsedBody(request(body, 'application/x-www-form-urlencoded'))).toBe(expected)
})

it('serializes JSON, and keeps text and bytes', () => {
  expect(parsedBody(request({ tags: ['a'] }, 'application/json'))).toBe('{"tags":["a"]}')
  expect(parsedBody(request('raw', 'text/plain'))).toBe('raw')
  expect(parsedBody(request(undefined, 'text/plain'))).toBe('')
})
