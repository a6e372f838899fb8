import { expect, test } from 'vitest'
import {
  CorruptOriginal,
  ImageFailure,
  ProcessorTimeExceeded,
  RejectedOriginal,
  TransformFailure,
  TransformTimeout,
} from '../failure.js'
import { createFailedImages } from './failed-images.js'

const exceeded = new ProcessorTimeExceeded(10_000)
const original = { digest: 'original', version: 'version' }

test('an image that failed fails again with the same status, others of the original are tried', () => {
  const failed = createFailedImages()
  failed.add(original, 'small', exceeded)
  expect(() => failed.check('original', 'small')).toThrow(exceeded)
  expect(() => failed.check('original', 'large')).not.toThrow()
  expect(() => failed.check('other', 'small')).not.toThrow()
})

test('an original that failed in three variants fails in all', () => {
  const failed = createFailedImages()
  for (const variant of ['a', 'b', 'c']) failed.add(original, variant, new TransformFailure(422, 'crashed'))
  expect(() => failed.check('original', 'd')).toThrow('crashed')
})

test('a corrupt original is known by its content only, since its address may have a whole one next', () => {
  const failed = createFailedImages()
  for (const variant of ['a', 'b', 'c']) failed.add(original, variant, new CorruptOriginal())
  expect(() => failed.check('original', 'd')).toThrow('The original is corrupt')
  expect(() => failed.check('version', 'a')).not.toThrow()
})

test('an original that is rejected is known by its version, whatever is made of it', () => {
  const failed = createFailedImages()
  failed.addRejection('version', 'a', new RejectedOriginal('too large'))
  expect(() => failed.check('version', 'a')).toThrow('too large')
  expect(() => failed.check('version', 'b')).toThrow('too large')
  expect(() => failed.check('other', 'a')).not.toThrow()
})

test('any other 422 is known by its version for the same image only, however many of them there are', () => {
  const failed = createFailedImages()
  for (const variant of ['a', 'b', 'c'])
    failed.addRejection('version', variant, new ImageFailure(422, 'too many pixels'))
  failed.addRejection('other', 'a', new CorruptOriginal())
  for (const variant of ['a', 'b', 'c']) expect(() => failed.check('version', variant)).toThrow('too many pixels')
  expect(() => failed.check('version', 'd')).not.toThrow()
  expect(() => failed.check('other', 'a')).toThrow('The original is corrupt')
})

test.each([
  new ImageFailure(504, 'The source is too slow'),
  new ImageFailure(503, 'busy'),
  new ImageFailure(404, 'Unknown source'),
  new TransformTimeout(),
  new Error('disk full'),
  exceeded, // for longer, by `add`
])('%s is not a rejection', (error) => {
  const failed = createFailedImages()
  failed.addRejection('version', 'a', error)
  expect(() => failed.check('version', 'a')).not.toThrow()
})

test('a rejection is forgotten after a while', async () => {
  const failed = createFailedImages(1)
  failed.addRejection('version', 'a', new RejectedOriginal('too large'))
  await expect.poll(() => failed.check('version', 'a')).toBe(undefined)
})

test('an original skips the stages that one of its images was too slow for, and all but the last when one failed', async () => {
  const failed = createFailedImages()
  failed.addSlow({ digest: 'slow', origin: undefined }, 'light')
  failed.addSlow({ digest: 'slower', origin: undefined }, 'light')
  failed.addSlow({ digest: 'slower', origin: undefined }, 'heavy')
  failed.add({ ...original, digest: 'crash' }, 'a', new TransformFailure(422, 'crashed'))
  failed.add({ ...original, digest: 'corrupt' }, 'a', new CorruptOriginal())
  failed.add({ ...original, digest: 'busy machine' }, 'a', new TransformTimeout())
  const names = ['slow', 'slower', 'crash', 'corrupt', 'busy machine', 'other']
  expect(names.map(failed.stageOf)).toEqual(['heavy', 'second', 'second', 'second', 'light', 'light'])
  const forgetful = createFailedImages(1)
  forgetful.addSlow({ digest: 'slow', origin: undefined }, 'light')
  await expect.poll(() => forgetful.stageOf('slow')).toBe('light')
})

test('an origin is slow after three slow originals, of whatever stage; files are not', () => {
  const failed = createFailedImages()
  const origin = 'https://cdn.example.com'
  for (const digest of ['a', 'a', 'b']) failed.addSlow({ digest, origin }, 'light')
  for (const digest of ['d', 'e', 'f']) failed.addSlow({ digest, origin: undefined }, 'light')
  expect(failed.isSlowOrigin(origin)).toBe(false)
  failed.addSlow({ digest: 'c', origin }, 'heavy')
  expect(['https://other.example.com', undefined, origin].map(failed.isSlowOrigin)).toEqual([false, false, true])
})

test('other failures are not remembered', () => {
  const failed = createFailedImages()
  failed.add(original, 'small', new ImageFailure(422, 'The original is too large'))
  failed.add(original, 'small', new Error('disk full'))
  failed.add(original, 'small', new TransformTimeout())
  expect(() => failed.check('original', 'small')).not.toThrow()
})

test('a failure is forgotten after a while', async () => {
  const failed = createFailedImages(1)
  failed.add(original, 'small', exceeded)
  await expect.poll(() => failed.check('original', 'small')).toBe(undefined)
})

test('the list is bounded', () => {
  const failed = createFailedImages()
  for (let index = 0; index <= 1_000; index++) {
    failed.add({ digest: `digest ${index}`, version: `version ${index}` }, 'small', exceeded)
  }
  expect(() => failed.check('digest 0', 'small')).not.toThrow()
  expect(() => failed.check('digest 1000', 'small')).toThrow()
})

test('an image is known by its address, too, whatever bytes that has', () => {
  const failed = createFailedImages()
  failed.add({ ...original, digest: 'others' }, 'small', exceeded)
  expect(() => failed.check('version', 'small')).toThrow()
  expect(() => failed.check('version', 'large')).not.toThrow()
})
