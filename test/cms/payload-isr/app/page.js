import { payloadTags, taggedPage } from '../../../../docs/snippets/next-payload/tags'
import { startPayload } from '../../payload-next/payload.js'

export default function Page() {
  return <Archive category={1} />
}

/** @param {{ category: number }} props */
async function Archive({ category }) {
  const payload = await startPayload([payloadTags])
  const where = { category: { equals: category }, _status: { equals: 'published' } }
  const { docs } = await taggedPage(() => payload.find({ collection: 'posts', where, depth: 1, sort: 'id' }))
  const titles = docs.map((/** @type {any} */ post) => `${post.title} in ${post.category?.title}`)
  return <p>{[...titles, crypto.randomUUID()].join(', ')}</p>
}
