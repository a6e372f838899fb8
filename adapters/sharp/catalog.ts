import type { ByteStore } from './byte-store.js'
import { etagOf } from './etag.js'
import type { Picture } from './respond.js'

/** What is known without reading an original. */
export interface Catalog {
  /** The validator that a variant of an original has. */
  etagOf(digest: string, variant: string): string
  /** The digest of a version of an original, when it is remembered and no older than `freshFor` milliseconds. */
  digest(version: string, freshFor: number): Promise<string | undefined>
  /** Remembers it, but only once a picture was made of it. */
  rememberDigest(version: string, digest: string): void
  picture(etag: string): Promise<Picture | undefined>
  rememberPicture(picture: Picture): void
}

/**
 * Creates the catalog over a store. Pictures are kept by their validator, which is made of the original's content:
 * they outlive a deployment that gives every file a new time, and one that changes nothing else. From a source to its
 * content leads a second, tiny entry.
 *
 * @param recipe What makes pictures; with another one, all that is kept is forgotten.
 */
export function createCatalog(store: ByteStore, recipe: string): Catalog {
  return {
    etagOf: (digest, variant) => etagOf(digest, variant, recipe),

    async digest(version, freshFor) {
      const { digest, at } = (await store.get(digestKey(version)))?.meta ?? {}
      return Number(at) + freshFor > Date.now() ? String(digest) : undefined
    },

    rememberDigest(version, digest) {
      void store.set(digestKey(version), { meta: { digest, at: Date.now() }, body: nothing })
    },

    async picture(etag) {
      const stored = await store.get(pictureKey(etag))
      return stored && { etag, type: String(stored.meta.type), body: stored.body }
    },

    // Nobody waits for the disk: a visitor has the picture already.
    rememberPicture({ etag, type, body }) {
      void store.set(pictureKey(etag), { meta: { type }, body })
    },
  }
}

const nothing = new Uint8Array()

function digestKey(version: string): string {
  return `original\n${version}`
}

function pictureKey(etag: string): string {
  return `picture\n${etag}`
}
