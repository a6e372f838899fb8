import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { EndLease } from '../../core/cache/index.js'
import { TimeoutError } from '../../core/timeout.js'
import type { SendCommand } from './client.js'
import { createScript } from './script.js'

// Milliseconds. A lease that is not renewed, since its process was killed, ends after this time.
const leaseTtl = 3_000
// A lease is not renewed beyond this, also while its render still runs, and nobody tries longer to end it.
const maxLeaseTime = 30_000
// For this time, those who ask for the lease are told that it has ended, and look for the result.
const endedTtl = 500
const minPollInterval = 10
const maxPollInterval = 250

/**
 * Takes a lease that nobody has. ARGV: 1 token, 2 ttl in ms. Replies 1 when it is taken now, 0 while another has it, 2 when it has ended.
 * One that would last longer than any does is from before Redis' clock was set back, or nobody's.
 */
const takeSource = `
local holder = redis.call('GET', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if holder and ttl >= 0 and ttl <= tonumber(ARGV[2]) then return holder == 'ended' and 2 or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** Changes a lease that one has. ARGV: 1 token, 2 new value, 3 ttl in ms. */
const changeSource = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/**
 * Creates leases on the keys of Redis: a key with a random token, which its process renews. Those who wait ask again, at
 * first every 10 ms, then after a quarter of the time that they have waited, and at least every 250 ms.
 *
 * @param whenStored Waits for what this process is storing, so that it is there before a lease ends.
 */
export function createLeases(send: SendCommand, whenStored: () => Promise<unknown>) {
  const take = createScript(send, takeSource)
  const change = createScript(send, changeSource)

  /**
   * Ends a lease, as soon as Redis answers: else all would wait for one that nobody holds. Redis may also execute later what has
   * not been answered in time.
   */
  const end = async (key: string, token: string, ttl: number): Promise<void> => {
    for (const began = performance.now(); ; await wait(maxPollInterval, undefined, { ref: false })) {
      try {
        await change(key, token, 'ended', String(ttl))
        return
      } catch (error) {
        if (performance.now() - began > maxLeaseTime) throw error
      }
    }
  }

  const hold = (key: string, token: string): EndLease => {
    const began = performance.now()
    const renewal = setInterval(() => {
      if (performance.now() - began > maxLeaseTime) clearInterval(renewal)
      else change(key, token, token, String(leaseTtl)).catch(() => {})
    }, leaseTtl / 3)
    renewal.unref()
    return async (isDone = true) => {
      clearInterval(renewal)
      await whenStored()
      await end(key, token, isDone ? endedTtl : 1)
    }
  }

  return async (key: string, timeout: number): Promise<EndLease | undefined> => {
    const token = randomUUID()
    const began = performance.now()
    const ask = async () => {
      try {
        return Number(await take(key, token, String(leaseTtl)))
      } catch (error) {
        if (error instanceof TimeoutError) end(key, token, 1).catch(() => {})
        throw error
      }
    }
    for (;;) {
      const reply = await ask()
      if (reply === 1) return hold(key, token)
      const waited = performance.now() - began
      if (reply !== 0 || waited >= timeout) return undefined
      await wait(Math.min(Math.max(minPollInterval, waited / 4), maxPollInterval, timeout - waited))
    }
  }
}
