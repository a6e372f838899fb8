import type { Server } from './server.js'

/** Whether a file does something with `sitewright` besides importing it. */
export function usesSitewright(text: string): boolean {
  return findUse(withoutComments(text)) !== -1
}

/** Returns the line of a route that answers everything before `sitewright` is asked. */
export function findCatchAll(given: string, server: Server): string | undefined {
  const text = withoutComments(given)
  const before = text.slice(0, findUse(text))
  const patterns = server === 'express' ? [...catchAlls, lastHandler] : catchAlls
  const lines = before.split('\n')
  return lines.find((line) => patterns.some((pattern) => pattern.test(line)))?.trim()
}

/** `app.get('*', …)`, `app.all('/{*path}', …)`, and a regular expression `.*`; `app.use('*', …)` may be any middleware. */
const catchAlls = [/\.(?:get|all)\(\s*['"`]\/?\{?\/?\*/, /\.(?:get|all)\(\s*\/\^?\\?\/?\.\*/]

/** Express: `app.use((req, res) => …)`, which has no `next` to go on with. */
const lastHandler = /\.use\(\s*(?:async\s*)?(?:function\s*)?\(\s*\w+\s*,\s*\w+\s*\)/

function findUse(text: string): number {
  const blank = (found: string) => ' '.repeat(found.length)
  const rest = text.replace(/\bimport\b[^;'"]*['"][^'"]*['"]/g, blank).replace(/^.*\brequire\(.*$/gm, blank)
  return rest.search(/(?<!['"/])\bsitewright\b(?!['"/])/)
}

/** As long as before; what `//` begins in a string, as a URL, is kept. */
function withoutComments(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ')
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/\s.*$/gm, blank)
}
