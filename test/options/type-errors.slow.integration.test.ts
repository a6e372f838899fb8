import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'

// The compiler explains a union by the member that it takes for the closest, which depends on their order and kind: an error could
// name a layout, for example, where only a height is missing.

/** Code with one mistake, and the text of the error; without a text, the error is at the option of that name. */
const rows: readonly (readonly [code: string, option: string, text?: string])[] = [
  ['<Image {...image} width={640} />', 'ratio', "Property 'ratio' is missing in type"],
  ['<Image {...image} ratio="16:9" />', 'width', "Property 'width' is missing in type"],
  ['<Image {...image} layout="full-width" />', 'ratio', "from type 'RatioInPlaceOfHeight': ratio"],
  ['<Image {...image} width="640" height={360} />', 'width'],
  ['<Image {...image} width={640} height={360} layout="fill" />', 'layout'],
  ['<Image {...image} width={640} height={360} focuss="top" />', 'focuss', "Did you mean 'focus'?"],
  ['<Image loader={image.loader} src="/media/a.jpg" width={640} height={360} />', 'alt', "Property 'alt' is missing"],
  ['<Picture {...image} width={640} sources={[]} />', 'ratio', "Property 'ratio' is missing in type"],
  ['<Spacing marginXs="huge" />', 'marginXs'],
  ["core.imageSrcSet({ ...image, layout: 'full-width', width: '640' })", 'width'],
  ['core.createRevalidateEndpoint({ invalidate, secret, verify })', 'verify', "Types of property 'verify'"],
  ['core.createRevalidateEndpoint({ invalidate, secret, verfy: verify })', 'verfy', "to write 'verify'?"],
  ['core.createRevalidateEndpoint({ secret })', 'invalidate', "Property 'invalidate' is missing in type"],
  ['core.createRevalidateEndpoint({ invalidate, secret: 5 })', 'secret'],
  ["core.createRevalidateEndpoint({ invalidate, verify: 'sanity' })", 'verify'],
  ['createRevalidateRoute({ secret: 5 })', 'secret'],
  ["createRevalidateRoute({ secret, profile: 'never' })", 'profile'],
  ['core.createResponseCache({ store, queryParameters: 5 })', 'queryParameters'],
  ["core.createResponseCache({ store, fields: ['theme'] })", 'fields'],
  ["core.createImageLoader({ sources: ['/media/'], prefx: '/x' })", 'prefx', "to write 'prefix'?"],
  ["core.createImageLoader({ sources: '/media/' })", 'sources'],
  ['core.createMetrics({ secret: 5 })', 'secret'],
  ["core.createRoutes({ languages: ['en', 'de'], default: 'fr' })", 'default'],
  ["core.createRoutes({ languages: ['en'], default: 'en', prefix: 'never' })", 'prefix'],
  ['redisStore({ client: {} })', 'client'],
  ['redisTagIndex({ client, subscriber: {} })', 'subscriber'],
  ["componentPage({ title: 'Button', variants: [{ title: 'Quiet', content: null, html: 5 }] })", 'html'],
  ['<StyleguidePage tree={5} href="/styleguide" />', 'tree'],
]

const file = join(import.meta.dirname, 'type-errors.tsx')
const head = `
import * as core from '../../core/index.js'
import { createRevalidateRoute } from '../../adapters/next/index.js'
import { redisStore, redisTagIndex, type RedisClient } from '../../adapters/redis/index.js'
import { Image, Picture } from '../../react/image/index.js'
import { Spacing } from '../../react/spacing/index.js'
import { componentPage, StyleguidePage } from '../../react/styleguide/index.js'
declare const client: RedisClient
declare const image: { loader: core.ImageLoader; src: string; alt: string }
declare const store: core.Store
declare const invalidate: core.Invalidate
declare const verify: core.VerifyRequest
const secret = 'a-long-random-secret'
`
let source: ts.SourceFile
let errors: readonly ts.Diagnostic[]

beforeAll(() => {
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'], exactOptionalPropertyTypes: true },
    ...{ jsx: ts.JsxEmit.ReactJSX, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 },
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  const text = head + rows.map(([code]) => `void (${code})\n`).join('')
  source = ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.ES2023,
    impliedNodeFormat: ts.ModuleKind.ESNext,
  })
  host.fileExists = (path) => path === file || fileExists(path)
  host.getSourceFile = (path, ...rest) => (path === file ? source : getSourceFile(path, ...rest))
  const program = ts.createProgram([file], options, host)
  errors = program.getSemanticDiagnostics(source)
}, 300_000)

it.each(rows.map(([code, option, text], index) => ({ code, option, text, index })))('$code', (row) => {
  const lineOf = ({ start = 0 }: ts.Diagnostic) => source.getLineAndCharacterOfPosition(start).line
  const found = errors.filter((error) => lineOf(error) === head.split('\n').length - 1 + row.index)
  expect(found).toHaveLength(1)
  const [{ start = 0, messageText }] = found as [ts.Diagnostic]
  if (row.text) expect(ts.flattenDiagnosticMessageText(messageText, ' ')).toContain(row.text)
  else {
    // An editor underlines the option itself, or a value in it.
    const before = source.text.slice(source.getLineStarts()[source.getLineAndCharacterOfPosition(start).line], start)
    const option = /^\w+/.exec(source.text.slice(start))?.[0] ?? ''
    expect(option === row.option || before.includes(`${row.option}: `)).toBe(true)
  }
})
