import { expect, it } from 'vitest'
import { jsonResponse } from './headers.js'

it('jsonResponse creates a response that no cache stores and whose type no browser guesses', async () => {
  const response = jsonResponse(401, { error: 'Invalid token' }, { 'WWW-Authenticate': 'Bearer' })
  expect(response.status).toBe(401)
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'www-authenticate': 'Bearer',
    'x-content-type-options': 'nosniff',
  })
  expect(await response.json()).toEqual({ error: 'Invalid token' })
})

it('the headers of the caller override the defaults of jsonResponse', () => {
  expect(jsonResponse(200, {}, { 'Cache-Control': 'max-age=1' }).headers.get('cache-control')).toBe('max-age=1')
})
