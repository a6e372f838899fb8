import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { withScript } from '../disk/testing/bundle.js'
import { createUpstreamFetch } from './upstream.js'

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
  const expected = ['fetch', 'send', 'slow'].flatMap((client) =>
    Object.entries(ofEnd).flatMap(([response, result]) => {
      // These two have read all of it before.
      const isComplete = (client === 'fetch' || client === 'send') && response !== 'until the end'
      return [
        [`${client}: ${response}: end`, result],
        [`${client}: ${response}: reset`, isComplete ? result : 'failed'],
      ]
    }),
  )
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(expected))
})

// A process of its own: what arrives together with the reset is what Node reports as an end.
const origin = `
  const body = Buffer.alloc(3_000_000, 'x')
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {}).once('data', (request) => {
      socket.write('HTTP/1.1 200 OK\\r\\nContent-Type: image/jpeg\\r\\n\\r\\n')
      if (String(request).includes('GET /reset')) {
        socket.write(body)
        setTimeout(() => socket.resetAndDestroy(), 50)
      } else socket.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

test('a body that only the end of its connection ends is whole after an end, and fails after a reset', {
  timeout: 60_000,
}, async () => {
  const child = spawn(process.execPath, ['-e', origin], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [port] = await once(child.stdout, 'data')
  const upstream = createUpstreamFetch()
  const lengthOf = async (path: string) => {
    const response = await upstream(new Request(`http://127.0.0.1:${Number(String(port))}${path}`))
    let length = 0
    try {
      for await (const part of response.body ?? []) {
        length += part.length
        await sleep(0)
      }
    } catch {
      return 'failed'
    }
    return length === 3_000_000 ? 'whole' : 'cut off'
  }
  for (const [path, expected] of [
    ['/end', 'whole'],
    ['/reset', 'failed'],
  ] as const) {
    const results = await Promise.all(Array.from({ length: 20 }, () => lengthOf(path)))
    expect(results.filter((each) => each !== expected)).toEqual([])
  }
  await upstream.close()
})
