import type { Refusal } from './refusals.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The tags to invalidate, or what is wrong with the body. */
export type NarrowedTags = { tags: readonly string[]; refusal?: never } | { refusal: Refusal; tags?: never }

/** Names the tags that the payload of a webhook concerns; an empty list when it concerns nothing. */
export type TagsOf = (payload: unknown) => readonly string[]

/**
 * Maps a JSON body to tags by a function of the user's.
 *
 * @throws TypeError when it gives no list of names, and whatever it throws itself.
 */
export function mapPayload(tagsOf: TagsOf, body: Uint8Array): NarrowedTags {
  const payload = parseJson(body)
  if (payload === undefined) return refuse('Body is not JSON')
  const tags = tagsOf(payload)
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string' || !tag)) {
    throw new TypeError("tagsOf: must give a list of names, such as ['document'], or an empty one")
  }
  return { tags: [...new Set(tags)] }
}

/**
 * Narrows the configured tags to those that a JSON body `{"tags": […]}` names. An empty body, or an object without
 * `tags`, narrows nothing; other fields are not looked at, since a CMS sends what it likes.
 *
 * @example narrowTags(['document', 'menu'], new TextEncoder().encode('{"tags":["menu"]}')) // { tags: ['menu'] }
 */
export function narrowTags(configured: readonly string[], body: Uint8Array): NarrowedTags {
  if (body.length === 0) return { tags: configured }
  const json = parseJson(body)
  if (json === undefined) return refuse('Body is not JSON')
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return refuse('Body must be an object such as {"tags":["document"]}')
  }
  const { tags } = json as { tags?: unknown }
  if (tags === undefined) return { tags: configured }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    return refuse('tags must be an array of strings')
  }
  // To invalidate nothing and answer "revalidated" would be a lie.
  if (tags.length === 0) return refuse('tags must name at least one tag')
  const unknown = tags.find((tag) => !configured.includes(tag))
  if (unknown !== undefined) return refuse(`Unknown tag ${JSON.stringify(unknown.slice(0, 100))}`)
  return { tags: configured.filter((tag) => tags.includes(tag)) }
}

function refuse(error: string): NarrowedTags {
  return { refusal: { status: 400, error } }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined // no UTF-8, or no JSON
  }
}
