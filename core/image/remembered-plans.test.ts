import { expect, test, vi } from 'vitest'
import type { ImagePlan, ImagePlanner } from './planner.js'
import { rememberPlans } from './remembered-plans.js'

const image = (url: string): ImagePlan => ({
  url: `planned ${url}`,
  source: '/a.jpg',
  isImmutable: false,
  tag: undefined,
})
const notFound: ImagePlan = { error: { status: 404, error: 'Image not found' } }

test('the plan of an image is made once, by method and URL', () => {
  const plan = vi.fn<ImagePlanner>(({ url }) => image(url))
  const planOnce = rememberPlans(plan)
  for (let round = 0; round < 3; round++) {
    for (const method of ['GET', 'HEAD']) expect(planOnce({ method, url: '/a' })).toEqual(image('/a'))
    expect(planOnce({ method: 'GET', url: '/b' })).toEqual(image('/b'))
  }
  expect(plan).toHaveBeenCalledTimes(3)
})

test.each([
  ['an error', '/a', notFound],
  ['what is no image', '/a', undefined],
  ['an image with a version, which may be another one by now', '/a?width=64&v=1', image('/a')],
  ['a URL that is longer than any that the loader writes', `/${'a'.repeat(1_000)}`, image('/a')],
])('%s is not remembered', (_, url, planned) => {
  const plan = vi.fn<ImagePlanner>(() => planned)
  const planOnce = rememberPlans(plan)
  for (let round = 0; round < 2; round++) expect(planOnce({ method: 'GET', url })).toBe(planned)
  expect(plan).toHaveBeenCalledTimes(2)
})

test('a thousand are remembered', () => {
  const plan = vi.fn<ImagePlanner>(({ url }) => image(url))
  const planOnce = rememberPlans(plan)
  for (let index = 0; index <= 1_000; index++) planOnce({ method: 'GET', url: `/${index}` })
  planOnce({ method: 'GET', url: '/1000' })
  expect(plan).toHaveBeenCalledTimes(1_001)
  planOnce({ method: 'GET', url: '/0' })
  expect(plan).toHaveBeenCalledTimes(1_002)
})
