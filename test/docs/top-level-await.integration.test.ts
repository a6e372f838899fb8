import { readdirSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { blocksOf, fileUrl, pages, read } from './pages.js'

// A module that awaits cannot be required by CommonJS (ERR_REQUIRE_ASYNC_MODULE), and TypeScript's targets before ES2022
// reject it. So what goes into a project as it is has no `await` outside of a function.

function hasTopLevelAwait(name: string, text: string): boolean {
  const awaits = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node)) return false
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true
    return ts.forEachChild(node, awaits) ?? false
  }
  return awaits(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
}

const isCode = (file: string) => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)
const files = ['docs/snippets/', 'cli/templates/'].flatMap((folder) =>
  (readdirSync(fileUrl(folder), { recursive: true }) as string[]).filter(isCode).map((file) => folder + file),
)
// The blocks of code in a page, and the code within its lines.
const codes = [...pages, 'adapters/README.md', 'adapters/recipes.md'].flatMap((page) => {
  const text = read(page)
  const blocks = blocksOf(text).filter(({ language }) => /^[jt]sx?$/.test(language))
  const inline = Array.from(text.matchAll(/`([^`\n]*\bawait [^`\n]*)`/g), ([, code = '']) => code)
  return [...blocks.map(({ code, file }) => [file ?? page, code]), ...inline.map((code) => [page, code])]
}) as [name: string, text: string][]

const excerpts = [
  'docs/guide/images.md: await images.describe(src)', // in a component
  'docs/guide/preview.md: const draft = await getPreview(preview)', // in a page of Next.js
  'docs/guide/preview.md: preview.fetch({ headers: await headers() })',
  'docs/migrate/next-image.md: {...(await images.describe(src))}',
  'test/frameworks/fastify/server.js', // servers of their own
  'test/frameworks/fastify/existing.js',
  "adapters/recipes.md: await cache.invalidate(['/list'])", // in an action
]

it('no code that goes into a project as it is awaits outside of functions', () => {
  const sources = [...files.map((file): [string, string] => [file, read(file)]), ...codes]
  expect(sources.length).toBeGreaterThan(100)
  const found = sources.filter(([name, text]) => hasTopLevelAwait(name, text))
  expect(found.map(([name, text]) => (name.endsWith('.md') ? `${name}: ${text.split('\n', 1)[0]}` : name))).toEqual(
    excerpts,
  )
})
