import { expect, it, vi } from 'vitest'
import { createStyleguideMetadata } from './styleguide.js'

// Only Next.js can call the real function.
vi.mock('next/server.js', () => ({ connection: async () => {} }))

const robots = { index: false, follow: false }
const tree = { title: 'Guide', pages: [{ title: 'Colors', pages: [{ title: 'All colors' }] }] }

it.each([
  [undefined, { title: 'Guide', robots }],
  [['colors'], { title: 'Colors – Guide', robots }],
  [['colors', 'all-colors'], { title: 'All colors – Guide', robots }],
  [['missing'], { robots }],
])('the metadata of %j is %j', async (slug, metadata) => {
  const params = Promise.resolve(slug ? { slug } : {})
  expect(await createStyleguideMetadata({ tree, enabled: true })({ params })).toEqual(metadata)
  expect(await createStyleguideMetadata({ tree, enabled: false })({ params })).toEqual({ robots })
  expect(() => createStyleguideMetadata({ tree, enabled: 'false' as never })).toThrow(
    /^enabled: expected true or false/,
  )
})

it('a title may contain the titles of the pages above it', async () => {
  const title = ({ trail }: { trail: readonly { title: string }[] }) => trail.map((page) => page.title).join(' / ')
  const generateMetadata = createStyleguideMetadata({ tree, enabled: true, title })
  const params = Promise.resolve({ slug: ['colors', 'all-colors'] })
  expect(await generateMetadata({ params })).toEqual({ title: 'Guide / Colors / All colors', robots })
})
