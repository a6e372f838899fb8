import { installCommand } from '../project/package-manager.js'
import type { Project } from '../project/project.js'

/** Returns the commands that install what the files import and package.json does not name. */
export function installCommands({ server, typescript, dependencies, manager }: Project): string[] {
  const missing = (names: string[]) => names.filter((name) => !dependencies.has(name))
  const react = server === 'next' ? [] : ['react', 'react-dom']
  const packages = missing(['sitewright', 'sharp', 'undici', ...react])
  const types = typescript ? missing(['@types/node', ...react.map((name) => `@types/${name}`)]) : []
  return [
    // undici 8 needs Node 22.19; 7 runs on every version.
    ...(packages.length > 0 ? [installCommand(manager, packages).replace(/\bundici\b/, 'undici@7')] : []),
    ...(types.length > 0 ? [installCommand(manager, types, true)] : []),
  ]
}
