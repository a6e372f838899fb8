import { createIsNew, isDevelopment } from '../development.js'
import { throttleLog } from '../log.js'
import { createFieldWarning } from './field-warning.js'
import { createKnownPages, createNarrow } from './key.js'
import { createLimit } from './lifetime-limit.js'
import { createRenders } from './render-life.js'
import type { ResolvedOptions } from './resolve-options.js'
import { guardStore, guardTagIndex } from './store/guards.js'

const messages = {
  nonce: 'Response cache: pages with a nonce in Content-Security-Policy are not stored',
  vary: 'Response cache: pages that vary by this field are not stored',
}
const adviceOnNonces =
  "send hashes, such as 'sha256-…', in place of the nonce, because all visitors would get the same one"

/** Everything that the requests of one response cache share. */
export type CacheContext = ReturnType<typeof createCacheContext>

/** Creates the context of a response cache: its options, with a store, a tag index and a log that do not throw. */
export function createCacheContext(settings: ResolvedOptions) {
  const log = throttleLog(settings.log)
  const store = guardStore(settings.store, settings.lookupTime, log)
  const isNew = createIsNew()
  const readFields = settings.bypass && 'namesCookies' in settings.bypass ? ['cookie'] : []
  const tagIndex = guardTagIndex(settings.tagIndex, settings.lookupTime, log)
  return {
    ...settings,
    log,
    store,
    tagIndex,
    limitOf: createLimit(settings.content, tagIndex),
    renders: createRenders(store, settings.refreshTimeout, log),
    ...createNarrow(settings),
    knownPages: createKnownPages(),
    /** In development, warns of fields that a handler reads but does not receive. */
    fieldWarning: isDevelopment() ? createFieldWarning([...Object.keys(settings.fields), ...readFields]) : undefined,
    /**
     * Logs what to write instead, if a response is not stored because of a nonce or of its `Vary`: each field once, also
     * in production. The name of the field is shortened, because visitors can make it up.
     */
    explainRefusal(refusal = ''): void {
      const [, kind, field = 'nonce'] = /^(nonce|vary)(?:-(.*))?$/s.exec(refusal) ?? []
      if (!kind || !isNew(refusal)) return
      const adviceOnFields =
        field === '*' ? 'Vary: name the request fields' : `declare it: fields: { '${field}': true }`
      const advice = kind === 'nonce' ? adviceOnNonces : adviceOnFields
      settings.log(messages[kind as keyof typeof messages], { name: field.slice(0, 100), advice })
    },
  }
}
