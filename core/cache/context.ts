import { createIsNew, isDevelopment } from '../development.js'
import { throttleLog } from '../log.js'
import { createFieldWarning } from './field-warning.js'
import { createKeyMap, createNarrow } from './key.js'
import { createRenders } from './render-life.js'
import type { ResolvedOptions } from './resolve-options.js'
import { guardStore, guardTagIndex } from './store/guards.js'

const messageOnNonces = 'Response cache: pages with a nonce in Content-Security-Policy are not stored'
const adviceOnNonces =
  "send hashes, such as 'sha256-…', in place of the nonce, because all visitors would get the same one"

/** Everything that the requests of one response cache share. */
export type CacheContext = ReturnType<typeof createCacheContext>

/** Creates the context of a response cache. */
export function createCacheContext(settings: ResolvedOptions) {
  const log = throttleLog(settings.log)
  const store = guardStore(settings.store, settings.lookupTime, log)
  const isNew = createIsNew()
  /**
   * Logs which cookie or field to declare: each name once, also in production. The name is shortened, because visitors
   * can make it up.
   */
  const logOnce = (message: string, name: string, advice: string): void => {
    if (isNew(message + name)) settings.log(message, { name: name.slice(0, 100), advice })
  }
  return {
    settings,
    log,
    store,
    tagIndex: guardTagIndex(settings.tagIndex, settings.lookupTime, log),
    renders: createRenders(store, settings.refreshTimeout, log),
    ...createNarrow(settings.fields, settings.cookies, settings.queryParameters),
    /** The URLs that have a rendered or stored variant, so that an unsafe method purges no other URL. */
    knownUrls: createKeyMap<true>(),
    /** In development, warns of fields that a handler reads but does not receive. */
    fieldWarning: isDevelopment() ? createFieldWarning(settings.fields) : undefined,
    logOnce,
    /** Logs what to write instead, if a response is not stored because of its `Vary` or of a nonce. */
    explainRefusal(refusal?: string): void {
      const name = refusal?.startsWith('vary-') ? refusal.slice('vary-'.length) : undefined
      const advice = name === '*' ? 'Vary: name the request fields' : `declare it: fields: { '${name}': true }`
      if (name) logOnce('Response cache: pages that vary by this field are not stored', name, advice)
      if (refusal === 'nonce') logOnce(messageOnNonces, refusal, adviceOnNonces)
    },
  }
}
