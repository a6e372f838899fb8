import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
// Not `npm ci`, which wants the binaries of every platform in the lock file, and installs anew what is there. Without
// scripts: a binary comes in a package of its platform.
const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']

/**
 * Installs the packages of a test folder that has a `package.json` of its own, in the versions of its lock file. When they are
 * there, it takes a second.
 *
 * @throws Error that names the command to run.
 */
export async function installPackages(folder: string): Promise<void> {
  try {
    await promisify(execFile)('npm', ['install', ...options], { cwd: folder, maxBuffer: 2 ** 26 })
  } catch (cause) {
    const command = `(cd ${relative(root, folder)} && npm install ${options.join(' ')})`
    throw new Error(`could not install the packages of this test. Run: ${command}`, { cause })
  }
}
