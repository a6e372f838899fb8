import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { TimeoutError } from '../../core/timeout.js'
import { readWhole } from './upstream-body.js'

const timedOut = Object.assign(new Error('stalled'), { code: 'UND_ERR_BODY_TIMEOUT' })

it('reads nothing, one part as it is, and several parts joined', async () => {
  const part = Buffer.from('image')
  expect(await readWhole(Readable.from([]), 1000)).toBeUndefined()
  expect(await readWhole(Readable.from([part]), 1000)).toBe(part)
  expect(await readWhole(Readable.from([part, Buffer.from('!')]), 1000)).toEqual(Buffer.from('image!'))
})

it.each([
  ['fails', (body: Readable) => body.destroy(new Error('reset')), 'reset'],
  ['is destroyed without an error', (body: Readable) => body.destroy(), 'response body: ended early'],
  ['stalls', (body: Readable) => body.destroy(timedOut), new TimeoutError('not done within 1000 ms')],
])('rejects when the body %s, before or while it is read', async (_, end, expected) => {
  const open = () => new Readable({ read() {} }).on('error', () => {})
  const before = open()
  before.push('start')
  end(before)
  await expect(readWhole(before, 1000)).rejects.toThrow(expected)
  const after = open()
  after.push('start')
  const reading = readWhole(after, 1000)
  end(after)
  await expect(reading).rejects.toThrow(expected)
})

it('rejects when the body was closed long before', async () => {
  const body = new Readable({ read() {} })
  const closed = new Promise((resolve) => body.once('close', resolve))
  body.destroy()
  await closed
  await expect(readWhole(body, 1000)).rejects.toThrow('response body: ended early')
})
