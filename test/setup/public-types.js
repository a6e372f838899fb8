// Compares the public types of the built package with the last release's, which public-types.txt has: each difference needs a name
// of it, as code, under "Unreleased" in CHANGELOG.md. With `--write`, stores the types for a release, whose "Unreleased" is empty.
// TypeScript prints them, instead of API Extractor, which has 43 packages and 50 MB.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

/** @typedef {{ entries: Map<string, string[]>, declarations: Map<string, string>, users: Map<string, Set<string>> }} Types */

const stored = 'test/setup/public-types.txt'
const { name: packageName, exports: targets, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const types = readTypes()
const unreleased = readFileSync('CHANGELOG.md', 'utf8')
  .split(/^## .*/m)[1]
  ?.trim()

if (process.argv.includes('--write')) {
  if (unreleased)
    fail([`${stored}: expected an empty "Unreleased" in CHANGELOG.md: only a release changes the stored types`])
  else writeFileSync(stored, format(types))
} else {
  const text = existsSync(stored) ? readFileSync(stored, 'utf8') : ''
  fail(compare(parse(text), types, unreleased ?? ''))
  if (!text.startsWith(`// ${packageName} ${version}\n`))
    fail([`${stored}: expected the types of ${version}; run it with --write`])
  if (!process.exitCode)
    console.log(`${types.declarations.size} public types are those of ${version}, or the changelog says why not`)
}

/** @param {string[]} errors */
function fail(errors) {
  for (const error of errors) console.error(error)
  if (errors.length > 0) process.exitCode = 1
}

/**
 * What each entry exports, and each declaration that one reaches from there, without comments.
 *
 * @returns {Types}
 */
function readTypes() {
  /** @type {Types} */
  const found = { entries: new Map(), declarations: new Map(), users: new Map() }
  const files = Object.entries(targets)
    .map(([entry, target]) => ({ entry: entry.replace('.', packageName), path: target.default ?? target }))
    .map(({ entry, path }) => ({ entry, file: path.replace(/\.js$/, '.d.ts') }))
    .filter(({ file }) => file.endsWith('.d.ts') && existsSync(file))
  const [target, module, moduleResolution] = [
    ts.ScriptTarget.ESNext,
    ts.ModuleKind.ESNext,
    ts.ModuleResolutionKind.Bundler,
  ]
  const options = { target, module, moduleResolution, noLib: true, types: [], skipLibCheck: true }
  const program = ts.createProgram(
    files.map(({ file }) => file),
    options,
  )
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter({ removeComments: true })
  const own = resolve('dist')

  for (const { entry, file } of files) {
    const module = checker.getSymbolAtLocation(/** @type {ts.SourceFile} */ (program.getSourceFile(file)))
    const names = module ? checker.getExportsOfModule(module) : []
    found.entries.set(entry, names.map(({ name }) => name).sort())
    for (const each of names) visit(each, '')
  }
  return found

  /**
   * @param {ts.Symbol} symbol
   * @param {string} user the declaration that refers to it
   */
  function visit(symbol, user) {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    for (const declaration of original.declarations ?? []) {
      const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
      const source = statement.getSourceFile()
      if (!ts.isSourceFile(statement.parent) || !resolve(source.fileName).startsWith(own)) continue
      const { name } = original
      found.users.set(name, (found.users.get(name) ?? new Set()).add(user))
      const printed = printer.printNode(ts.EmitHint.Unspecified, statement, source)
      const text = printed.replace(/^export |^declare |import\("[^"]*"\)\./gm, '').replace(/^declare /gm, '')
      const before = found.declarations.get(name)?.split('\n') ?? []
      // Two files may have types of one name, and a function several signatures: one block has them all.
      if (before.join('\n').includes(text)) continue
      found.declarations.set(name, [...before, ...text.split('\n')].join('\n'))
      statement.forEachChild(function search(node) {
        const reached = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
        if (reached && reached !== symbol) visit(reached, name)
        node.forEachChild(search)
      })
    }
  }
}

/**
 * @param {Types} types
 * @returns {string}
 */
function format({ entries, declarations }) {
  const lists = [...entries].map(([entry, names]) => `// exports of ${entry}\n${names.join('\n')}`)
  const blocks = [...declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `// ${name}\n${text}`)
  return `${[`// ${packageName} ${version}`, ...lists, ...blocks].join('\n\n')}\n`
}

/**
 * @param {string} text
 * @returns {Pick<Types, 'entries' | 'declarations'>}
 */
function parse(text) {
  const entries = new Map()
  const declarations = new Map()
  for (const block of text.trim().split('\n\n').slice(1)) {
    const [title = '', ...lines] = block.split('\n')
    const name = title.replace('// ', '')
    const [, entry] = name.split('exports of ')
    if (entry) entries.set(entry, lines)
    else declarations.set(name, lines.join('\n'))
  }
  return { entries, declarations }
}

/**
 * @param {Pick<Types, 'entries' | 'declarations'>} before
 * @param {Types} after
 * @param {string} changelog
 * @returns {string[]} the differences that the changelog does not name
 */
function compare(before, after, changelog) {
  const code = [...changelog.matchAll(/`([^`]+)`/g)].map(([, text]) => text).join(' ')
  const named = new Set(code.split(/[^\w$]+/))
  /** @type {string[]} */
  const errors = []
  for (const entry of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const [old = [], current = []] = [before.entries.get(entry), after.entries.get(entry)]
    for (const name of symmetricDifference(old, current)) {
      if (!named.has(name)) errors.push(`${entry}: ${name} was ${old.includes(name) ? 'removed' : 'added'}`)
    }
  }
  const exported = new Set([...after.entries.values()].flat())
  // A declaration that came or went changes one that is in both, or the exports.
  for (const [name, text] of before.declarations) {
    const [old = [], current = old] = [text, after.declarations.get(name)].map((each) => each?.split('\n'))
    const lines = symmetricDifference(old, current)
    if (old.join() === current.join()) continue
    const members = lines.flatMap((line) => /^\s+(?:readonly )?(\w+)\??[:(<]/.exec(line)?.[1] ?? [])
    const users = [...usersOf(name, after.users)].filter((user) => exported.has(user))
    if ([name, ...members, ...users].some((each) => named.has(each))) continue
    errors.push([`${name}${exported.has(name) ? '' : ` (of ${users.join(', ')})`} differs:`, ...lines].join('\n  '))
  }
  if (errors.length > 0)
    errors.push(`CHANGELOG.md: expected each name above, or a member that differs, as code under "Unreleased"`)
  return errors
}

/**
 * The declarations from which one reaches another.
 *
 * @param {string} name
 * @param {Map<string, Set<string>>} users
 */
function usersOf(name, users) {
  const reached = new Set([name])
  for (const each of reached) for (const user of users.get(each) ?? []) reached.add(user)
  return reached
}

/**
 * @param {string[]} a
 * @param {string[]} b
 */
function symmetricDifference(a, b) {
  return [...a.filter((each) => !b.includes(each)), ...b.filter((each) => !a.includes(each))]
}
