import type { ContentReads } from '../../core/content/index.js'
import { anyContent } from '../../core/content/internal.js'
import { describeError, logError } from '../../core/log.js'
import { checkFunction, checkKnownOptions, type OptionChecks, required, withMethod } from '../../core/options.js'
import type { Invalidate } from '../../core/revalidate/index.js'
import { createPurge } from '../../core/revalidate/internal.js'
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
 * export default buildConfig({
 *   collections,
 *   plugins: [payloadContent({ content, invalidate: cache.invalidate })],
 * })
 */
export function payloadContent(options: PayloadContentOptions): <Config extends object>(config: Config) => Config {
  checkKnownOptions(options, checks, 'payloadContent({ content, invalidate: cache.invalidate })')
  const note = (tags: readonly string[]) => options.content.read({ tagsOf: () => tags }, () => undefined)
  const { collect, purge, withCommit } = createChanges(options.invalidate)

  const afterRead: Hook = async ({ collection, global, doc, req }) => {
    const { slug, flattenedFields } = collection ?? global
    const id = collection ? doc.id : 'global'
    await note([documentTag(slug, id), ...referenceTags(flattenedFields, doc, id, req.payload)])
  }
  const beforeOperation: Hook = async ({ operation, args, collection }) => {
    if (!/^(?:read|count)/.test(operation)) return
    // A document by its id is noted even if it is missing, or is a draft.
    await note(args.id === undefined ? queryTags(collection, args) : [documentTag(collection.slug, args.id)])
  }
  // Visitors find a document by the values that it has in the database. Its last version may be a draft with others.
  const before: Hook = async ({ collection, originalDoc, id = originalDoc?.id, req }) => {
    if (id === undefined) return
    const find = { collection: collection.slug, where: { id: { equals: id } }, req }
    await collect(req, keyTags(collection, await req.payload.db.findOne(find)))
  }
  const after: Hook = async ({ collection, global, data, doc, previousDoc, req }) => {
    const { slug } = collection ?? global
    const id = collection ? doc.id : 'global'
    const keys = [data, doc, previousDoc].flatMap((each) => keyTags(collection ?? global, each))
    await collect(req, [documentTag(slug, id), listTag(slug), ...keys, ...(data ? [] : [deletionTag(slug, id)])])
    await purge(req)
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
    const { db, collections = [], globals = [] } = config as Fields
    return {
      ...config,
      db: withCommit(db),
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

/** Collects the tags of the changes in each transaction, and purges them when it is committed. */
function createChanges(invalidate: Invalidate) {
  const logFailure = (reason: string) => logError('Payload content: a purge failed, and is tried again', { reason })
  const purge = createPurge({ invalidate }, (_, reason) => reason !== undefined && logFailure(reason))
  // By session of the database, which ends with the transaction. By request where there are no transactions.
  const pending = new WeakMap<Fields, string[]>()
  // The id may be a promise. It is `null` without transactions, and an empty object after Payload has read a relation.
  const sessionOf = async ({ sessions }: Fields, id: unknown) => sessions?.[(await id) as string]
  const purgePending = async (key: Fields | undefined) => {
    const tags = key && pending.get(key)
    if (!tags) return
    pending.delete(key)
    await purge([...new Set(tags), 'payload', anyContent]).catch((error) => logFailure(describeError(error)))
  }
  return {
    async collect(req: Fields, tags: readonly string[]) {
      const key = (await sessionOf(req.payload.db, req.transactionID)) ?? req
      pending.set(key, [...(pending.get(key) ?? []), ...tags])
    },
    /** Purges the tags of a change, unless they wait for the commit. */
    purge: (req: Fields) => purgePending(req),
    /** Wraps the commit of a database adapter, because Payload has no hook after it. */
    withCommit: (adapter: Fields): Fields => ({
      ...adapter,
      init(args: unknown) {
        const db = adapter.init(args)
        const { commitTransaction: commit } = db
        const commitTransaction = async (id: unknown) => {
          const session = await sessionOf(db, id)
          await commit.call(db, id)
          await purgePending(session)
        }
        return Object.assign(db, { commitTransaction })
      },
    }),
  }
}
