import { parseJson } from '../http/body.js'
import { encodeTag } from '../tags.js'

/**
 * The tag of a page that shows content without tags, or content with more tags than a page may have. The payload of
 * every webhook purges this tag.
 */
export const anyContent = 'any-content'

/** The tags of the content that one render has read. */
export interface Reads {
  /** Adds tags that the page gets in any case, even beyond the maximum number. */
  add(tags: readonly string[]): void
  /** Adds an answer. The answer counts as {@link anyContent} until the returned function is called with its tags. */
  addAnswer(): (tags: readonly string[]) => void
  /** Adds a date, in milliseconds since 1970, from which the content is another. A date before the render is ignored. */
  addDate(time: number): void
  /** Returns the encoded tags. */
  tags(): readonly string[]
  /** Returns the earliest date, in milliseconds since 1970. */
  end(): number | undefined
}

/** @param maxTags Maximum number of tags of answers; beyond it, {@link anyContent} takes their place. */
export function createReads(maxTags: number): Reads {
  const added = new Set<string>()
  const answerTags = new Set<string>()
  const began = Date.now()
  let unread = 0
  let end: number | undefined
  return {
    add(tags) {
      for (const tag of tags) added.add(encodeTag(tag))
    },
    addAnswer() {
      let isRead = false
      unread++
      return (tags) => {
        if (!isRead) unread--
        isRead = true
        for (const tag of tags) if (answerTags.size <= maxTags) answerTags.add(encodeTag(tag))
      }
    },
    addDate(time) {
      // A date that passes during the render counts, because the content may have been read before it.
      if (time > began) end = Math.min(end ?? time, time)
    },
    end: () => end,
    tags() {
      const hasTooMany = answerTags.size > maxTags
      return [...added, ...(hasTooMany || unread > 0 ? [anyContent] : []), ...(hasTooMany ? [] : answerTags)]
    },
  }
}

/** The part of an `AsyncLocalStorage` that is needed. */
export interface RenderContext {
  getStore(): unknown
  run<Result>(store: unknown, work: () => Result): Result
}

type Constructor = new () => RenderContext

/**
 * Creates the platform's `AsyncLocalStorage`, without an import of Node. Returns `undefined` if the platform has none.
 */
export function findRenderContext(): RenderContext | undefined {
  const { AsyncLocalStorage, process } = globalThis as {
    AsyncLocalStorage?: Constructor
    process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: Constructor } | undefined }
  }
  const Context = AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  return Context && new Context()
}

// A text is parsed for its tags up to this length, in characters.
const maxTextLength = 8 * 1024 ** 2

const decoder = new TextDecoder()
const parseText = (text: string) => (text.length > maxTextLength ? undefined : parseJson(text))

/**
 * Calls a function each time an answer, or a clone of it, is read by `json`, `text` or `arrayBuffer`. The function
 * receives the parsed JSON, or `undefined` if the body is not JSON or is too long.
 *
 * @returns The answer.
 */
export function onceRead(response: Response, onRead: (json: unknown) => void): Response {
  const { json, text, arrayBuffer, clone } = response
  // The code uses `then`, because `await` creates one more promise, and each promise costs time within an
  // AsyncLocalStorage.
  const readAs = <Body>(read: () => Promise<Body>, parse: (body: Body) => unknown) =>
    read.call(response).then((body) => {
      onRead(parse(body))
      return body
    })
  return Object.assign(response, {
    json: () => readAs(json, (value) => value),
    text: () => readAs(text, parseText),
    arrayBuffer: () => readAs(arrayBuffer, (bytes) => parseText(decoder.decode(bytes))),
    clone: () => onceRead(clone.call(response), onRead),
  })
}
