import { integer, type OptionCheck, oneOf, unchecked, withMethod } from '../../core/known-options.js'
import { checkFunction, checkInteger, checkObject } from '../../core/option-error.js'
import { checkTimeout } from '../../core/timeout.js'

const checkQuality: OptionCheck = (option, value) => {
  for (const [format, quality = 1] of Object.entries(checkObject(option, value) as object)) {
    checkInteger(`${option}.${format}`, quality, 1, 100)
  }
  return value
}

/** The options by name; TypeScript compares them with the interface where they are checked. */
export const imageServiceChecks = {
  keys: unchecked,
  sources: unchecked,
  cache: withMethod('get', "a store such as diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })"),
  tagIndex: withMethod('stamp', 'a tag index, such as memoryTagIndex()'),
  allowNetworks: unchecked,
  maxSourceBytes: integer(1),
  maxPixels: integer(1),
  sourceTimeout: checkTimeout,
  transformTimeout: checkTimeout,
  isolation: oneOf('process', 'none'),
  workerFile: unchecked,
  maxWorkerMemory: integer(1),
  concurrency: integer(1),
  fetchConcurrency: integer(1),
  fetchConcurrencyPerOrigin: integer(1),
  maxQueue: integer(),
  maxAge: integer(),
  remoteMaxAge: integer(),
  quality: checkQuality,
  lookup: checkFunction,
  log: checkFunction,
  onEvent: checkFunction,
}
