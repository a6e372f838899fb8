import type { StoredValue } from '../../../core/cache/index.js'
import type { GuardedStore } from '../../../core/cache/internal.js'
import { maxSeconds } from '../../../core/http/cache-control.js'
import type { Picture } from '../requests/responses.js'
import { etagOf } from './etag.js'

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
export function createCatalog(store: GuardedStore, recipe: string): Catalog {
  const find = async (key: string) => {
    const found = await store.get(key)
    return found?.entry.kind === 'value' ? { ...found.entry, age: found.age } : undefined
  }
  return {
    etagOf: (digest, variant) => etagOf(digest, variant, recipe),

    async digest(version, freshFor) {
      const known = await find(digestKey(version))
      const { digest } = known?.metadata ?? {}
      return known && known.age * 1000 < freshFor && typeof digest === 'string' ? digest : undefined
    },

    rememberDigest(version, digest) {
      void store.set(digestKey(version), toValue({ digest }))
    },

    async picture(etag) {
      const kept = await find(pictureKey(etag))
      const { type } = kept?.metadata ?? {}
      return kept && typeof type === 'string' ? { etag, type, body: kept.body } : undefined
    },

    // Nobody waits for the disk: a visitor has the picture already.
    rememberPicture({ etag, type, body }) {
      void store.set(pictureKey(etag), toValue({ type }, body))
    },
  }
}

// No URL begins like that: pages may be kept in the same store.
function digestKey(version: string): string {
  return `original\n${version}`
}

function pictureKey(etag: string): string {
  return `picture\n${etag}`
}

/** Nothing purges it: what is found by its content is never out of date. */
function toValue(metadata: StoredValue['metadata'], body = new Uint8Array()): StoredValue {
  return { kind: 'value', metadata, body, ttl: maxSeconds }
}
