import { createHash } from 'node:crypto'
import type { StoredBytes } from '../byte-store.js'

/** An entry of some 200 kilobytes that follows from its name, so that a mixture of two is told from either. */
export const entryOf = (name: string, bytes = 200_000): StoredBytes => {
  const block = createHash('sha512').update(name).digest()
  return { meta: { name }, body: Buffer.alloc(bytes, block) }
}

/** Whether an entry is what {@link entryOf} made. */
export const isIntact = ({ meta, body }: StoredBytes) =>
  Buffer.from(entryOf(String(meta.name), body.length).body).equals(body) && body.length > 0
