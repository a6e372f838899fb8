import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InitError } from '../init-error.js'

/** The part of package.json that is read. */
export interface PackageJson {
  type: 'module' | 'commonjs' | undefined
  /** Names of `dependencies` and `devDependencies`. */
  dependencies: ReadonlySet<string>
  packageManager: string | undefined
  main: string | undefined
  /** Commands by their names. */
  scripts: Readonly<Record<string, string>>
}

/**
 * Reads package.json.
 *
 * @throws InitError when it is missing, unreadable or no JSON object.
 */
export function readPackageJson(folder: string): PackageJson {
  const given = parse(readText(folder))
  const { type, main, packageManager } = given
  return {
    type: type === 'module' || type === 'commonjs' ? type : undefined,
    dependencies: new Set([given.dependencies, given.devDependencies].flatMap((names) => Object.keys(toObject(names)))),
    packageManager: typeof packageManager === 'string' ? packageManager : undefined,
    main: typeof main === 'string' ? main : undefined,
    scripts: Object.fromEntries(
      Object.entries(toObject(given.scripts)).filter(([, script]) => typeof script === 'string'),
    ),
  }
}

function readText(folder: string): string {
  try {
    return readFileSync(join(folder, 'package.json'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new InitError(`package.json could not be read: ${(error as Error).message}`)
    }
    throw new InitError(`No package.json in ${folder}. Run this in the folder of your project.`)
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    // Editors on Windows begin files with a byte order mark, which npm accepts.
    const given: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  } catch (error) {
    throw new InitError(`package.json is not valid JSON: ${(error as Error).message}`)
  }
  throw new InitError('package.json: expected a JSON object')
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
