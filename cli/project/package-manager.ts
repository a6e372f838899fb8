import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const lockFiles: Record<string, PackageManager> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
}

/**
 * Returns the package manager of a project: by `packageManager` of package.json, else by the lock file, which in a
 * monorepo is in a folder above, else the one that runs this command, else npm.
 */
export function findPackageManager(folder: string, declared: string | undefined): PackageManager {
  return toName(declared) ?? findByLockFile(folder) ?? toName(process.env.npm_config_user_agent) ?? 'npm'
}

/** @example installCommand('pnpm', ['sharp']) // 'pnpm add sharp' */
export function installCommand(manager: PackageManager, packages: readonly string[], dev = false): string {
  const add = manager === 'npm' ? 'install' : 'add'
  return [manager, add, ...(dev ? ['-D'] : []), ...packages].join(' ')
}

function findByLockFile(folder: string): PackageManager | undefined {
  for (const [file, manager] of Object.entries(lockFiles)) {
    if (existsSync(join(folder, file))) return manager
  }
  const above = dirname(folder)
  // A lock file above the repository is that of another project.
  return above === folder || existsSync(join(folder, '.git')) ? undefined : findByLockFile(above)
}

/** Of `pnpm@10.2.0` as of `pnpm/10.2.0 npm/? node/v24.1.0`. */
function toName(text: string | undefined): PackageManager | undefined {
  return /^(npm|pnpm|yarn|bun)\b/.exec(text ?? '')?.[1] as PackageManager | undefined
}
