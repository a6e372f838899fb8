import { afterEach, expect, test, vi } from 'vitest'
import { TimeoutError } from '../timeout.js'
import { createBodyPace } from './body-pace.js'

let now = 0
vi.spyOn(performance, 'now').mockImplementation(() => now)
afterEach(() => {
  now = 0
})

test('waits may take the time limit, and a second for each 16 KiB that has arrived', () => {
  const pace = createBodyPace(1_000)
  now += 2_000
  expect(pace.receive(16 * 1024)).toBeUndefined()
  now += 900
  expect(pace.receive(15 * 1024)).toBeUndefined()
  now += 100
  expect(pace.receive(1)).toBeInstanceOf(TimeoutError)
})

test('the time in which nobody waits does not count', () => {
  const pace = createBodyPace(1_000)
  for (let count = 0; count < 20; count++) {
    now += 50
    expect(pace.receive(1)).toBeUndefined()
    now += 60_000
    pace.wait()
  }
  now += 10
  expect(pace.receive(1)?.message).toBe('response body: expected 16384 bytes a second, got 21 bytes in 1010 ms')
})
