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
  /** Returns the encoded tags. */
  tags(): readonly string[]
}

/** @param maxTags Maximum number of tags of answers; beyond it, {@link anyContent} takes their place. */
export function createReads(maxTags: number): Reads {
  const added = new Set<string>()
  const answerTags = new Set<string>()
  let unread = 0
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
