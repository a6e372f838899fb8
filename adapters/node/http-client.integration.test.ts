import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withScript } from '../disk/testing/bundle.js'

test('a slow reader loses nothing when the connection ends, and loses a response without a length when it is reset', {
  timeout: 60_000,
}, async () => {
  const { stdout, stderr } = await withScript(new URL('testing/closed-connections.ts', import.meta.url), (script) =>
    promisify(execFile)(process.execPath, ['--unhandled-rejections=strict', script]),
  )
  expect(stderr).toBe('')
  const whole = 150 * 1024
  const ofEnd = {
    'until the end': whole,
    length: whole,
    'length, too short': 'failed',
    'length, kept alive': whole,
    chunked: whole,
    'chunked, too short': 'failed',
  }
  const expected = ['fetch', 'send'].flatMap((client) =>
    Object.entries(ofEnd).flatMap(([response, result]) => [
      [`${client}: ${response}: end`, result],
      // The whole body arrived before the reset. Without a length, the client cannot know that.
      [`${client}: ${response}: reset`, response === 'until the end' ? 'failed' : result],
    ]),
  )
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected))
})
