import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { UpstreamOptions } from '../../core/image/internal.js'
import { TimeoutError } from '../../core/timeout.js'
import { createServiceSend, type ServiceRequest, type ServiceResponse } from './response.js'

const bytes = new Uint8Array([1, 2, 3])
const stored: ServiceResponse = {
  status: 200,
  headers: { 'Content-Type': 'image/avif', ETag: '"a"' },
  body: bytes,
}
const url = 'http://images.invalid/signature/rs:fill:320/source'
const client = { signal: new AbortController().signal }
const optionsOf = (overrides: Partial<UpstreamOptions> = {}): UpstreamOptions => ({
  headers: { Accept: 'image/avif' },
  client,
  timeout: 1_000,
  onBodyError: () => {},
  ...overrides,
})

test('a stored image is sent without signal, timer, Request, Response, Headers or stream, and without a copy of its bytes', async () => {
  const web = ['Request', 'Response', 'Headers', 'ReadableStream', 'AbortController', 'setTimeout'] as const
  for (const name of web) {
    vi.stubGlobal(name, () => {
      throw new Error(`${name} was used`)
    })
  }
  const lookedAt = vi.fn()
  const unseen = {
    get signal() {
      lookedAt()
      return undefined
    },
  }
  try {
    const response = await createServiceSend(() => stored)(url, optionsOf({ client: unseen }))
    expect([response.status, response.headers.get('content-type'), response.headers.get('ETag')]).toEqual([
      200,
      'image/avif',
      '"a"',
    ])
    expect(response.headers.has('vary')).toBe(false)
    expect(await response.openBody()).toBe(bytes)
  } finally {
    vi.unstubAllGlobals()
  }
  expect(lookedAt).not.toHaveBeenCalled()
})

test('the service gets URL, method and headers', async () => {
  const respond = vi.fn((_: ServiceRequest) => stored)
  await createServiceSend(respond)(url, optionsOf())
  const request = respond.mock.calls[0]?.[0]
  expect([request?.url, request?.method, request?.headers.get('accept'), request?.headers.get('cookie')]).toEqual([
    url,
    'GET',
    'image/avif',
    null,
  ])
})

/** Returns a service that never responds, and the signal of its request. */
const hang = () => {
  const signals: AbortSignal[] = []
  const respond = ({ signal }: ServiceRequest) => {
    signals.push(signal() as AbortSignal)
    return new Promise<ServiceResponse>(() => {})
  }
  return { respond, signals }
}

test('an image that takes too long is a TimeoutError, for the service too', async () => {
  const { respond, signals } = hang()
  await expect(createServiceSend(respond)(url, optionsOf({ timeout: 1 }))).rejects.toThrow(TimeoutError)
  expect(signals[0]?.reason).toBeInstanceOf(TimeoutError)
})

test('a client that leaves aborts the request to the service, and no listener outlives the wait', async () => {
  const { respond, signals } = hang()
  const leaving = new AbortController()
  const sending = createServiceSend(respond)(url, optionsOf({ client: leaving }))
  leaving.abort(new Error('left'))
  await expect(sending).rejects.toThrow('left')
  expect(signals[0]?.reason).toEqual(new Error('left'))
  await createServiceSend(async () => stored)(url, optionsOf())
  expect(getEventListeners(client.signal, 'abort')).toEqual([])
})

test('a service that reads its signal only after it has begun finds the signal aborted', async () => {
  let request: ServiceRequest | undefined
  const respond = (serviceRequest: ServiceRequest) => {
    request = serviceRequest
    return new Promise<ServiceResponse>(() => {})
  }
  await expect(createServiceSend(respond)(url, optionsOf({ timeout: 1 }))).rejects.toThrow(TimeoutError)
  expect(request?.signal()?.aborted).toBe(true)
})

test('readStart reads the beginning of the text of a failure', async () => {
  const failure = { ...stored, status: 404, body: 'Unknown source' }
  const response = await createServiceSend(() => failure)(url, optionsOf())
  expect(new TextDecoder().decode(await response.readStart(7))).toBe('Unknown')
})

test('a service that throws rejects, and an empty body is undefined', async () => {
  const raise = () => {
    throw new Error('no')
  }
  await expect(createServiceSend(raise)(url, optionsOf())).rejects.toThrow('no')
  for (const body of [null, new Uint8Array()]) {
    const response = await createServiceSend(() => ({ ...stored, body }))(url, optionsOf())
    expect(await response.openBody()).toBeUndefined()
  }
})
