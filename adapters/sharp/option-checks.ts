import { existsSync, readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createSourceMatcher } from '../../core/image/internal.js'
import { optionError, secretError } from '../../core/option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkObject,
  checkString,
  integer,
  matchNames,
  type OptionCheck,
  oneOf,
  required,
} from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { digestOf } from './image-cache.js'
import { encoders, type QualityByFormat } from './transforms/encoders.js'
import type { CardFont, CardLook } from './transforms/task.js'

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

const lookCall = "sharpService({ card: { font: { family: 'Inter', file: './inter-bold.ttf' }, mark: './mark.png' } })"
const checkColor: OptionCheck = (option, value) => {
  if (typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)) return value
  throw optionError(option, "a color such as '#1a2b3c'", value)
}

/** Checks that a file contains one of some bytes. */
function checkFile(option: string, file: unknown, expected: string, contents: readonly Buffer[]): unknown {
  const bytes = existsSync(String(file)) ? readFileSync(String(file)) : undefined
  if (bytes && contents.some((each) => bytes.includes(each))) return file
  throw optionError(option, expected, file)
}

/** Creates the check of a part of the look, which has options of its own. */
function lookOf(checks: Readonly<Record<string, OptionCheck>>): OptionCheck {
  return (option, value) => checkKnownOptions(checkObject(option, value) as object, checks, lookCall)
}

const checkMark: OptionCheck = (option, file) =>
  checkFile(option, file, 'a PNG file', [Buffer.from('\x89PNG', 'latin1')])

/** Checks that the font is of the family, because Pango takes another font without a word if there is none. */
const checkFont: OptionCheck = (option, value) => {
  const checks = { family: required(checkString), file: checkString, weight: integer(1, 1000) }
  const { family, file } = checkKnownOptions(checkObject(option, value) as CardFont, checks, lookCall)
  const names = [Buffer.from(family), Buffer.from(family, 'utf16le').swap16()]
  // The fonts of browsers, WOFF and WOFF2, are compressed, and fontconfig reads neither.
  return file && checkFile('file', file, `a TTF or OTF file of the family '${family}'`, names)
}

const checkColors = lookOf({ text: checkColor, shade: checkColor })
const checkCard = lookOf({ font: checkFont, colors: checkColors, mark: checkMark })

/** Returns a text that identifies a look, and changes with the content of its files. */
export function styleOf({ font, colors, mark }: CardLook): string {
  const files = [font?.file, mark].map((file) => file && digestOf(readFileSync(file)))
  return digestOf(JSON.stringify([font?.family, font?.weight, colors, files])).slice(0, 8)
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
  card: checkCard,
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
