import { payloadTags, tagged } from '../../../../docs/snippets/next-payload/tags'
import { startPayload } from '../payload.js'

export default function Page() {
  return <Archive category={1} />
}

/**
 * Queries by category in a component of its own, as the archive block of Payload's template.
 *
 * @param {{ category: number }} props
 */
async function Archive({ category }) {
  'use cache'
  const payload = await startPayload([payloadTags])
  const where = { category: { equals: category }, _status: { equals: 'published' } }
  const { docs } = await tagged(() => payload.find({ collection: 'posts', where, depth: 1, sort: 'id' }))
  const titles = docs.map((/** @type {any} */ post) => `${post.title} in ${post.category?.title}`)
  return <p>{[...titles, crypto.randomUUID()].join(', ')}</p>
}
