import { expect, test } from 'vitest'
import { ImageFailure, TransformFailure, tookTooLong } from '../failure.js'
import { createFailedImages } from './failed-images.js'

test('an image that failed fails again with the same status, others of the original are tried', () => {
  const failed = createFailedImages()
  failed.add('original', 'small', tookTooLong())
  expect(() => failed.check('original', 'small')).toThrow(expect.objectContaining({ status: 504 }))
  expect(() => failed.check('original', 'large')).not.toThrow()
  expect(() => failed.check('other', 'small')).not.toThrow()
})

test('an original that failed in three variants fails in all', () => {
  const failed = createFailedImages()
  for (const variant of ['a', 'b', 'c']) failed.add('original', variant, new TransformFailure(422, 'crashed'))
  expect(() => failed.check('original', 'd')).toThrow('crashed')
})

test('other failures are not remembered', () => {
  const failed = createFailedImages()
  failed.add('original', 'small', new ImageFailure(422, 'The original is corrupt'))
  failed.add('original', 'small', new Error('disk full'))
  expect(() => failed.check('original', 'small')).not.toThrow()
})

test('a failure is forgotten after a while', async () => {
  const failed = createFailedImages(1)
  failed.add('original', 'small', tookTooLong())
  await expect.poll(() => failed.check('original', 'small')).toBe(undefined)
})

test('the list is bounded', () => {
  const failed = createFailedImages()
  for (let index = 0; index <= 1_000; index++) failed.add(`original ${index}`, 'small', tookTooLong())
  expect(() => failed.check('original 0', 'small')).not.toThrow()
  expect(() => failed.check('original 1000', 'small')).toThrow()
})
