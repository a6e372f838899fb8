import { longest } from '../../core/cache/directives.js'
import { createEntry } from '../../core/cache/entry.js'
import type { GuardedStore } from '../../core/cache/guarded-store.js'
import type { StoredResponse } from '../../core/cache/index.js'
import { headerOf } from '../../core/cache/stored-headers.js'
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
export function createCatalog(store: GuardedStore, recipe: string): Catalog {
  const find = async (key: string) => {
    const found = await store.get(key)
    return found?.entry.kind === 'response' ? { ...found.entry, age: found.age } : undefined
  }
  return {
    etagOf: (digest, variant) => etagOf(digest, variant, recipe),

    async digest(version, freshFor) {
      const known = await find(digestKey(version))
      return known && known.age * 1000 < freshFor ? headerOf(known.headers, 'etag') : undefined
    },

    rememberDigest(version, digest) {
      void store.set(digestKey(version), toEntry('etag', digest))
    },

    async picture(etag) {
      const kept = await find(pictureKey(etag))
      return kept && { etag, type: headerOf(kept.headers, 'content-type') ?? '', body: kept.body }
    },

    // Nobody waits for the disk: a visitor has the picture already.
    rememberPicture({ etag, type, body }) {
      void store.set(pictureKey(etag), toEntry('content-type', type, body))
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

/** What the stores of the response cache keep. Nothing purges it: what is found by its content is never out of date. */
function toEntry(name: string, value: string, body = new Uint8Array()): StoredResponse {
  return createEntry({ headers: [[name, value]], body, lifetime: longest, keepFor: longest })
}
