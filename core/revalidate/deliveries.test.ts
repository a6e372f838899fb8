import { expect, it, vi } from 'vitest'
import { createDeliveries } from './deliveries.js'

it('remembers the latest 10,000, and no more', async () => {
  const deliveries = createDeliveries()
  const work = async () => new Response()
  for (let number = 0; number <= 10_000; number++) await deliveries.run(`${number}`, work)
  expect(await deliveries.run('1', work)).toBeUndefined()
  expect(await deliveries.run('0', work)).toBeInstanceOf(Response)
})

it('gives all who waited the result that failed, and runs again for those who come later', async () => {
  const deliveries = createDeliveries()
  const work = vi.fn(async () => Response.json({ revalidated: false }, { status: 503 }))
  const responses = await Promise.all(Array.from({ length: 50 }, () => deliveries.run('a', work)))
  expect(work).toHaveBeenCalledOnce()
  expect(await Promise.all(responses.map((response) => response?.json()))).toEqual(
    Array(50).fill({ revalidated: false }),
  )
  await deliveries.run('a', work)
  expect(work).toHaveBeenCalledTimes(2)
})

it('forgets work that throws', async () => {
  const deliveries = createDeliveries()
  const work = vi.fn().mockRejectedValueOnce(new Error('failed')).mockResolvedValue(new Response())
  await expect(deliveries.run('a', work)).rejects.toThrow('failed')
  expect(await deliveries.run('a', work)).toBeInstanceOf(Response)
})
