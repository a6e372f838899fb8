import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withScript } from '../../disk/testing/bundle.js'

test('an origin with any content coding, size and pace costs a 502 or 422, and never the process', {
  timeout: 120_000,
}, async () => {
  const { stdout, stderr } = await withScript(new URL('../testing/fetch-codings.ts', import.meta.url), (script) =>
    promisify(execFile)(process.execPath, ['--unhandled-rejections=strict', script]),
  )
  expect(stderr).toBe('')
  // If the name is not a coding, all bytes are read, and are not an image.
  expect(JSON.parse(stdout)).toEqual({ ignored: [422, 502], registered: [502] })
})
