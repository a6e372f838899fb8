/** The tag of a page with content that has no tags of its own, or more than a page bears. Every payload of a webhook purges it. */
export const anyContent = 'any-content'

/** The tags of what one render has read. */
export interface Reads {
  /** Adds tags that a page always bears. */
  add(tags: readonly string[]): void
  /** Adds the tags of an answer; beyond the limit, {@link anyContent} takes their place. */
  addAnswer(tags: readonly string[]): void
  tags(): readonly string[]
}

/** @param maxTags Maximum number of tags of answers. */
export function createReads(maxTags: number): Reads {
  const added = new Set<string>()
  const ofAnswers = new Set<string>()
  let isGrouped = false
  return {
    add(tags) {
      for (const tag of tags) added.add(tag)
    },
    addAnswer(tags) {
      if (isGrouped) return
      for (const tag of tags) ofAnswers.add(tag)
      isGrouped = ofAnswers.size > maxTags
      if (!isGrouped) return
      ofAnswers.clear()
      added.add(anyContent)
    },
    tags: () => [...added, ...ofAnswers],
  }
}

/** The part of an `AsyncLocalStorage` that is needed. */
export interface RenderContext {
  getStore(): unknown
  run<Result>(store: unknown, work: () => Result): Result
}

type Constructor = new () => RenderContext

/** Creates the platform's `AsyncLocalStorage`, without an import of Node; `undefined` if the platform has none. */
export function findRenderContext(): RenderContext | undefined {
  const { AsyncLocalStorage, process } = globalThis as {
    AsyncLocalStorage?: Constructor
    process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: Constructor } | undefined }
  }
  const Context = AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  return Context && new Context()
}
