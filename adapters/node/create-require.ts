/**
 * Returns Node's `require` for a file. Same as `createRequire` of `node:module`, but bundlers do not recognize the call:
 * webpack and Turbopack evaluate calls of the imported function, so that `resolve` would return the id of a module in
 * the bundle, and not a path.
 *
 * @param from The path or URL of a file, which need not exist.
 */
export function createRequire(from: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(from)
}
