import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkFunction, checkObject, integer, type OptionCheck, type OptionChecks, oneOf, required, unchecked, withMethod } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { checkTimeout } from '../../core/timeout.js'
import type { QualityByFormat } from './transforms/encoders.js'

const checkPercent = integer(1, 100)
// TypeScript says when one is missing.
const qualities: OptionChecks<QualityByFormat> = { avif: checkPercent, webp: checkPercent, jpeg: checkPercent }
const checkQuality: OptionCheck = (option, value) => {
  for (const [format, quality = 1] of Object.entries(checkObject(option, value) as object)) {
    const expected = Object.keys(qualities)
    if (!expected.includes(format)) throw optionError(option, `qualities of ${expected.join(', ')}`, format)
    checkPercent(`${option}.${format}`, quality)
  }
  return value
}

const checkNetworks: OptionCheck = (option, value) => {
  const isList = (each: unknown) => Array.isArray(each) && each.every((network) => typeof network === 'string')
  const isByHost = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isByHost ? Object.values(value).every(isList) : isList(value)) return value
  throw optionError(
    option,
    "networks by host, such as { 'nas.internal': ['10.0.0.0/8'] }, or a list of networks",
    value,
  )
}

/** Returns the path of a file, which is there. */
export function checkWorkerFile(option: string, value: unknown): string {
  // As text: some bundlers have a `URL` of their own, which Node does not accept.
  const text = String(value)
  const file = text.startsWith('file:') ? fileURLToPath(text) : text
  if (existsSync(file)) return file
  throw optionError(option, 'a file, such as the bundle of sitewright/sharp/worker', text)
}

/** The options by name; TypeScript compares them with the interface where they are checked. */
export const imageServiceChecks = {
  keys: unchecked,
  sources: required(checkObject),
  cache: withMethod('get', "a store such as diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })"),
  tagIndex: withMethod('stamp', 'a tag index, such as memoryTagIndex()'),
  allowNetworks: checkNetworks,
  maxSourceBytes: integer(1),
  maxPixels: integer(1),
  sourceTimeout: checkTimeout,
  transformTimeout: checkTimeout,
  isolation: oneOf('process', 'none'),
  workerFile: checkWorkerFile,
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
