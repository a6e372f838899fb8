// Prints the errors of a project and of the package in it, as `tsc` does without skipLibCheck. What it leaves out are the errors of
// other packages' types and of the compiler's own, whose check takes two thirds of the time.
// Usage: node check.js {module of the compiler} {tsconfig.json}
import { createRequire } from 'node:module'

const [compiler = '', config = ''] = process.argv.slice(2)
/** @type {typeof import('typescript')} */
const ts = createRequire(import.meta.url)(compiler)

const parsed = ts.getParsedCommandLineOfConfigFile(config, undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (error) => print([error]),
})
if (parsed) {
  const program = ts.createProgram(parsed.fileNames, parsed.options)
  const own = program.getSourceFiles().filter((file) => !/\/node_modules\/(?!sitewright\/)/.test(file.fileName))
  print([...parsed.errors, ...program.getConfigFileParsingDiagnostics(), ...program.getOptionsDiagnostics()])
  for (const file of own) print([...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
  print(program.getGlobalDiagnostics())
}

/** @param {readonly import('typescript').Diagnostic[]} errors */
function print(errors) {
  if (errors.length === 0) return
  process.exitCode = 1
  console.log(ts.formatDiagnostics(errors, { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }))
}
