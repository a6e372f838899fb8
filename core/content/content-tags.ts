import { describeError, type Log, logError, throttleLog } from '../log.js'
import { optionError } from '../option-error.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required, withMethod } from '../options.js'
import { checkTagList } from '../tags.js'
import { anyContent, createReads, findRenderContext, onceRead, type Reads, type RenderContext } from './reads.js'

/** An answer of a CMS that the site has read. */
export interface ContentAnswer {
  /** URL of the request, absolute. */
  url: string
  headers: Headers
  /** The parsed body, or `undefined` if the body is not JSON. */
  json: unknown
}

/**
 * A content source. It names an entry by the same tag in the answers that the site reads and in the payloads of the
 * webhooks. Each entry has a tag of its own, and each type has a tag that all lists of the type share.
 */
export interface ContentSource {
  /**
   * Returns the tags of an answer: the tags of its entries and, for a query, the tags of the types that it lists, so
   * that a new entry also purges the list. Returns an empty list if the answer is from another source.
   */
  tagsOfAnswer(answer: ContentAnswer): readonly string[]
  /**
   * Returns the tags that a webhook's payload purges: the tag of the entry and the tag of its type. Returns `undefined`
   * for an unknown payload: if no source knows it, all pages are purged. A body that is not JSON is passed as `{}`.
   */
  tagsOfPayload(payload: unknown): readonly string[] | undefined
  /**
   * Milliseconds after a webhook within which an answer may still show the content of before: a CDN of the CMS lags behind, or
   * the webhook is sent before the change is committed. Pages that are rendered meanwhile are kept for seconds only.
   * Default 0.
   */
  settles?: number | undefined
}

export interface ContentTagsOptions {
  /** The content systems that the site reads. An answer or a payload may come from any of them. */
  sources: readonly ContentSource[]
  /** Requests the content. Default: the platform's `fetch`. */
  fetch?: typeof fetch | undefined
  /**
   * Tells which render is in progress: `new AsyncLocalStorage()` of `node:async_hooks`. Default: the platform's, on
   * Node, Bun, Deno and, with `nodejs_compat`, Cloudflare Workers.
   */
  context?: RenderContext | undefined
  /** Maximum number of tags from answers on a page; beyond it, `any-content` takes their place. Default 200. */
  maxTags?: number | undefined
  /** Receives warnings, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

/** Notes the reads of one render. */
export interface ContentReads {
  /**
   * A `fetch` that notes the tags of an answer when its body is read by `json`, `text` or `arrayBuffer`. An answer that
   * failed, is not read, or is read in another way counts as any content.
   */
  readonly fetch: typeof fetch
  /**
   * Reads content that does not come by `fetch`: from a database, or a CMS in the process. Notes the tags that `tagsOf`
   * finds in the result: those of its entries and, for a list, the tag of their type, which a new entry purges. A read
   * that fails, or that has no tags, counts as any content.
   *
   * @throws TypeError when `tagsOf` returns no list of tags.
   *
   * @example
   * const menu = { tagsOf: (names: string[]) => ['menu', ...names.map((name) => `page:${name}`)] }
   * const names = await content.read(menu, () => readMenu())
   */
  read<Value>(source: { tagsOf(value: Value): readonly string[] }, load: () => Value | Promise<Value>): Promise<Value>
  /**
   * Notes tags of other content: the path of a file, the source of an image, or the tags of a value that the site
   * keeps.
   */
  add(tags: readonly string[]): void
  /**
   * Notes a date from which the page shows something else, such as the end of an event or the start of an offer. The
   * earliest date of a render ends the page's lifetime and its stale windows, here and at a CDN. Dates before the render
   * are ignored, and so are `null` and `undefined`.
   *
   * @param date A `Date`, milliseconds since 1970, or a text that `new Date` reads. Without a time zone, a time is that
   *   of the server.
   * @throws TypeError when it is not a date.
   * @example content.until('2027-03-01T21:00:00Z') // the event on the page ends
   */
  until(date: Date | number | string | null | undefined): void
}

/**
 * Notes the content that is read while a page renders. Outside of a render, `fetch` notes nothing, and `add` does
 * nothing.
 */
export interface ContentTags extends ContentReads {
  /**
   * Runs a function. Returns its result, the tags of the content that it has read, and the earliest date of
   * {@link ContentReads.until}. The render in progress gets these, too.
   *
   * @param load Receives an object that notes its reads, for platforms without an `AsyncLocalStorage`.
   * @example
   * const menu = await content.collect(() => readMenu()) // once, for several pages
   * content.add(menu.tags) // in each page that shows menu.value
   * content.until(menu.until) // if the menu has dates
   */
  collect<Value>(
    load: (reads: ContentReads) => Value | Promise<Value>,
  ): Promise<{ value: Value; tags: readonly string[]; until: Date | undefined }>
  /**
   * Returns the tags that a webhook's payload purges: the tags that the sources name, and `any-content`. If no source
   * knows the payload, or if it is not JSON, returns `document`, which purges all pages, and logs this. The
   * revalidation endpoint calls this function by its option `content`.
   */
  getTags(payload: unknown): readonly string[]
  /** The longest `settles` of the sources, in milliseconds. */
  readonly settles: number
  /** Runs a render, so that its reads are noted. The response cache does this for each render. */
  run<Result>(render: () => Result): Result
  /**
   * Returns the tags of the content that the render in progress has read so far, or `undefined` outside of a render.
   */
  tags(): readonly string[] | undefined
  /**
   * Returns the earliest date that the render in progress has noted so far, in milliseconds since 1970. Returns
   * `undefined` if there is none.
   */
  end(): number | undefined
}

const checks: OptionChecks<ContentTagsOptions> = {
  sources: required(withMethod('flatMap', 'a list of content sources')),
  fetch: checkFunction,
  context: withMethod('getStore', 'new AsyncLocalStorage()'),
  maxTags: integer(1),
  log: checkFunction,
}

/**
 * Creates the tags of the site's content. A page gets the tags of the content that was read while it rendered, and the
 * webhooks of the same sources purge these tags. So an edit reaches the pages that show it, and the site names no tag.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const content = createContentTags({ sources: [source] })
 * const cache = createResponseCache({ store, content })
 * const post = await content.fetch(url) // in the handler
 * createRevalidateEndpoint({ secret, content, invalidate: cache.invalidate })
 */
export function createContentTags(options: ContentTagsOptions): ContentTags {
  checkKnownOptions(options, checks, 'createContentTags({ sources: [source] })')
  const { sources, context = findRenderContext(), maxTags = 200 } = options
  const log = throttleLog(options.log ?? logError)
  const currentReads = () => context?.getStore() as Reads | undefined
  const expectContext = () => {
    if (context) return context
    throw optionError('context', noContext, context)
  }

  /** Returns the tags of an answer. Any webhook purges an answer without tags, because a page must not stay stale. */
  const tagsOf = (answer: ContentAnswer): readonly string[] => {
    const warn = (message: string, reason?: unknown) => {
      const url = answer.url.replace(/[?#].*/s, '') // a query may have a token
      log(message, { url, ...(reason !== undefined && { reason: describeError(reason) }) })
    }
    try {
      let tags: readonly string[] = []
      for (const source of sources) tags = tags.concat(source.tagsOfAnswer(answer)) // flatMap takes ten times as long
      if (tags.length > 0) return tags
      warn('Content tags: an answer has no tags; every webhook purges the pages that read it')
    } catch (error) {
      warn('Content tags: an answer cannot be read', error)
    }
    return [anyContent]
  }

  const createReader = (readsOf: () => Reads | undefined): ContentReads => ({
    fetch(input, init) {
      const reads = readsOf()
      const answer = (options.fetch ?? fetch)(input, init)
      if (!reads) return answer
      const onResponse = (response: Response) => {
        const onAnswer = reads.addAnswer()
        const url = response.url || (input instanceof Request ? input.url : String(input))
        return onceRead(response, (json) => onAnswer(tagsOf({ url, headers: response.headers, json })))
      }
      const onError = (error: unknown) => {
        reads.addAnswer() // any webhook purges the page, which shows something else instead
        throw error
      }
      return answer.then(onResponse, onError) // one promise; `await` would create several
    },
    async read(source, load) {
      const onAnswer = readsOf()?.addAnswer()
      const value = await load()
      const tags = checkTagList(source.tagsOf(value), 'tagsOf')
      onAnswer?.(tags.length > 0 ? tags : [anyContent])
      return value
    },
    add(tags) {
      readsOf()?.add(checkTagList(tags))
    },
    until(date) {
      if (date === null || date === undefined) return
      const time = new Date(date).getTime()
      if (Number.isNaN(time)) throw optionError('until', 'a date', date)
      readsOf()?.addDate(time)
    },
  })

  return {
    ...createReader(() => expectContext().getStore() as Reads | undefined),
    async collect(load) {
      const reads = createReads(maxTags)
      const read = () => load(createReader(() => reads))
      const value = await (context ? context.run(reads, read) : read())
      const [tags, end] = [reads.tags(), reads.end()]
      currentReads()?.add(tags)
      if (end !== undefined) currentReads()?.addDate(end)
      return { value, tags, until: end === undefined ? end : new Date(end) }
    },
    getTags(payload) {
      // A source may read the fields of a payload even if the payload is not JSON.
      const tagLists = sources.map((source) => source.tagsOfPayload(payload ?? {})).filter((tags) => tags !== undefined)
      const tags = tagLists.flat()
      if (tagLists.length > 0) return tags.length > 0 ? [...new Set([...tags, anyContent])] : []
      log('Content tags: no source knows this payload; all pages are purged', {})
      return ['document']
    },
    settles: Math.max(0, ...sources.map(({ settles = 0 }) => settles)),
    run: (render) => expectContext().run(createReads(maxTags), render),
    tags: () => currentReads()?.tags(),
    end: () => currentReads()?.end(),
  }
}

const noContext = 'an AsyncLocalStorage, which this platform lacks; write content.collect((reads) => render(reads))'
