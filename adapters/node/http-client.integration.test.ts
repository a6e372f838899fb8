import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withScript } from '../disk/testing/bundle.js'

test('a connection that ends while its reader is slow costs nothing, and one that is reset its own response', {
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
      // All of it had arrived before. Only without a length, nobody can know.
      [`${client}: ${response}: reset`, response === 'until the end' ? 'failed' : result],
    ]),
  )
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected))
})
