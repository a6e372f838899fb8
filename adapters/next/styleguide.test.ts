import { expect, it, vi } from 'vitest'
import { createStyleguidePage } from './styleguide.js'

// Only Next.js can call the real function.
vi.mock('next/server.js', () => ({ connection: async () => {} }))

const robots = { index: false, follow: false }
const render = () => undefined
const tree = { title: 'Guide', pages: [{ title: 'Colors', pages: [{ title: 'All colors' }] }] }

it.each([
  [undefined, { title: 'Guide', robots }],
  [['colors'], { title: 'Colors – Guide', robots }],
  [['colors', 'all-colors'], { title: 'All colors – Guide', robots }],
  [['missing'], { robots }],
])('the metadata of %j is %j', async (slug, metadata) => {
  const params = Promise.resolve(slug ? { slug } : {})
  expect(await createStyleguidePage({ tree, enabled: true, render }).generateMetadata({ params })).toEqual(metadata)
  expect(await createStyleguidePage({ tree, enabled: false, render }).generateMetadata({ params })).toEqual({ robots })
  expect(() => createStyleguidePage({ tree, enabled: 'false' as never, render })).toThrow(
    /^enabled: expected true or false/,
  )
})

it('a title may contain the titles of the pages above it', async () => {
  const title = ({ trail }: { trail: readonly { title: string }[] }) => trail.map((page) => page.title).join(' / ')
  const { generateMetadata } = createStyleguidePage({ tree, enabled: true, render, title })
  const params = Promise.resolve({ slug: ['colors', 'all-colors'] })
  expect(await generateMetadata({ params })).toEqual({ title: 'Guide / Colors / All colors', robots })
})
