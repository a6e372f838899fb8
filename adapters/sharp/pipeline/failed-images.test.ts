import { expect, test } from 'vitest'
import {
  CorruptOriginal,
  ImageFailure,
  OriginalTooLarge,
  ProcessorTimeExceeded,
  TransformFailure,
  TransformTimeout,
} from '../failure.js'
import { createFailedImages } from './failed-images.js'

const exceeded = new ProcessorTimeExceeded(10_000)
const original = { digest: 'original', version: 'version', origin: 'https://images.example' }

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

test('corrupt originals do not keep others of their origin from being rendered', () => {
  const failed = createFailedImages()
  for (const digest of ['1', '2', '3', '4']) failed.add({ ...original, digest }, 'a', new CorruptOriginal())
  expect(() => failed.checkOrigin(original.origin)).not.toThrow()
})

test('an original that is too large is known by its version, whatever is made of it', () => {
  const failed = createFailedImages()
  failed.addUnread('version', new OriginalTooLarge(1))
  failed.addUnread('other', new ImageFailure(504, 'The source is too slow'))
  expect(() => failed.check('version', 'a')).toThrow('larger than 1 bytes')
  expect(() => failed.check('version', 'b')).toThrow('larger than 1 bytes')
  expect(() => failed.check('other', 'a')).not.toThrow()
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
    failed.add({ digest: `digest ${index}`, version: `version ${index}`, origin: undefined }, 'small', exceeded)
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

test('three originals that failed are enough of one origin, three variants of one are not', () => {
  const failed = createFailedImages()
  for (const variant of ['a', 'b', 'c']) failed.add(original, variant, exceeded)
  failed.add({ ...original, digest: '2' }, 'a', exceeded)
  expect(() => failed.checkOrigin(original.origin)).not.toThrow()
  failed.add({ ...original, digest: '3' }, 'a', new TransformTimeout())
  expect(() => failed.checkOrigin(original.origin)).not.toThrow()
  failed.add({ ...original, digest: '3' }, 'a', exceeded)
  expect(() => failed.checkOrigin(original.origin)).toThrow(expect.objectContaining({ status: 503 }))
  expect(() => failed.checkOrigin('https://others.example')).not.toThrow()
})

test('an origin is given another chance when its failures are forgotten', async () => {
  const failed = createFailedImages(1)
  for (const digest of ['1', '2', '3']) failed.add({ ...original, digest }, 'a', exceeded)
  await expect.poll(() => failed.checkOrigin(original.origin)).toBe(undefined)
})

test('files are of no origin', () => {
  const failed = createFailedImages()
  for (const digest of ['1', '2', '3']) failed.add({ ...original, digest, origin: undefined }, 'a', exceeded)
  expect(() => failed.checkOrigin(undefined)).not.toThrow()
})
