// Checks the types of each `@example` of the source, and prints the errors with their file and line. The examples of a file
// are compiled as if they stood at its end, each in a function: they may use what the file declares and imports, every
// public name of the package, and the names of doc-example-names.ts. The example of a type, or of a property of an
// interface, is a value of it; any other is statements.
// Each public option and prop needs a comment, too: editors show it. One that is a number or boolean names its default.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = join(root, 'test/setup/doc-example-names.ts')
const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, /** @type {any} */ (ts.sys))
const { entries, publicNames } = readEntries()

const isSource = /^(?:core|adapters|react|cli)\/(?!.*(?:\.test\.|\/testing\/|\.d\.ts$))/
const sources = (config?.fileNames ?? []).filter((path) => isSource.test(relative(root, path)))
/** @type {Map<string, ReturnType<typeof withExamples>>} */
const files = new Map()
for (const path of sources) {
  const file = withExamples(path)
  if (file.examples.length > 0) files.set(path, file)
}
files.set(names, { text: readFileSync(names, 'utf8'), examples: [{ start: 0, line: 1 }], hasJsx: false })

const unlike = { noUnusedLocals: false, noUnusedParameters: false, exactOptionalPropertyTypes: false }
const options = { ...config?.options, ...unlike, paths: entries }
const host = ts.createCompilerHost(options)
const { getSourceFile } = host
/** @type {typeof getSourceFile} */
host.getSourceFile = (path, target, ...rest) => {
  const file = files.get(path)
  if (!file) return getSourceFile(path, target, ...rest)
  return ts.createSourceFile(path, file.text, target, false, file.hasJsx ? ts.ScriptKind.TSX : undefined)
}
const program = ts.createProgram([...files.keys()], options, host)
let count = -1 // the file of the names
for (const [path, { examples }] of files) {
  count += examples.length
  const file = program.getSourceFile(path)
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  for (const { start = 0, messageText } of found) {
    const example = examples.findLast((each) => each.start <= start)
    if (!file || !example) continue
    const lineOf = (/** @type {number} */ position) => file.getLineAndCharacterOfPosition(position).line
    const line = example.line + lineOf(start) - lineOf(example.start)
    console.error(`${relative(root, path)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
    process.exitCode = 1
  }
}
let optionCount = 0
for (const [path] of Object.values(entries)) checkOptions(/** @type {string} */ (path))
console.log(`${count} examples, ${optionCount} options`)

/**
 * Prints the options and props of an entry whose comment is missing or names no default.
 *
 * @param {string} entry
 */
function checkOptions(entry) {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(/** @type {ts.SourceFile} */ (program.getSourceFile(entry)))
  for (const exported of module ? checker.getExportsOfModule(module) : []) {
    if (!/(?:Options|Props|Connection|Settings)$/.test(exported.name)) continue
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    for (const member of checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
      const file = member.declarations?.[0]?.getSourceFile().fileName ?? ''
      if (!isSource.test(relative(root, file))) continue
      optionCount++
      const comment = ts.displayPartsToString(member.getDocumentationComment(checker))
      const text = checker.typeToString(checker.getTypeOfSymbol(member))
      const needsDefault = member.flags & ts.SymbolFlags.Optional && /^(?:number|boolean) \| undefined$/.test(text)
      if (comment && !(needsDefault && !/[Dd]efault|not rendered/.test(comment))) continue
      const expected = comment ? 'its default in the comment' : 'a comment'
      console.error(`${relative(root, file)}: ${exported.name}.${member.name}: expected ${expected}`)
      process.exitCode = 1
    }
  }
}

/**
 * The text of a file with its examples after it.
 *
 * @param {string} path
 */
function withExamples(path) {
  let text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found = findExamples(source)
  const code = found.map(({ code }) => code).join('\n')
  const declared = new Set(source.statements.flatMap(declaredNames))
  for (const [name, entry] of publicNames) {
    if (!declared.has(name) && new RegExp(`\\b${name}\\b`).test(code)) text += `\nimport { ${name} } from '${entry}'`
  }
  const examples = found.map(({ code, line, type }) => {
    text += `\n;async () => {${type ? ` const value: ${type} =` : ''}\n`
    const start = text.length
    text += `${code}\n}`
    return { start, line }
  })
  return { text, examples, hasJsx: path.endsWith('.tsx') || /<[A-Z]/.test(code) }
}

/**
 * @param {ts.SourceFile} source
 * @returns {{ code: string, line: number, type: string | undefined }[]}
 */
function findExamples(source) {
  /** @type {Map<number, { code: string, line: number, type: string | undefined }>} */
  const found = new Map()
  /** @param {ts.Node} node */
  const visit = (node) => {
    for (const tag of ts.getJSDocTags(node)) {
      if (tag.tagName.text !== 'example' || found.has(tag.pos)) continue
      const { line } = source.getLineAndCharacterOfPosition(tag.pos)
      found.set(tag.pos, {
        code: codeOf(source.text.slice(tag.tagName.end, tag.end)),
        line: line + 1,
        type: typeOf(node),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()]
}

/**
 * The code of a comment, line by line, as it may stand in a function.
 *
 * @param {string} comment
 */
function codeOf(comment) {
  return comment
    .replace(/\*\/\s*$/, '')
    .replaceAll('*\\/', '*/')
    .replace(/^\s*\* ?/gm, '')
    .replace(/^import .*/gm, '') // Public names are imported anyway.
    .replace(/^\s*export default /gm, 'void ')
    .replace(/^\s*export /gm, '')
}

/**
 * The type that an example is a value of.
 *
 * @param {ts.Node} node
 */
function typeOf(node) {
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  const declaration = ts.isPropertySignature(node) ? node.parent : isType ? node : undefined
  if (!declaration || !(ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)))
    return undefined
  const parameters = declaration.typeParameters?.map(() => 'any').join(', ')
  const type = declaration.name.text + (parameters ? `<${parameters}>` : '')
  return isType ? type : `${type}['${/** @type {ts.PropertySignature} */ (node).name.getText()}']`
}

/**
 * @param {ts.Statement} statement
 * @returns {string[]}
 */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings
    return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
  }
  const { name } = /** @type {{ name?: ts.Identifier }} */ (statement)
  return name ? [name.text] : []
}

/** The source of each entry of the package, for the option `paths`, and the entry of each public name. */
function readEntries() {
  /** @type {Record<string, string[]>} */
  const entries = {}
  /** @type {Map<string, string>} */
  const publicNames = new Map()
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [entry, target] of Object.entries(manifest.exports)) {
    const path = /^\.\/dist\/(.+\/index)\.js$/.exec(target.default ?? target)?.[1]
    if (entry === '.' || !path) continue
    const file =
      ['.ts', '.tsx'].map((ending) => join(root, path + ending)).find((file) => ts.sys.fileExists(file)) ?? ''
    const name = `sitewright${entry.slice(1)}`
    entries[name] = [file]
    const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    for (const statement of statements) {
      const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined
      const listed = clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
      const isExported = /^export /.test(statement.getText())
      for (const each of isExported ? [...listed, ...declaredNames(statement)] : []) publicNames.set(each, name)
    }
  }
  return { entries, publicNames }
}
