import { installCommand } from '../project/package-manager.js'
import type { Project } from '../project/project.js'

/**
 * Returns the commands that install what the files import and package.json does not name.
 *
 * @param nodeMajor The running Node's. undici 8 needs Node 22.
 */
export function installCommands(project: Project, nodeMajor = Number.parseInt(process.versions.node, 10)): string[] {
  const { server, typescript, dependencies, manager } = project
  const missing = (names: string[]) => names.filter((name) => !dependencies.has(name))
  const react = server === 'next' ? [] : ['react', 'react-dom']
  const packages = missing(['sitewright', 'sharp', 'undici', ...react]).map((name) =>
    name === 'undici' && nodeMajor < 22 ? 'undici@7' : name,
  )
  const types = typescript ? missing(['@types/node', ...react.map((name) => `@types/${name}`)]) : []
  return [
    ...(packages.length > 0 ? [installCommand(manager, packages)] : []),
    ...(types.length > 0 ? [installCommand(manager, types, true)] : []),
  ]
}
