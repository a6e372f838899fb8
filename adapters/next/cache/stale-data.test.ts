import { expect, test } from 'vitest'
import { createStaleData } from './stale-data.js'

const start = () => {
  let now = 0
  const staleData = createStaleData(() => now)
  const [reader, page] = [{}, {}]
  const read = (key: string, path: string) => staleData.add(key, reader, [path])
  const wasRead = (path: string, since = 0) => staleData.wasRead({ reader: page, since, tags: ['document', path] })
  return {
    staleData,
    read,
    wasRead,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('a page is known by its path, as long as any of its data is old', () => {
  const { staleData, read, wasRead } = start()
  for (const key of ['a', 'b']) for (const path of ['/1', '/2']) read(key, path)
  expect([wasRead('/1'), wasRead('/2'), wasRead('/3')]).toEqual([true, true, false])
  staleData.delete('a')
  expect([wasRead('/1'), wasRead('/2')]).toEqual([true, true])
  staleData.delete('b')
  expect([wasRead('/1'), wasRead('/2')]).toEqual([false, false])
})

test('what was read before a render began, or two minutes ago, does not count', () => {
  const { read, wasRead, pass } = start()
  read('a', '/1')
  pass(10)
  expect([wasRead('/1', 10), wasRead('/1', 0)]).toEqual([false, true])
  pass(119_990)
  read('a', '/2')
  expect([wasRead('/1'), wasRead('/2')]).toEqual([false, true])
})

test('the last thousand reads are known, whatever paths strangers make up, and the others cost nothing', () => {
  const { staleData, read, wasRead } = start()
  for (let path = 0; path < 100_000; path++) read('menu', `/${path}`)
  expect([wasRead('/98999'), wasRead('/99000'), wasRead('/99999')]).toEqual([false, true, true])
  staleData.delete('menu')
  expect(wasRead('/99999')).toBe(false)
})
