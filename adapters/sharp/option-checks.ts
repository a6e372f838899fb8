import { existsSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createSourceMatcher } from '../../core/image/internal.js'
import { optionError, secretError } from '../../core/option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkObject,
  integer,
  matchNames,
  type OptionCheck,
  oneOf,
} from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { encoders, type QualityByFormat } from './transforms/encoders.js'

/** Header fields by URL prefix. */
export type OriginHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

const checkPercent = integer(1, 100)
const checkQuality: OptionCheck = (option, value) => {
  const known = Object.entries(encoders).flatMap(([format, { quality }]) => (quality ? format : []))
  for (const [format, quality = 1] of Object.entries(checkObject(option, value) as QualityByFormat)) {
    if (!known.includes(format)) throw optionError(option, `qualities of ${known.join(', ')}`, format)
    checkPercent(`${option}.${format}`, quality)
  }
  return value
}

const checkNetworks: OptionCheck = (option, value) => {
  const lists = Array.isArray(value) ? [value] : Object.values(checkObject(option, value) as object)
  const isList = (list: unknown) => Array.isArray(list) && list.every((network) => typeof network === 'string')
  if (lists.every(isList)) return value
  const expected = "networks by host, such as { 'nas.internal': ['10.0.0.0/8'] }, or a list of networks"
  throw optionError(option, expected, value)
}

const checkHeaders: OptionCheck = (option, value) => {
  for (const [prefix, fields] of Object.entries(checkObject(option, value) as OriginHeaders)) {
    createSourceMatcher([prefix])
    for (const [name, text] of Object.entries(checkObject(`${option}['${prefix}']`, fields) as object)) {
      try {
        validateHeaderName(name)
        validateHeaderValue(name, text)
      } catch {
        throw secretError(`${option}['${prefix}']`, 'names and values of header fields', `a malformed ${name}`)
      }
    }
  }
  return value
}

/** Returns the path of the worker program. */
export const checkWorkerFile: OptionCheck = (option, value) => {
  // Converted to text, because some bundlers have their own `URL` class, which Node does not accept.
  const text = String(value)
  const file = text.startsWith('file:') ? fileURLToPath(text) : text
  if (existsSync(file)) return file
  throw optionError(option, 'a file, such as the bundle of sitewright/sharp/worker', text)
}

/** The check for each option. */
export const sharpServiceChecks = {
  allowNetworks: checkNetworks,
  headers: checkHeaders,
  signatureParameters: (option: string, names: unknown) => matchNames(option, names as readonly string[]),
  maxSourceBytes: integer(1),
  maxPixels: integer(1),
  svg: checkBoolean,
  keepCopyright: checkBoolean,
  refine: checkBoolean,
  sourceTimeout: checkTimeout,
  transformTimeout: checkTimeout,
  isolation: oneOf('process', 'none'),
  workerFile: checkWorkerFile,
  maxWorkerMemory: integer(1),
  concurrency: integer(1),
  remoteMaxAge: integer(),
  quality: checkQuality,
  log: checkFunction,
}
