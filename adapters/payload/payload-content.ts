import type { ContentReads } from '../../core/content/index.js'
import { anyContent } from '../../core/content/internal.js'
import { describeError, logError } from '../../core/log.js'
import { checkFunction, checkKnownOptions, type OptionChecks, required, withMethod } from '../../core/options.js'
import type { Invalidate } from '../../core/revalidate/index.js'
import { createPurge } from '../../core/revalidate/internal.js'
import { encodeTag } from '../../core/tags.js'
import { deletionTag, documentTag, type Fields, keyTags, listTag, queryTags, referenceTags } from './tags.js'

export interface PayloadContentOptions {
  /** The tags of the site's content, `createContentTags(…)`. A page gets the tags of all that Payload reads for it. */
  content: Pick<ContentReads, 'read'>
  /**
   * Invalidates everything that has one of the tags: the `invalidate` of a response cache, or Next.js' `revalidateTag`
   * for each of them. When it fails or takes more than ten seconds, the change is saved nevertheless, and `invalidate`
   * is called again until it succeeds.
   */
  invalidate: Invalidate
}

const checks: OptionChecks<PayloadContentOptions> = {
  content: required(withMethod('read', 'the result of createContentTags')),
  invalidate: required(checkFunction),
}

type Hook = (args: Fields) => Promise<void>

/**
 * Creates a plugin for Payload 3 (https://payloadcms.com/docs/plugins/overview). While a page renders, `payload.find`,
 * `findByID`, `findGlobal`, `count` and `findDistinct` note its tags: each document by collection and id, to any depth,
 * and each list by its collection or, with `where: { category: { equals: 3 } }`, by that value. A change purges them
 * after its transaction is committed, and before `payload.update` returns. A rollback purges nothing.
 *
 * `payload.db` calls no hooks, so its reads and writes are unknown. Put the plugin last, because it sees only the
 * collections of the plugins before it.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const plugin = payloadContent({ content, invalidate: cache.invalidate }) // in the plugins of payload.config.ts
 */
export function payloadContent(options: PayloadContentOptions): <Config extends object>(config: Config) => Config {
  checkKnownOptions(options, checks, 'payloadContent({ content, invalidate: cache.invalidate })')
  const note = (tags: readonly string[]) => options.content.read({ tagsOf: () => tags }, () => undefined)
  const onChange = createOnChange(options.invalidate)

  const afterRead: Hook = async ({ collection, global: entity = collection, doc, req }) => {
    const id = collection ? doc.id : 'global'
    await note([documentTag(entity.slug, id), ...referenceTags(entity.flattenedFields, doc, id, req.payload)])
  }
  const beforeOperation: Hook = async ({ operation, args, collection }) => {
    if (!/^(?:read|count)/.test(operation)) return
    // A document by its id is noted even if it is missing, or is a draft.
    await note(args.id === undefined ? queryTags(collection, args) : [documentTag(collection.slug, args.id)])
  }
  // Visitors find a document by the values that it has in the database. Its last version may be a draft with others.
  const earlier = new WeakMap<Fields, Map<string, string[]>>()
  const before: Hook = async ({ collection, originalDoc, id = originalDoc?.id, req }) => {
    if (id === undefined) return
    const find = { collection: collection.slug, where: { id: { equals: id } }, req }
    const keys = keyTags(collection, await req.payload.db.findOne(find))
    earlier.set(req, (earlier.get(req) ?? new Map()).set(documentTag(collection.slug, id), keys))
  }
  const after: Hook = async ({ collection, global: entity = collection, data, doc, previousDoc, req }) => {
    const id = collection ? doc.id : 'global'
    const tag = documentTag(entity.slug, id)
    const keys = [data, doc, previousDoc].flatMap((each) => keyTags(entity, each))
    const own = data ? [tag] : [tag, deletionTag(entity.slug, id)]
    await onChange(req, [...own, listTag(entity.slug), ...keys, ...(earlier.get(req)?.get(tag) ?? [])])
  }
  const hooks = {
    beforeOperation,
    afterRead,
    beforeChange: before,
    beforeDelete: before,
    afterChange: after,
    afterDelete: after,
  }
  return (config) => {
    const { collections = [], globals = [] } = config as Fields
    return {
      ...config,
      collections: collections.map((collection: Fields) => withHooks(collection, hooks)),
      globals: globals.map((global: Fields) => withHooks(global, { afterRead, afterChange: after })),
    }
  }
}

/** Adds hooks behind those of a collection or a global. */
function withHooks(entity: Fields, hooks: Readonly<Record<string, Hook>>): Fields {
  const all = Object.entries(hooks).map(([name, hook]) => [name, [...(entity.hooks?.[name] ?? []), hook]])
  return { ...entity, hooks: { ...entity.hooks, ...Object.fromEntries(all) } }
}

const failed = 'Payload content: a purge failed, and is tried again'

/** Creates the function that purges the tags of a change: now, or when its transaction is committed. */
function createOnChange(invalidate: Invalidate) {
  const purge = createPurge({ invalidate })
  const onFailure = (error: unknown) => logError(failed, { reason: describeError(error) })
  // The tags are encoded as those of `content.collect`, for Next.js' `revalidateTag`.
  const purgeAll = (tags: readonly string[]) =>
    purge([...new Set([...tags.map(encodeTag), 'payload', anyContent])]).catch(onFailure)
  // By session of the database, which ends with the transaction.
  const pending = new WeakMap<Fields, string[]>()
  const watched = new WeakSet<Fields>()
  // The id may be a promise. It is `null` without transactions, and an empty object after Payload has read a relation.
  const sessionOf = async ({ sessions }: Fields, id: unknown) => sessions?.[(await id) as string]

  return async ({ payload: { db }, transactionID }: Fields, tags: readonly string[]): Promise<unknown> => {
    const session = await sessionOf(db, transactionID)
    if (!session) return purgeAll(tags)
    pending.set(session, [...(pending.get(session) ?? []), ...tags])
    if (watched.has(db)) return undefined
    watched.add(db)
    // Payload has no hook after the commit, so the function of the database adapter is wrapped.
    const { commitTransaction: commit } = db
    const commitTransaction = async (id: unknown) => {
      const committed = pending.get(await sessionOf(db, id))
      await commit.call(db, id)
      if (committed) await purgeAll(committed)
    }
    return Object.assign(db, { commitTransaction })
  }
}
