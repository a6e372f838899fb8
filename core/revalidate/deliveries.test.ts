import { expect, it, vi } from 'vitest'
import { createDeliveries } from './deliveries.js'
import { createRevalidateEndpoint } from './index.js'
import { EndpointError } from './internal.js'

const url = 'https://site.test/api/revalidate'

it('the latest 10,000 deliveries are remembered, and no others', async () => {
  const run = createDeliveries()
  const work = async () => new Response()
  for (let number = 0; number <= 10_000; number++) await run(`${number}`, work)
  expect(await run('1', work)).toBeUndefined()
  expect(await run('0', work)).toBeInstanceOf(Response)
})

it('a failure is shared by all waiting deliveries, and a later delivery runs again', async () => {
  const run = createDeliveries()
  const work = vi.fn(async () => Promise.reject(new Error('failed')))
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => run('a', work)))
  expect(work).toHaveBeenCalledOnce()
  expect(results.map(({ status }) => status)).toEqual(Array(50).fill('rejected'))
  await expect(run('a', work)).rejects.toThrow('failed')
  expect(work).toHaveBeenCalledTimes(2)
})

it('when a delivery succeeds, waiting deliveries with its id get undefined', async () => {
  const run = createDeliveries()
  const work = vi.fn(async () => new Response())
  const [first, ...waiting] = await Promise.all(Array.from({ length: 5 }, () => run('a', work)))
  expect(first).toBeInstanceOf(Response)
  expect(waiting).toEqual(Array(4).fill(undefined))
  expect(work).toHaveBeenCalledOnce()
})

it('a delivery of which a part is not purged is accepted again', async () => {
  const verify = Object.assign(() => true, { deliveryOf: () => 'a' })
  const invalidate = vi.fn<() => Promise<void>>(async () => {})
  const endpoint = createRevalidateEndpoint({ verify, invalidate, log: () => {} })
  const deliver = async () => (await endpoint(new Request(url, { method: 'POST' })))?.status
  invalidate.mockRejectedValueOnce(new EndpointError(503, 'Not revalidated: /a'))
  expect([await deliver(), await deliver(), await deliver()]).toEqual([503, 200, 401])
})
