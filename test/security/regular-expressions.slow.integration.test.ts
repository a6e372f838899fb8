import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { checkSync } from 'recheck'
import * as ts from 'typescript'
import { afterAll, expect, test, vi } from 'vitest'

// In JavaScript, and in this thread: the same everywhere. The default, a worker, sometimes loses an answer on a busy
// machine.
vi.hoisted(() => vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'))

// Node's engine backtracks: an expression that takes quadratic time holds the event loop for half a second when it is
// given the 16 KB of a header. What visitors, origins and content management systems send, and what authors write,
// reaches most of these expressions, so all of them have to be linear. Those of the command line read the pages of a
// site.

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = execFileSync('git', ['ls-files', 'core/*.ts', 'adapters/*.ts', 'react/*.ts', 'react/*.tsx', 'cli/*.ts'], {
  cwd: root,
})
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !/\.test\.|\/testing\/|\/templates\//.test(file))

interface Expression {
  file: string
  source: string
  flags: string
}

function literalsOf(file: string): Expression[] {
  const literals: Expression[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      literals.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true))
  return literals
}

const NativeRegExp = globalThis.RegExp
afterAll(() => {
  globalThis.RegExp = NativeRegExp
})

/** The expressions that a module creates by `new RegExp` when it is loaded. */
async function constructedBy(file: string): Promise<Expression[]> {
  const constructed: Expression[] = []
  globalThis.RegExp = new Proxy(NativeRegExp, {
    construct(target, [pattern, flags]) {
      const created = new target(pattern, flags)
      constructed.push({ file, source: created.source, flags: created.flags })
      return created
    },
  })
  await import(pathToFileURL(root + file).href)
  globalThis.RegExp = NativeRegExp
  return constructed
}

/**
 * Checks an expression. The fuzzer has time limits of its own, and now and then finds an attack that is none: it has
 * to repeat it.
 */
function check(source: string, flags: string) {
  let result = checkSync(source, flags, { timeout: 60_000 })
  for (let randomSeed = 1; randomSeed < 3 && result.status !== 'safe'; randomSeed++) {
    result = checkSync(source, flags, { timeout: 60_000, randomSeed })
  }
  return result
}

/** Returns the expressions that take more than linear time, each with a text that shows it. */
function findSlow(expressions: readonly Expression[]) {
  const slowResults = new Map<string, ReturnType<typeof checkSync>>()
  // An expression without repetition is linear.
  const repeating = expressions.filter(({ source }) => /[*+{]/.test(source))
  return repeating.flatMap(({ file, source, flags }) => {
    const key = `/${source}/${flags}`
    const result = slowResults.get(key) ?? check(source, flags.replace('v', 'u'))
    slowResults.set(key, result)
    if (result.status === 'safe') return []
    return [`${file} ${key} ${result.status === 'vulnerable' ? result.attack.pattern : result.error.kind}`]
  })
}

test('the check finds an expression that takes quadratic time', () => {
  expect(findSlow([{ file: 'example', source: '^\\s*q\\s*=\\s*(\\d+\\.?\\d*)\\s*$', flags: '' }])).toHaveLength(1)
})

test('each literal takes linear time', { timeout: 600_000 }, () => {
  const literals = files.flatMap(literalsOf)
  expect(literals.length).toBeGreaterThan(200)
  expect(findSlow(literals)).toEqual([])
})

test('each expression that is created by new RegExp takes linear time', { timeout: 600_000 }, async () => {
  const constructing = files.filter((file) => readFileSync(root + file, 'utf8').includes('new RegExp('))
  // Its own expressions are not all linear, and are given the colors of this package alone.
  await import('culori')
  const constructed: Expression[] = []
  for (const file of constructing) constructed.push(...(await constructedBy(file)))
  expect(constructed.length).toBeGreaterThan(8)
  expect(findSlow(constructed)).toEqual([])
})
